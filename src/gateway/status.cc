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

Status status_of(const service::Error& error) {
  using service::ErrorKind;
  switch (error.kind) {
    case ErrorKind::Rejected:
      return {code_of(error.rejection),
              fmt::format("Command '{}' rejected with code '{}': {}", error.intent,
                          record::name_of(error.rejection), error.text)};
    case ErrorKind::Invalid:
    case ErrorKind::TooLarge:
      return {StatusCode::InvalidArgument, error.text};
    case ErrorKind::Unsupported:
      return {StatusCode::Unimplemented, error.text};
    case ErrorKind::Overloaded:
      return {StatusCode::ResourceExhausted, error.text};
    case ErrorKind::Unavailable:
      return {StatusCode::Unavailable, error.text};
    case ErrorKind::TimedOut:
      return {StatusCode::DeadlineExceeded, error.text};
    case ErrorKind::Internal:
      return {StatusCode::Internal, error.text};
  }
  return {StatusCode::Internal, error.text};
}

Status status_of(const service::Outcome<void>& outcome) {
  return outcome ? ok() : status_of(outcome.error());
}

}  // namespace beeline::gateway
