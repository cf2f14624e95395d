#include "engine/behaviors/subscriptions.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/element_behavior.h"

// Events that do not wait: none events, and boundary and start events that were triggered (spec:
// elements/events 1, 8).
namespace beeline::engine {
namespace {

Outcome activate_none_event(Step& step, ElementContext& context) {
  write_activated(step, context);
  go_on_to_complete(step, context);
  return {};
}

// Completes the event. A scope opens its subscriptions when its start event completes, so a failing
// expression raises an incident on the start event.
Outcome complete_none_event(Step& step, const ElementContext& context) {
  BEELINE_TRY_VOID(shared::map_outputs(step, context));
  if (context.element->type != record::ElementType::StartEvent) return {};
  if (scope_element(step, context).events.empty()) return {};
  return subscribe(step, scope_context(step, context));
}

}  // namespace

const ElementBehavior kNoneEvent = {.activate = activate_none_event,
                                    .complete = complete_none_event};

}  // namespace beeline::engine
