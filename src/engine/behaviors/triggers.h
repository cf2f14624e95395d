#pragma once

#include <string_view>

#include "engine/behaviors/element_context.h"
#include "record/document.h"

// What is triggered on an element instance: the result of its work, or one of its catch events
// (spec: lifecycle 7). Triggering stores the payload, triggered consumes it.
namespace beeline::engine {

// Stores a result for the element itself: what a job, a message or a script gave.
void write_result(Step& step, const ElementContext& context, const record::DocumentView& variables);
// The stored result, or null.
[[nodiscard]] const Trigger* find_result(const Step& step, const ElementContext& context);
// The first stored trigger of one of its catch events, or null.
[[nodiscard]] const Trigger* find_event_trigger(const Step& step, const ElementContext& context);
void write_triggered(Step& step, const ElementContext& host, const Trigger& trigger);

// Whether the catch event can still fire on this host.
[[nodiscard]] bool can_trigger(const Step& step, const ElementContext& host,
                               const bpmn::Element& catch_event);
// Fires a catch event of `host`: stores the payload and goes on to what it leads to.
void trigger_event(Step& step, const ElementContext& host, const bpmn::Element& catch_event,
                   const record::DocumentView& variables);
// Activates the event of a stored trigger in the scope of its host: a boundary event, or the event
// behind an event-based gateway. Never by command, so that the payload can become local variables.
void activate_triggered_beside(Step& step, const ElementContext& host, const Trigger& trigger);
// The same for the start event of a process that was started by it.
void activate_triggered_start(Step& step, const ElementContext& process, const Trigger& trigger);

}  // namespace beeline::engine
