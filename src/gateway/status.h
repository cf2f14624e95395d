#pragma once

#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/time.h"
#include "record/record.h"
#include "stream/port.h"

// How calls end. Every status that a client sees is made here or in the mapping of its request, so
// that one look tells which code means what.
namespace beeline::gateway {

// The numbers are gRPC's.
enum class StatusCode {
  Ok = 0,
  Cancelled = 1,
  Unknown = 2,
  InvalidArgument = 3,
  DeadlineExceeded = 4,
  NotFound = 5,
  AlreadyExists = 6,
  PermissionDenied = 7,
  ResourceExhausted = 8,
  FailedPrecondition = 9,
  Aborted = 10,
  Unimplemented = 12,
  Internal = 13,
  Unavailable = 14,
};

struct Status {
  StatusCode code = StatusCode::Ok;
  std::string text;
  [[nodiscard]] bool is_ok() const { return code == StatusCode::Ok; }
  bool operator==(const Status&) const = default;
};

// Clients take 8 KiB of trailers, some 16; a longer status would be lost altogether. Counted as it
// is sent, percent-encoded, and less than that, since there are other trailers.
inline constexpr std::size_t kStatusTextBytesMax = std::size_t{7} * 1024;

[[nodiscard]] inline Status ok() {
  return {};
}
[[nodiscard]] Status invalid_argument(std::string text);
[[nodiscard]] Status unimplemented(std::string text);

// A refusal in the engine's form: "Command 'COMPLETE' rejected with code 'NOT_FOUND': ...".
[[nodiscard]] Status rejected(record::RejectionType type, std::string_view intent,
                              std::string_view reason);
[[nodiscard]] Status status_of_rejection(const record::Metadata& rejection);

// Why a partition did not take a command; OK when it did.
[[nodiscard]] Status status_of_submit(stream::SubmitResult result, PartitionId partition);
[[nodiscard]] Status overloaded(PartitionId partition);
// The same when the commands that wait are not too many, but too large together.
[[nodiscard]] Status overloaded_by_bytes(PartitionId partition);
// No partition took a command that may go to any; `reason` is why the last of them did not.
[[nodiscard]] Status all_overloaded(const Status& reason);
[[nodiscard]] Status activation_overloaded(std::string_view job_type);
[[nodiscard]] Status disk_full(PartitionId partition);
[[nodiscard]] Status partition_unknown(PartitionId partition);
[[nodiscard]] Status partition_inactive(PartitionId partition);
[[nodiscard]] Status all_inactive();

// The answer did not come in time.
[[nodiscard]] Status timed_out(Milliseconds after);
// The answer was not what the command asked for: a bug.
[[nodiscard]] Status unexpected_error(std::string_view what);

// "PT15S", "PT0.5S", "PT1M30S".
[[nodiscard]] std::string iso_duration(Milliseconds duration);

}  // namespace beeline::gateway
