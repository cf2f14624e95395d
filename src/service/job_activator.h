#pragma once

#include <absl/functional/any_invocable.h>

#include <memory>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "record/values.h"
#include "service/error.h"
#include "service/job_sink.h"
#include "service/loop.h"
#include "service/principal.h"
#include "stream/port.h"

namespace beeline::service {

// How long a partition that had no room for our question is left alone.
inline constexpr Milliseconds kTroublePause{1000};

// What a worker asks for, and who it is.
struct JobRequest {
  Principal principal;
  record::JobBatchRecord batch;
};

// What became of asking one partition for jobs.
struct Activation {
  enum class Outcome {
    Answered,    // `batch` has what there was, possibly nothing
    Rejected,    // `error` says why; asking again gives the same
    Overloaded,  // queue or disk full: later
    Unavailable  // the partition does not work now
  };
  Outcome outcome = Outcome::Unavailable;
  record::JobBatchRecord batch;
  Error error;
};

// Asks partitions for jobs and gives jobs back that did not reach a client.
//
// Between the two lies the promise of this folder: a job that a partition handed out is either
// written to an open sink or given back with JOB YIELD, so that no worker has to wait for its
// timeout because another one vanished.
//
// Threading: on the loop only, deliver()'s write reports excepted. The loop must be running for
// answers to arrive; those that come after it stopped are dropped, and their jobs lapse.
class JobActivator : public std::enable_shared_from_this<JobActivator> {
 public:
  using Then = absl::AnyInvocable<void(Activation)>;

  JobActivator(stream::Partitions& partitions, std::shared_ptr<Loop> loop,
               std::size_t message_bytes_max)
      : partitions_(partitions), loop_(std::move(loop)), message_bytes_max_(message_bytes_max) {}

  // Asks for at most `jobs_max` jobs as `request` describes them; `then` is called on the loop.
  void activate(PartitionId partition, const JobRequest& request, std::int32_t jobs_max, Then then);

  // Offers the job to others again, its retries unchanged.
  void give_back(Key job) { give_back(job, kGiveBackTries); }
  void give_back_all(const record::JobBatchRecord& batch);

  // The jobs of a batch in the form of `sink`. A job that no message can hold is failed instead, so
  // that an incident shows it.
  [[nodiscard]] std::vector<EncodedJob> encode(const record::JobBatchRecord& batch,
                                               const JobSink& sink);

  // Sends the jobs in as few messages as the message size allows. Jobs that the sink does not take
  // are given back.
  void deliver(std::vector<EncodedJob> jobs, JobSink& sink);

  [[nodiscard]] std::int32_t partition_count() const { return partitions_.count(); }
  [[nodiscard]] const std::shared_ptr<Loop>& loop() { return loop_; }

 private:
  static constexpr int kGiveBackTries = 20;

  [[nodiscard]] stream::PartitionPort& port_of(Key job);
  void give_back(Key job, int tries);
  void fail_oversized(Key job, std::size_t bytes);
  void send_together(std::vector<EncodedJob> jobs, JobSink& sink);

  stream::Partitions& partitions_;
  const std::shared_ptr<Loop> loop_;
  const std::size_t message_bytes_max_;
};

}  // namespace beeline::service
