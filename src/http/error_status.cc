#include "http/error_status.h"

namespace beeline::http {
namespace {

int status_of_rejection(record::RejectionType type) {
  using record::RejectionType;
  switch (type) {
    case RejectionType::InvalidArgument:
      return 400;
    case RejectionType::Unauthorized:
    case RejectionType::Forbidden:
      return 403;
    case RejectionType::NotFound:
      return 404;
    case RejectionType::AlreadyExists:
    case RejectionType::InvalidState:
      return 409;
    case RejectionType::ProcessingError:
    case RejectionType::ExceededBatchRecordSize:
    case RejectionType::None:
      return 500;
  }
  return 500;
}

}  // namespace

int status_of(const service::Error& error) {
  using service::ErrorKind;
  switch (error.kind) {
    case ErrorKind::Rejected:
      return status_of_rejection(error.rejection);
    case ErrorKind::Invalid:
    case ErrorKind::TooLarge:
      return 400;
    case ErrorKind::Overloaded:
      return 429;
    case ErrorKind::Unavailable:
      return 503;
    case ErrorKind::TimedOut:
      return 504;
    case ErrorKind::Unsupported:
    case ErrorKind::Internal:
      return 500;
  }
  return 500;
}

}  // namespace beeline::http
