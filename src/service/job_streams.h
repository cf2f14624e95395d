#pragma once

#include <absl/container/btree_set.h>
#include <absl/container/flat_hash_map.h>
#include <absl/functional/any_invocable.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "service/job_activator.h"

namespace beeline::service {

// The calls that stay open and are given jobs as they appear. When jobs of a type are announced
// they are activated for the open streams of that type, one stream after the other, and written as
// the clients take them. Jobs older than all that were announced since the first of the streams
// opened are left to polls.
//
// How much a stream may hold is bounded: jobs that were activated for it and are not yet written
// number `jobs_max` at most. A stream whose client takes nothing for `stall_timeout` loses what it
// holds to others and gets nothing more until the client takes something. A stream that ends gives
// back what it did not write.
//
// Threading: on the loop only.
class JobStreams : public std::enable_shared_from_this<JobStreams> {
 public:
  struct Limits {
    std::int32_t jobs_max;
    Milliseconds stall_timeout;
  };
  // Hears of jobs that were announced but that no stream has room for.
  using Unclaimed = absl::AnyInvocable<void(const std::string& type, PartitionId partition)>;
  // Hears that a type has its first stream, or lost its last.
  using Interest = absl::AnyInvocable<void(const std::string& type, bool interested)>;

  // An open stream, for those who look at them from outside.
  struct Info {
    std::int64_t number;  // counts all streams of this process
    record::JobBatchRecord request;
  };

  JobStreams(std::shared_ptr<JobActivator> activator, Limits limits, Unclaimed unclaimed,
             Interest interest);
  ~JobStreams();

  void open(JobRequest request, std::shared_ptr<JobSink> sink);

  // Jobs of this type are there on this partition, `job` and maybe newer ones. Gives whether a
  // stream takes them; otherwise they are anyone's.
  [[nodiscard]] bool announce(const std::string& type, PartitionId partition, Key job);

  // Ends all streams with OK: their clients open them elsewhere or later.
  void drain();

  [[nodiscard]] std::size_t open_count() const;
  // All open streams, in the order in which they were opened.
  [[nodiscard]] std::vector<Info> list() const;

 private:
  struct Stream;
  struct Type;
  using StreamPtr = std::shared_ptr<Stream>;

  [[nodiscard]] StreamPtr next_with_room(Type& type) const;
  [[nodiscard]] std::int32_t share() const;
  void activate(Type& type, PartitionId partition, const StreamPtr& stream);
  void answered(const std::string& type_name, PartitionId partition, const StreamPtr& stream,
                std::int32_t asked, Activation activation);
  void pump(const StreamPtr& stream);
  void written(const StreamPtr& stream, Key job, bool taken);
  void watch_for_stall(const StreamPtr& stream);
  void check_stall(const StreamPtr& stream);
  void offer_missed(Type& type);
  void offer(const std::string& type_name, PartitionId partition);
  // Activates what was announced for the next stream that has room; false when none has.
  [[nodiscard]] bool ask(Type& type, PartitionId partition);
  // Gives back what waits to be written and offers it to whoever else there is.
  void give_up_queue(const StreamPtr& stream);
  void end(const StreamPtr& stream, Outcome<void> outcome);

  const std::shared_ptr<JobActivator> activator_;
  const Limits limits_;
  Unclaimed unclaimed_;
  Interest interest_;
  absl::flat_hash_map<std::string, std::unique_ptr<Type>> types_;
  std::int64_t opened_ = 0;  // how many streams there have been
  bool draining_ = false;
};

}  // namespace beeline::service
