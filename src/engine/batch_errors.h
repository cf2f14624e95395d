#pragma once

#include <string>

#include "engine/step.h"

// What becomes of a batch that cannot be processed (spec: processing 3, 4).
namespace beeline::engine {

// The results of one command alone are too large. An element that was to be activated or completed,
// a process included, gets an incident; resolving it runs the command again. Any other command is
// rejected.
void give_up_on_size(Step& step, const PendingCommand& initial, const BatchTooLarge& size);
// A bug was met: the command is rejected and, where it is about a process instance, that instance
// is banned, so that the rest goes on.
void give_up_on_error(Step& step, const PendingCommand& initial, const std::string& error);

// Whether a command about a banned instance is refused; those that end it are not.
[[nodiscard]] bool is_refused_when_banned(const record::Metadata& metadata);

}  // namespace beeline::engine
