#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/time.h"
#include "service/job_activator.h"
#include "service/job_selection.h"

namespace beeline::service {

// The calls that ask for jobs once and may wait for them. A call visits each partition once and
// ends when it got jobs; otherwise it waits (it is parked) until jobs that it asks for become
// available or its time is over.
//
//            start ──► pass over the partitions ──► jobs, refusal, no wish to wait ──► ended
//                        ▲                │
//                 woken, │                │ nothing there
//              or probed └──── parked ◄───┘ ──► time over ──► ended with no jobs
//
// Calls that ask for the same jobs (JobSelection) form one queue; jobs of other tenants or types do
// not wake it. Only one parked call of a queue is woken at a time, the oldest first; if it got
// jobs, the next one is tried. So an announcement of jobs costs one request to the partitions
// however many calls wait, and each of a hundred jobs announced at once still finds a call.
//
// An announcement during a pass is not lost: announcements are counted, and a call that found
// nothing looks again if the count has changed since it began to look.
//
// Threading: on the loop only.
class JobPolls : public std::enable_shared_from_this<JobPolls> {
 public:
  struct Timeouts {
    Milliseconds long_poll;       // for calls that set no timeout
    Milliseconds probe_interval;  // time between looks without an announcement
    Milliseconds request;  // how long a partition may take to answer a call that does not wait
  };

  JobPolls(std::shared_ptr<JobActivator> activator, Timeouts timeouts, JobInterest interest);
  ~JobPolls();

  // A `request_timeout` of 0 is the server's default, a negative one means not to wait. `arrived`
  // is the time when the waiting began.
  void start(JobRequest request, Milliseconds request_timeout, Timestamp arrived,
             std::shared_ptr<JobSink> sink);

  // Called when jobs of this group are available, on this partition at least.
  void announce(const record::JobGroup& group, PartitionId partition);

  // Ends the parked calls and parks no more.
  void drain();

  [[nodiscard]] std::size_t parked_count() const;

 private:
  struct Poll;
  struct Queue;
  using PollPtr = std::shared_ptr<Poll>;

  Queue& queue_of(const JobSelection& jobs);
  void forget_idle_queues();

  [[nodiscard]] PartitionId next_turn(Queue& queue) const;
  void begin_pass(const PollPtr& poll, PartitionId first);
  void ask(const PollPtr& poll);
  void answered(const PollPtr& poll, Activation activation);
  void next_partition(const PollPtr& poll);
  void end_pass(const PollPtr& poll);
  // Returns why partitions could not answer whether there are jobs, if that is the case.
  [[nodiscard]] Outcome<void> trouble_of(const Poll& poll) const;
  void look_later(const Queue& queue);
  void park(const PollPtr& poll);
  void jobs_announced(Queue& queue, PartitionId partition);
  void wake_oldest(Queue& queue, PartitionId first);
  void probe(const JobSelection& jobs);
  void time_over(const PollPtr& poll);
  void end(const PollPtr& poll, Outcome<void> outcome);
  void client_gone(const PollPtr& poll);
  void leave(const PollPtr& poll);

  const std::shared_ptr<JobActivator> activator_;
  const Timeouts timeouts_;
  JobInterest interest_;
  absl::flat_hash_map<JobSelection, std::unique_ptr<Queue>> queues_;
  // The queues whose selections include the jobs of a group.
  absl::flat_hash_map<record::JobGroup, std::vector<Queue*>, record::JobGroupHash,
                      record::JobGroupEqual>
      by_group_;
  std::size_t queues_kept_max_ = 1024;
  std::uint64_t arrivals_ = 0;
  bool draining_ = false;
};

}  // namespace beeline::service
