#pragma once

#include <cstddef>
#include <string>

#include "service/error.h"

// How calls end. Errors of the service are mapped to codes here and nowhere else, so there is one
// place to look up what a code means.
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

// Clients accept 8 KiB of trailers, some 16; a longer status would be lost completely. The size
// counts as sent, percent-encoded, and stays below 8 KiB, since there are other trailers.
inline constexpr std::size_t kStatusTextBytesMax = std::size_t{7} * 1024;

[[nodiscard]] inline Status ok() {
  return {};
}
[[nodiscard]] Status invalid_argument(std::string text);
[[nodiscard]] Status unimplemented(std::string text);

// Returns the status of a call whose request could not be carried out. A rejection has the engine's
// form: "Command 'COMPLETE' rejected with code 'NOT_FOUND': ...".
[[nodiscard]] Status status_of(const service::Error& error);
[[nodiscard]] Status status_of(const service::Outcome<void>& outcome);

}  // namespace beeline::gateway
