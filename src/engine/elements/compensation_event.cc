#include "engine/behaviors/compensation.h"
#include "engine/behaviors/incidents.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/element_behavior.h"

// Compensation throw and end events (spec: elements/compensation).
namespace beeline::engine {
namespace {

// The end of the last handler completes the throw event.
Outcome activate_compensation(Step& step, ElementContext& context) {
  write_activated(step, context);
  compensate(step, context);
  return {};
}

}  // namespace

namespace shared {

bool terminate_compensating(Step& step, const ElementContext& context) {
  resolve_incidents(step, context);
  if (release_triggered(step, context)) return true;
  go_on_to_terminate(step, context);
  return false;
}

}  // namespace shared

const ElementBehavior kCompensationEvent = {.activate = activate_compensation,
                                            .terminate = shared::terminate_compensating};

}  // namespace beeline::engine
