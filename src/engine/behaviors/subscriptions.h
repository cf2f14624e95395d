#pragma once

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"

// The catch events for which an element instance waits while it is active (spec: lifecycle 7).
namespace beeline::engine {

// Evaluates all expressions first; if one fails, nothing is opened.
[[nodiscard]] Outcome subscribe(Step& step, const ElementContext& host);
void unsubscribe(Step& step, const ElementContext& host);
// Closes the subscription of one definition of a multiple event, if it is open.
void close_subscription_of(Step& step, const ElementContext& host, const bpmn::Element& event);
// Closes only subscriptions that start event subprocesses; boundary events stay open.
void close_event_subprocess_subscriptions(Step& step, const ElementContext& host);

}  // namespace beeline::engine
