#include "gateway/job_activator.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/log.h"
#include "gateway/responses.h"
#include "record/codec.h"

namespace beeline::gateway {
namespace {

constexpr Milliseconds kGiveBackPause{100};
// What a message adds to a job: a field number and a length, and the call's own framing.
constexpr std::size_t kJobFramingBytes = 16;

// Carries the answer from the partition's thread to the loop. When the partition destroys it
// without calling it, that is an answer too.
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
      activation.status = status_of_rejection(answer.metadata);
      bring(std::move(activation));
      return;
    }
    // Decoded on the loop: a batch may have megabytes, and this thread is the partition's.
    loop_->post([then = std::exchange(then_, nullptr),
                 bytes = std::string(answer.value)]() mutable {
      Activation decoded;
      if (auto batch = record::try_decode<record::JobBatchRecord>(bytes)) {
        decoded.outcome = Activation::Outcome::Answered;
        decoded.batch = std::move(*batch);
      } else {
        decoded.outcome = Activation::Outcome::Rejected;
        decoded.status = unexpected_error("the answer to the command is not of the form expected");
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

void JobActivator::activate(PartitionId partition, const record::JobBatchRecord& request,
                            std::int32_t jobs_max, Then then) {
  record::JobBatchRecord asked = request;
  asked.max_jobs_to_activate = jobs_max;
  // A refusal destroys the handler; `refused` is set before what that posts can run, since both
  // happen on the loop.
  const auto refused = std::make_shared<std::optional<Activation::Outcome>>();
  const stream::SubmitResult result = partitions_.partition(partition).submit(
      stream::make_command(record::JobBatchIntent::Activate, Key{}, asked),
      AnswerCourier(loop_, [&partitions = partitions_, partition, refused,
                            then = std::move(then)](Activation activation) mutable {
        if (*refused) {
          activation.outcome = **refused;
        } else if (activation.outcome == Activation::Outcome::Unavailable &&
                   partitions.partition(partition).condition().is_disk_full) {
          // Taken, and dropped when the disk was found full.
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
  const stream::SubmitResult result = port_of(job).submit(
      stream::make_command(record::JobIntent::Yield, job, record::JobRecord{}), {});
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

std::vector<gateway_protocol::ActivatedJob> JobActivator::to_messages(
    const record::JobBatchRecord& batch) {
  std::vector<gateway_protocol::ActivatedJob> messages;
  const std::size_t count = std::min(batch.job_keys.size(), batch.jobs.size());
  messages.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    gateway_protocol::ActivatedJob message = to_activated_job(batch.job_keys[i], batch.jobs[i]);
    const std::size_t bytes = message.ByteSizeLong() + kJobFramingBytes;
    if (bytes > message_bytes_max_) {
      fail_oversized(batch.job_keys[i], bytes);
    } else {
      messages.push_back(std::move(message));
    }
  }
  return messages;
}

void JobActivator::deliver(std::vector<gateway_protocol::ActivatedJob> jobs, Call& call) {
  gateway_protocol::ActivateJobsResponse chunk;
  std::size_t bytes = 0;
  for (gateway_protocol::ActivatedJob& job : jobs) {
    const std::size_t job_bytes = job.ByteSizeLong() + kJobFramingBytes;
    if (bytes > 0 && bytes + job_bytes > message_bytes_max_) {
      send_chunk(chunk, call);
      bytes = 0;
    }
    bytes += job_bytes;
    *chunk.add_jobs() = std::move(job);
  }
  if (bytes > 0) send_chunk(chunk, call);
}

void JobActivator::send_chunk(gateway_protocol::ActivateJobsResponse& chunk, Call& call) {
  std::vector<Key> keys;
  keys.reserve(static_cast<std::size_t>(chunk.jobs_size()));
  for (const auto& job : chunk.jobs()) keys.emplace_back(job.key());
  call.send(chunk, [self = shared_from_this(), keys = std::move(keys)](bool written) mutable {
    if (written) return;
    const std::shared_ptr<Loop> loop = self->loop();
    loop->post([self = std::move(self), keys = std::move(keys)] {
      for (const Key key : keys) self->give_back(key);
    });
  });
  chunk.Clear();
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
      port_of(job).submit(stream::make_command(record::JobIntent::Fail, job, failed), {});
  if (result != stream::SubmitResult::Accepted) {
    log::warn("A job is too large to be sent and could not be failed job={}", job.value());
  }
}

}  // namespace beeline::gateway
