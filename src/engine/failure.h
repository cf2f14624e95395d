#pragma once

#include <string>

#include "base/ids.h"
#include "base/result.h"
#include "record/enums.h"

namespace beeline::engine {

// Why an element cannot go on: becomes an incident.
struct Failure {
  record::ErrorType type = record::ErrorType::Unknown;
  std::string message;
  Key variable_scope_key;  // where a changed variable would be seen; unset: the element instance
};

using Outcome = Result<void, Failure>;

// Why a command is refused: becomes a rejection.
struct Rejection {
  record::RejectionType type = record::RejectionType::InvalidState;
  std::string reason;
};

// Thrown by a processor that finds out midway that it must refuse its command: what the batch has
// written is taken back and the command rejected with this. Where it can be known before anything
// is written, use Step::reject.
struct CommandRefused {
  record::RejectionType type = record::RejectionType::ProcessingError;
  std::string reason;
};

}  // namespace beeline::engine
