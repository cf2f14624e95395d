#pragma once

#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "record/record.h"
#include "stream/port.h"

// Why a request was not carried out, independent of any transport. Edges map the kind to their
// status codes; the texts are written here, so all edges return the same texts.
namespace beeline::service {

// The set is closed: an edge maps each kind, and the compiler reports a missing one.
enum class ErrorKind {
  Rejected,  // by the engine, or here with the engine's text, if it would reject the request in any
             // state
  Invalid,   // the request itself is wrong; it is useless to send it again
  Unsupported,  // the protocol knows it, this version does not
  TooLarge,     // the command has more bytes than are allowed
  Overloaded,   // there is no room now, in a queue or on the disk; nothing was kept
  Unavailable,  // the partition does not work now, or stopped before it could answer
  TimedOut,     // the answer did not come in time; the command may still be carried out
  Internal,     // a bug
};

struct Error {
  ErrorKind kind = ErrorKind::Internal;
  std::string text;  // a sentence; the reason of a rejection

  // Set if the kind is Rejected, and only then. `intent` names the command: "COMPLETE".
  record::RejectionType rejection = record::RejectionType::None;
  std::string_view intent = {};

  bool operator==(const Error&) const = default;
};

// The outcome of a request: its result, or an error.
template <typename T>
using Outcome = Result<T, Error>;

[[nodiscard]] Error invalid(std::string text);
[[nodiscard]] Error unsupported(std::string text);

// `intent` must be a name of record::intent_name, or another text that is never freed.
[[nodiscard]] Error rejected(record::RejectionType type, std::string_view intent,
                             std::string reason);
[[nodiscard]] Error error_of_rejection(const record::Metadata& rejection);

// Why a partition did not accept a command. `result` is not Accepted.
[[nodiscard]] Error error_of_submit(stream::SubmitResult result, PartitionId partition);
[[nodiscard]] Error overloaded(PartitionId partition);
// The waiting commands are not too many, but too large together.
[[nodiscard]] Error overloaded_by_bytes(PartitionId partition);
// No partition accepted a command that may go to any; `reason` is the error of the last one.
[[nodiscard]] Error all_overloaded(const Error& reason);
[[nodiscard]] Error activation_overloaded(std::string_view job_type);
[[nodiscard]] Error disk_full(PartitionId partition);
[[nodiscard]] Error partition_unknown(PartitionId partition);
[[nodiscard]] Error partition_inactive(PartitionId partition);
[[nodiscard]] Error all_inactive();

[[nodiscard]] Error timed_out(Milliseconds after);
// Something impossible happened: a bug.
[[nodiscard]] Error unexpected_error(std::string_view what);

// Returns a duration as "PT15S", "PT0.5S" or "PT1M30S".
[[nodiscard]] std::string iso_duration(Milliseconds duration);

}  // namespace beeline::service
