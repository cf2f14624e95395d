#pragma once

#include <string>

#include "base/ids.h"
#include "base/result.h"
#include "record/enums.h"

namespace beeline::engine {

// The reason why an element cannot continue; it becomes an incident.
struct Failure {
  record::ErrorType type = record::ErrorType::Unknown;
  std::string message;
  Key variable_scope_key;  // scope in which a changed variable would be visible; unset for the
                           // element instance
};

using Outcome = Result<void, Failure>;

// The reason why a command is refused; it becomes a rejection.
struct Rejection {
  record::RejectionType type = record::RejectionType::InvalidState;
  std::string reason;
};

// Thrown by a processor that finds out midway that it must refuse its command: the changes of the
// batch are undone and the command is rejected with this. If this is known before anything is
// written, use Step::reject.
struct CommandRefused {
  record::RejectionType type = record::RejectionType::ProcessingError;
  std::string reason;
};

}  // namespace beeline::engine
