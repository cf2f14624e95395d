#include "service/job_activator.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/log.h"
#include "record/codec.h"

namespace beeline::service {
namespace {

constexpr Milliseconds kGiveBackPause{100};
// The most that a message adds to a job: a field number and a length, and the framing of the
// message itself.
constexpr std::size_t kJobFramingBytes = 16;

// Carries the answer from the partition's thread to the loop. If the partition destroys it without
// calling it, that is an answer too.
class AnswerCourier {
 public:
  AnswerCourier(std::shared_ptr<Loop> loop, JobActivator::Then then)
      : loop_(std::move(loop)), then_(std::move(then)) {}
  AnswerCourier(AnswerCourier&& other) noexcept
      : loop_(std::move(other.loop_)), then_(std::exchange(other.then_, nullptr)) {}
  AnswerCourier& operator=(AnswerCourier&&) = delete;
  ~AnswerCourier() { bring({}); }

  void operator()(const record::RecordView& answer) {
    Activation activation;
    if (answer.metadata.record_type == record::RecordType::CommandRejection) {
      activation.outcome = Activation::Outcome::Rejected;
      activation.error = error_of_rejection(answer.metadata);
      bring(std::move(activation));
      return;
    }
    // The batch is decoded on the loop: it may have megabytes, and this thread belongs to the
    // partition.
    loop_->post(
        [then = std::exchange(then_, nullptr), bytes = std::string(answer.value)]() mutable {
          Activation decoded;
          if (auto batch = record::try_decode<record::JobBatchRecord>(bytes)) {
            decoded.outcome = Activation::Outcome::Answered;
            decoded.batch = std::move(*batch);
          } else {
            decoded.outcome = Activation::Outcome::Rejected;
            decoded.error = unexpected_error("the answer to the command has an unexpected form");
          }
          then(std::move(decoded));
        });
  }

 private:
  void bring(Activation activation) {
    if (!then_) return;
    loop_->post([then = std::exchange(then_, nullptr),
                 activation = std::move(activation)]() mutable { then(std::move(activation)); });
  }

  std::shared_ptr<Loop> loop_;
  JobActivator::Then then_;
};

}  // namespace

void JobActivator::activate(PartitionId partition, const JobRequest& request, std::int32_t jobs_max,
                            Then then) {
  record::JobBatchRecord asked = request.batch;
  asked.max_jobs_to_activate = jobs_max;
  // A refusal destroys the handler. `refused` is set before the task that this posts can run, since
  // both happen on the loop.
  const auto refused = std::make_shared<std::optional<Activation::Outcome>>();
  const stream::SubmitResult result = partitions_.partition(partition).submit(
      request.principal, stream::make_command(record::JobBatchIntent::Activate, Key{}, asked),
      AnswerCourier(loop_, [&partitions = partitions_, partition, refused,
                            then = std::move(then)](Activation activation) mutable {
        if (*refused) {
          activation.outcome = **refused;
        } else if (activation.outcome == Activation::Outcome::Unavailable &&
                   partitions.partition(partition).condition().is_disk_full) {
          // The command was accepted, and dropped when the disk was found full.
          activation.outcome = Activation::Outcome::Overloaded;
        }
        then(std::move(activation));
      }));
  switch (result) {
    case stream::SubmitResult::Accepted:
      break;
    case stream::SubmitResult::QueueFull:
    case stream::SubmitResult::QueueBytesFull:
    case stream::SubmitResult::DiskFull:
      *refused = Activation::Outcome::Overloaded;
      break;
    case stream::SubmitResult::Stopped:
      *refused = Activation::Outcome::Unavailable;
      break;
  }
}

void JobActivator::give_back(Key job, int tries) {
  const stream::SubmitResult result = port_of(job).submit_internal(
      stream::make_command(record::JobIntent::Yield, job, record::JobRecord{}));
  if (result == stream::SubmitResult::Accepted || result == stream::SubmitResult::Stopped) return;
  if (tries <= 1) {
    log::warn("A job could not be given back and will be offered again after its timeout job={}",
              job.value());
    return;
  }
  loop_->schedule(loop_->now() + kGiveBackPause,
                  [self = shared_from_this(), job, tries] { self->give_back(job, tries - 1); });
}

stream::PartitionPort& JobActivator::port_of(Key job) {
  const PartitionId partition = partition_of(job);
  BEELINE_CHECK(partition.value() >= 1 && partition.value() <= partitions_.count(),
                "job {} is of no partition of this server", job.value());
  return partitions_.partition(partition);
}

void JobActivator::give_back_all(const record::JobBatchRecord& batch) {
  for (const Key job : batch.job_keys) give_back(job);
}

std::vector<EncodedJob> JobActivator::encode(const record::JobBatchRecord& batch,
                                             const JobSink& sink) {
  std::vector<EncodedJob> jobs;
  const std::size_t count = std::min(batch.job_keys.size(), batch.jobs.size());
  jobs.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    EncodedJob job{batch.job_keys[i], sink.encode(batch.job_keys[i], batch.jobs[i])};
    const std::size_t bytes = job.bytes.size() + kJobFramingBytes;
    if (bytes > message_bytes_max_) {
      fail_oversized(job.key, bytes);
    } else {
      jobs.push_back(std::move(job));
    }
  }
  return jobs;
}

void JobActivator::deliver(std::vector<EncodedJob> jobs, JobSink& sink) {
  std::vector<EncodedJob> together;
  std::size_t bytes = 0;
  for (EncodedJob& job : jobs) {
    const std::size_t job_bytes = job.bytes.size() + kJobFramingBytes;
    if (bytes > 0 && bytes + job_bytes > message_bytes_max_) {
      send_together(std::exchange(together, {}), sink);
      bytes = 0;
    }
    bytes += job_bytes;
    together.push_back(std::move(job));
  }
  if (bytes > 0) send_together(std::move(together), sink);
}

void JobActivator::send_together(std::vector<EncodedJob> jobs, JobSink& sink) {
  std::vector<Key> keys;
  keys.reserve(jobs.size());
  for (const EncodedJob& job : jobs) keys.push_back(job.key);
  sink.send(std::move(jobs),
            [self = shared_from_this(), keys = std::move(keys)](bool written) mutable {
              if (written) return;
              const std::shared_ptr<Loop> loop = self->loop();
              loop->post([self = std::move(self), keys = std::move(keys)] {
                for (const Key key : keys) self->give_back(key);
              });
            });
}

void JobActivator::fail_oversized(Key job, std::size_t bytes) {
  record::JobRecord failed;
  failed.retries = 0;
  failed.error_message = fmt::format(
      "The job with key '{}' can not be activated, because with {} bytes it is larger than the "
      "configured message size (per default is 4 MB). Try to reduce the size by reducing the "
      "number "
      "of fetched variables or modifying the variable values.",
      job.value(), bytes);
  const stream::SubmitResult result =
      port_of(job).submit_internal(stream::make_command(record::JobIntent::Fail, job, failed));
  if (result != stream::SubmitResult::Accepted) {
    log::warn("A job is too large to be sent and could not be failed job={}", job.value());
  }
}

}  // namespace beeline::service
