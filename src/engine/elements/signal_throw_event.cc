#include "engine/behaviors/mappings.h"
#include "engine/behaviors/signal_subscriptions.h"
#include "engine/behaviors/throws.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/element_behavior.h"

// Signal throw and end events: broadcast a signal and go on, whoever receives it (spec: signals 3).
namespace beeline::engine {
namespace {

// The command is written before the event completes.
Outcome activate_signal_throw_event(Step& step, ElementContext& context) {
  BEELINE_TRY_VOID(apply_inputs(step, context));
  BEELINE_TRY(std::string name, evaluate_signal_name(step, *context.element, context.key));
  throw_signal(step, context, std::move(name));
  write_activated(step, context);
  go_on_to_complete(step, context);
  return {};
}

}  // namespace

const ElementBehavior kSignalThrowEvent = {.activate = activate_signal_throw_event,
                                           .complete = shared::map_outputs};

}  // namespace beeline::engine
