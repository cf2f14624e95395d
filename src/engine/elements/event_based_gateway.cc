#include "base/check.h"
#include "engine/behaviors/runtime_instructions.h"
#include "engine/behaviors/subscriptions.h"
#include "engine/behaviors/transitions.h"
#include "engine/behaviors/triggers.h"
#include "engine/elements/element_behavior.h"

// Event-based gateways wait for the first of several events (spec: elements/gateways 4). The
// gateway owns the subscriptions. Its completion activates the event that fired.
namespace beeline::engine {
namespace {

Outcome activate_event_based_gateway(Step& step, ElementContext& context) {
  BEELINE_TRY_VOID(subscribe(step, context));
  write_activated(step, context);
  return {};
}

Outcome complete_event_based_gateway(Step& step, const ElementContext& context) {
  unsubscribe(step, context);
  return {};
}

Outcome finish_event_based_gateway(Step& step, const ElementContext& context) {
  const Trigger* found = find_event_trigger(step, context);
  BEELINE_ENSURE(found != nullptr, "gateway '{}' is completed by an event", context.element->id);
  const Trigger trigger = *found;
  write_completed(step, context);
  if (!ends_instance(step, context)) activate_triggered_beside(step, context, trigger);
  return {};
}

}  // namespace

const ElementBehavior kEventBasedGateway = {.activate = activate_event_based_gateway,
                                            .complete = complete_event_based_gateway,
                                            .finish_completion = finish_event_based_gateway};

}  // namespace beeline::engine
