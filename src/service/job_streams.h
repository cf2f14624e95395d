#pragma once

#include <absl/container/btree_set.h>
#include <absl/container/flat_hash_map.h>
#include <absl/functional/any_invocable.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "base/time.h"
#include "service/job_activator.h"
#include "service/job_selection.h"

namespace beeline::service {

// The calls that stay open and receive jobs as they appear. Streams that ask for the same jobs
// (JobSelection) form a group. When such jobs are announced, they are activated for the streams of
// the group, one stream after the other, and written as the clients read them. Jobs that are older
// than all jobs announced since the first of the streams opened are left to polls.
//
// The jobs of a stream are limited: at most `jobs_max` jobs are activated for it and not yet
// written. A stream whose client reads nothing for `stall_timeout` loses its unwritten jobs to
// others and gets no more until the client reads. A stream that ends gives back the jobs that it
// did not write.
//
// Threading: on the loop only.
class JobStreams : public std::enable_shared_from_this<JobStreams> {
 public:
  struct Limits {
    std::int32_t jobs_max;
    Milliseconds stall_timeout;
  };
  // Called for jobs that were announced but for which no stream has room.
  using Unclaimed = absl::AnyInvocable<void(const JobSelection& jobs, PartitionId partition)>;

  // An open stream, for listing.
  struct Info {
    std::int64_t number;  // counts all streams of this process
    record::JobBatchRecord request;
  };

  JobStreams(std::shared_ptr<JobActivator> activator, Limits limits, Unclaimed unclaimed,
             JobInterest interest);
  ~JobStreams();

  void open(JobRequest request, std::shared_ptr<JobSink> sink);

  // Called when jobs of this group are available on this partition: `job` and maybe newer ones.
  // Returns true if a stream takes them; otherwise they are left to polls.
  [[nodiscard]] bool announce(const record::JobGroup& group, PartitionId partition, Key job);

  // Ends all streams with OK: their clients open them elsewhere or later.
  void drain();

  [[nodiscard]] std::size_t open_count() const;
  // Returns all open streams, in the order in which they were opened.
  [[nodiscard]] std::vector<Info> list() const;

 private:
  struct Stream;
  struct Streams;
  using StreamPtr = std::shared_ptr<Stream>;

  Streams& streams_of(const JobSelection& jobs);
  void forget(const JobSelection& jobs);
  [[nodiscard]] StreamPtr next_with_room(Streams& streams) const;
  [[nodiscard]] std::int32_t share() const;
  void activate(Streams& streams, PartitionId partition, const StreamPtr& stream);
  void answered(const JobSelection& jobs, PartitionId partition, const StreamPtr& stream,
                std::int32_t asked, Activation activation);
  void pump(const StreamPtr& stream);
  void written(const StreamPtr& stream, Key job, bool taken);
  void watch_for_stall(const StreamPtr& stream);
  void check_stall(const StreamPtr& stream);
  void offer_missed(Streams& streams);
  void offer(const JobSelection& jobs, PartitionId partition);
  // Activates the announced jobs for the next stream that has room; returns false if no stream has
  // room.
  [[nodiscard]] bool ask(Streams& streams, PartitionId partition);
  // Gives back the jobs that wait to be written and offers them to other streams and polls.
  void give_up_queue(const StreamPtr& stream);
  void end(const StreamPtr& stream, Outcome<void> outcome);

  const std::shared_ptr<JobActivator> activator_;
  const Limits limits_;
  Unclaimed unclaimed_;
  JobInterest interest_;
  absl::flat_hash_map<JobSelection, std::unique_ptr<Streams>> streams_;
  // The groups of streams whose selections include the jobs of a group.
  absl::flat_hash_map<record::JobGroup, std::vector<Streams*>, record::JobGroupHash,
                      record::JobGroupEqual>
      by_group_;
  std::int64_t opened_ = 0;  // how many streams there have been
  bool draining_ = false;
};

}  // namespace beeline::service
