#include "gateway/status.h"

#include <fmt/format.h>

#include <utility>

namespace beeline::gateway {
namespace {

StatusCode code_of(record::RejectionType type) {
  using record::RejectionType;
  switch (type) {
    case RejectionType::InvalidArgument:
      return StatusCode::InvalidArgument;
    case RejectionType::NotFound:
      return StatusCode::NotFound;
    case RejectionType::AlreadyExists:
      return StatusCode::AlreadyExists;
    case RejectionType::InvalidState:
      return StatusCode::FailedPrecondition;
    case RejectionType::Unauthorized:
    case RejectionType::Forbidden:
      return StatusCode::PermissionDenied;
    case RejectionType::ProcessingError:
      return StatusCode::Internal;
    case RejectionType::ExceededBatchRecordSize:
    case RejectionType::None:
      return StatusCode::Unknown;
  }
  return StatusCode::Unknown;
}

}  // namespace

Status invalid_argument(std::string text) {
  return {StatusCode::InvalidArgument, std::move(text)};
}

Status unimplemented(std::string text) {
  return {StatusCode::Unimplemented, std::move(text)};
}

Status rejected(record::RejectionType type, std::string_view intent, std::string_view reason) {
  return {code_of(type), fmt::format("Command '{}' rejected with code '{}': {}", intent,
                                     record::name_of(type), reason)};
}

Status status_of_rejection(const record::Metadata& rejection) {
  return rejected(rejection.rejection_type,
                  record::intent_name(rejection.value_type, rejection.intent),
                  rejection.rejection_reason);
}

Status status_of_submit(stream::SubmitResult result, PartitionId partition) {
  switch (result) {
    case stream::SubmitResult::Accepted:
      return ok();
    case stream::SubmitResult::QueueFull:
      return overloaded(partition);
    case stream::SubmitResult::QueueBytesFull:
      return overloaded_by_bytes(partition);
    case stream::SubmitResult::DiskFull:
      return disk_full(partition);
    case stream::SubmitResult::Stopped:
      return partition_inactive(partition);
  }
  return partition_inactive(partition);
}

Status overloaded(PartitionId partition) {
  return {StatusCode::ResourceExhausted,
          fmt::format("Failed to write client request to partition '{}', because the request limit "
                      "is exhausted.",
                      partition.value())};
}

Status overloaded_by_bytes(PartitionId partition) {
  return {StatusCode::ResourceExhausted,
          fmt::format("Failed to write client request to partition '{}', because the request limit "
                      "is exhausted: the commands that wait there have {} bytes together, which is "
                      "the limit. Please try again later.",
                      partition.value(), stream::kQueueBytesMax)};
}

Status all_overloaded(const Status& reason) {
  return {StatusCode::ResourceExhausted,
          fmt::format("Expected to execute the command on one of the partitions, but all failed; "
                      "there are no more partitions available to retry. Please try again. If the "
                      "error persists contact your zeebe operator. The last partition said: {}",
                      reason.text)};
}

Status activation_overloaded(std::string_view job_type) {
  return {StatusCode::ResourceExhausted,
          fmt::format("Expected to activate jobs of type '{}', but no jobs available and at least "
                      "one broker returned 'RESOURCE_EXHAUSTED'. Please try again later.",
                      job_type)};
}

Status disk_full(PartitionId partition) {
  return {StatusCode::ResourceExhausted,
          fmt::format("Cannot accept requests for partition {}. Broker is out of disk space",
                      partition.value())};
}

Status partition_unknown(PartitionId partition) {
  return {StatusCode::Unavailable,
          fmt::format("Expected to execute command on partition {}, but either it does not exist, "
                      "or the gateway is not yet aware of it",
                      partition.value())};
}

Status partition_inactive(PartitionId partition) {
  return {StatusCode::Unavailable,
          fmt::format("The partition {} is currently INACTIVE with no leader.", partition.value())};
}

Status all_inactive() {
  return {StatusCode::Unavailable,
          "Expected to send the request to a partition in the topology, but gateway does not know "
          "broker topology. Please try again later. If the error persists contact your zeebe "
          "operator."};
}

Status timed_out(Milliseconds after) {
  return {StatusCode::DeadlineExceeded,
          fmt::format("Time out between gateway and broker: Request timed out after {}",
                      iso_duration(after))};
}

Status unexpected_error(std::string_view what) {
  return {StatusCode::Internal,
          fmt::format("Unexpected error occurred during the request processing: {}", what)};
}

std::string iso_duration(Milliseconds duration) {
  const std::int64_t total = duration.count();
  const std::int64_t hours = total / 3'600'000;
  const std::int64_t minutes = total / 60'000 % 60;
  const std::int64_t seconds = total / 1000 % 60;
  const std::int64_t millis = total % 1000;
  std::string text = "PT";
  if (hours != 0) text += fmt::format("{}H", hours);
  if (minutes != 0) text += fmt::format("{}M", minutes);
  if (millis != 0) {
    std::string fraction = fmt::format("{:03}", millis);
    while (fraction.back() == '0') fraction.pop_back();
    text += fmt::format("{}.{}S", seconds, fraction);
  } else if (seconds != 0 || text.size() == 2) {
    text += fmt::format("{}S", seconds);
  }
  return text;
}

}  // namespace beeline::gateway
