#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/time.h"
#include "service/job_activator.h"

namespace beeline::service {

// The calls that ask for jobs once and may wait for them. A call visits each partition once and
// ends when it got jobs; when it got none it waits (it is parked) until jobs of its type become
// available or its time is over.
//
//            start ──► pass over the partitions ──► jobs, refusal, no wish to wait ──► ended
//                        ▲                │
//                 woken, │                │ nothing there
//              or probed └──── parked ◄───┘ ──► time over ──► ended with no jobs
//
// Of the parked calls of a type one at a time is woken, the oldest first; if it got jobs the next
// one is tried. So an announcement of jobs costs one question to the partitions however many calls
// wait, and each of a hundred jobs announced at once still finds a call.
//
// An announcement that falls into a pass is not lost: announcements are counted, and a call that
// found nothing looks again when the count has changed since it began to look.
//
// Threading: on the loop only.
class JobPolls : public std::enable_shared_from_this<JobPolls> {
 public:
  struct Timeouts {
    Milliseconds long_poll;       // for calls that leave it to the server
    Milliseconds probe_interval;  // between looks without an announcement
    Milliseconds request;         // for a partition to answer a call that does not wait
  };

  // Hears that a type has its first call, or lost its last.
  using Interest = absl::AnyInvocable<void(const std::string& type, bool interested)>;

  JobPolls(std::shared_ptr<JobActivator> activator, Timeouts timeouts, Interest interest);
  ~JobPolls();

  // `request_timeout`: 0 is the server's default, less is not to wait. `arrived` is when the
  // waiting began.
  void start(JobRequest request, Milliseconds request_timeout, Timestamp arrived,
             std::shared_ptr<JobSink> sink);

  // Jobs of this type are there, on this partition at least.
  void announce(std::string_view type, PartitionId partition);

  // Ends what is parked and lets nothing park any more.
  void drain();

  [[nodiscard]] std::size_t parked_count() const;

 private:
  struct Poll;
  struct Type;
  using PollPtr = std::shared_ptr<Poll>;

  Type& type_of(const std::string& name);
  void forget_idle_types();

  [[nodiscard]] PartitionId next_turn(Type& type) const;
  void begin_pass(const PollPtr& poll, PartitionId first);
  void ask(const PollPtr& poll);
  void answered(const PollPtr& poll, Activation activation);
  void next_partition(const PollPtr& poll);
  void end_pass(const PollPtr& poll);
  // Why partitions could not say whether there are jobs, if that is so.
  [[nodiscard]] Outcome<void> trouble_of(const Poll& poll) const;
  void look_later(Type& type);
  void park(const PollPtr& poll);
  void wake_oldest(Type& type, PartitionId first);
  void probe(const std::string& type_name);
  void time_over(const PollPtr& poll);
  void end(const PollPtr& poll, Outcome<void> outcome);
  void client_gone(const PollPtr& poll);
  void leave(const PollPtr& poll);

  const std::shared_ptr<JobActivator> activator_;
  const Timeouts timeouts_;
  Interest interest_;
  absl::flat_hash_map<std::string, std::unique_ptr<Type>> types_;
  std::size_t types_kept_max_ = 1024;
  std::uint64_t arrivals_ = 0;
  bool draining_ = false;
};

}  // namespace beeline::service
