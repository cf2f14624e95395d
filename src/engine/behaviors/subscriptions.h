#pragma once

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"

// The catch events an element instance listens for while it is active (spec: lifecycle 7).
namespace beeline::engine {

// Evaluates all expressions first; when one fails, nothing is opened.
[[nodiscard]] Outcome subscribe(Step& step, const ElementContext& host);
void unsubscribe(Step& step, const ElementContext& host);
// Only those that start event subprocesses; boundary events stay.
void close_event_subprocess_subscriptions(Step& step, const ElementContext& host);

}  // namespace beeline::engine
