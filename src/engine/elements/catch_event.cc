#include "engine/behaviors/mappings.h"
#include "engine/behaviors/subscriptions.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/element_behavior.h"

// Intermediate catch events and receive tasks wait until their event occurs (spec: elements/events
// 2, 4).
namespace beeline::engine {
namespace {

Outcome activate_catch_event(Step& step, ElementContext& context) {
  BEELINE_TRY_VOID(apply_inputs(step, context));
  BEELINE_TRY_VOID(subscribe(step, context));
  write_activated(step, context);
  return {};
}

}  // namespace

const ElementBehavior kCatchEvent = {.activate = activate_catch_event,
                                     .complete = shared::map_outputs};

}  // namespace beeline::engine
