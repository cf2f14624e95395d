#pragma once

#include <string>

#include "engine/step.h"

// These functions end a batch that cannot be processed (spec: processing 3, 4).
namespace beeline::engine {

// The results of one command alone are too large. An element that was to be activated or completed,
// including a process, gets an incident; resolving it runs the command again. Any other command is
// rejected.
void give_up_on_size(Step& step, const PendingCommand& initial, const BatchTooLarge& size);
// The command met a bug: it is rejected and, if it concerns a process instance, that instance is
// banned, so all others continue.
void give_up_on_error(Step& step, const PendingCommand& initial, const std::string& error);

// Bans a process instance that met a bug while the command at this position was processed.
void ban_instance(Step& step, Key instance, Position command, const std::string& error);

// True if a command about a banned instance is refused; commands that end the instance are not.
[[nodiscard]] bool is_refused_when_banned(const record::Metadata& metadata);

}  // namespace beeline::engine
