#include "service/error.h"

#include <fmt/format.h>

#include <utility>

namespace beeline::service {

Error invalid(std::string text) {
  return {ErrorKind::Invalid, std::move(text)};
}

Error unsupported(std::string text) {
  return {ErrorKind::Unsupported, std::move(text)};
}

Error rejected(record::RejectionType type, std::string_view intent, std::string reason) {
  return {ErrorKind::Rejected, std::move(reason), type, intent};
}

Error error_of_rejection(const record::Metadata& rejection) {
  return rejected(rejection.rejection_type,
                  record::intent_name(rejection.value_type, rejection.intent),
                  std::string(rejection.rejection_reason));
}

Error error_of_submit(stream::SubmitResult result, PartitionId partition) {
  switch (result) {
    case stream::SubmitResult::Accepted:
      break;
    case stream::SubmitResult::QueueFull:
      return overloaded(partition);
    case stream::SubmitResult::QueueBytesFull:
      return overloaded_by_bytes(partition);
    case stream::SubmitResult::DiskFull:
      return disk_full(partition);
    case stream::SubmitResult::Stopped:
      return partition_inactive(partition);
  }
  return unexpected_error("a command that was accepted was taken for refused");
}

Error overloaded(PartitionId partition) {
  return {ErrorKind::Overloaded,
          fmt::format("Failed to write client request to partition '{}', because the request limit "
                      "is exhausted.",
                      partition.value())};
}

Error overloaded_by_bytes(PartitionId partition) {
  return {ErrorKind::Overloaded,
          fmt::format("Failed to write client request to partition '{}', because the request limit "
                      "is exhausted: the commands that wait there have {} bytes together, which is "
                      "the limit. Please try again later.",
                      partition.value(), stream::kQueueBytesMax)};
}

Error all_overloaded(const Error& reason) {
  return {ErrorKind::Overloaded,
          fmt::format("Expected to execute the command on one of the partitions, but all failed; "
                      "there are no more partitions available to retry. Please try again. If the "
                      "error persists contact your zeebe operator. The last partition answered: {}",
                      reason.text)};
}

Error activation_overloaded(std::string_view job_type) {
  return {ErrorKind::Overloaded,
          fmt::format("Expected to activate jobs of type '{}', but no jobs available and at least "
                      "one broker returned 'RESOURCE_EXHAUSTED'. Please try again later.",
                      job_type)};
}

Error disk_full(PartitionId partition) {
  return {ErrorKind::Overloaded,
          fmt::format("Cannot accept requests for partition {}. Broker is out of disk space",
                      partition.value())};
}

Error partition_unknown(PartitionId partition) {
  return {ErrorKind::Unavailable,
          fmt::format("Expected to execute command on partition {}, but either it does not exist, "
                      "or the gateway is not yet aware of it",
                      partition.value())};
}

Error partition_inactive(PartitionId partition) {
  return {ErrorKind::Unavailable,
          fmt::format("The partition {} is currently INACTIVE with no leader.", partition.value())};
}

Error all_inactive() {
  return {ErrorKind::Unavailable,
          "Expected to send the request to a partition in the topology, but gateway does not know "
          "broker topology. Please try again later. If the error persists contact your zeebe "
          "operator."};
}

Error timed_out(Milliseconds after) {
  return {ErrorKind::TimedOut,
          fmt::format("Time out between gateway and broker: Request timed out after {}",
                      iso_duration(after))};
}

Error unexpected_error(std::string_view what) {
  return {ErrorKind::Internal,
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

}  // namespace beeline::service
