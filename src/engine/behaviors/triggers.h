#pragma once

#include <string_view>

#include "engine/behaviors/element_context.h"
#include "record/document.h"

// Triggers on an element instance: the result of its work, or one of its catch events (spec:
// lifecycle 7). TRIGGERING stores the payload, TRIGGERED consumes it.
namespace beeline::engine {

// Stores a result for the element itself, from a job, a message or a script.
void write_result(Step& step, const ElementContext& context, const record::DocumentView& variables);
// Returns the stored result, or null.
[[nodiscard]] const Trigger* find_result(const Step& step, const ElementContext& context);
// Returns the first stored trigger of one of its catch events, or null.
[[nodiscard]] const Trigger* find_event_trigger(const Step& step, const ElementContext& context);
void write_triggered(Step& step, const ElementContext& host, const Trigger& trigger);

// True if the catch event can still fire on this host. See also can_collect().
[[nodiscard]] bool can_trigger(const Step& step, const ElementContext& host,
                               const bpmn::Element& catch_event);
// Fires a catch event of `host`: stores the payload and writes the commands that follow. One of the
// definitions of a parallel-multiple event is collected until it is the last (parallel_triggers.h).
void trigger_event(Step& step, const ElementContext& host, const bpmn::Element& catch_event,
                   const record::DocumentView& variables);
// Activates the event of a stored trigger in the scope of its host: a boundary event, or the event
// behind an event-based gateway. This never happens by a command, so the payload can become local
// variables.
void activate_triggered_beside(Step& step, const ElementContext& host, const Trigger& trigger);
// Does the same for the start event that started a process.
void activate_triggered_start(Step& step, const ElementContext& process, const Trigger& trigger);

}  // namespace beeline::engine
