#pragma once

#include <absl/functional/any_invocable.h>

#include <memory>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "record/values/jobs.h"
#include "service/error.h"
#include "service/job_sink.h"
#include "service/loop.h"
#include "service/principal.h"
#include "stream/port.h"

namespace beeline::service {

// How long an overloaded partition is not asked again.
inline constexpr Milliseconds kTroublePause{1000};

// The jobs that a worker requests, and its principal.
struct JobRequest {
  Principal principal;
  record::JobBatchRecord batch;
};

// The outcome of asking one partition for jobs.
struct Activation {
  enum class Outcome {
    Answered,    // `batch` contains the available jobs, possibly none
    Rejected,    // `error` gives the reason; asking again has the same outcome
    Overloaded,  // queue or disk full; try later
    Unavailable  // the partition does not work now
  };
  Outcome outcome = Outcome::Unavailable;
  record::JobBatchRecord batch;
  Error error;
};

// Asks partitions for jobs and gives jobs back that did not reach a client.
//
// It keeps the promise of this folder: a job that a partition handed out is either written to an
// open sink or given back with JOB YIELD, so no worker has to wait for a job's timeout because
// another worker vanished.
//
// Threading: on the loop only, except for deliver()'s write reports. The loop must be running for
// answers to arrive; answers after it stopped are dropped, and their jobs lapse.
class JobActivator : public std::enable_shared_from_this<JobActivator> {
 public:
  using Then = absl::AnyInvocable<void(Activation)>;

  JobActivator(stream::Partitions& partitions, std::shared_ptr<Loop> loop,
               std::size_t message_bytes_max)
      : partitions_(partitions), loop_(std::move(loop)), message_bytes_max_(message_bytes_max) {}

  // Asks for at most `jobs_max` jobs as `request` describes them; `then` is called on the loop.
  void activate(PartitionId partition, const JobRequest& request, std::int32_t jobs_max, Then then);

  // Offers the job to other workers again; its retries are unchanged.
  void give_back(Key job) { give_back(job, kGiveBackTries); }
  void give_back_all(const record::JobBatchRecord& batch);

  // Encodes the jobs of a batch in the form of `sink`. A job that fits into no message is failed
  // instead, so an incident shows it.
  [[nodiscard]] std::vector<EncodedJob> encode(const record::JobBatchRecord& batch,
                                               const JobSink& sink);

  // Sends the jobs in as few messages as the message size allows. Jobs that the sink does not
  // accept are given back.
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
