#include "engine/behaviors/mappings.h"
#include "engine/behaviors/throws.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/element_behavior.h"

// Escalation throw and end events (spec: elements/escalation).
namespace beeline::engine {
namespace {

Outcome activate_escalation(Step& step, ElementContext& context) {
  BEELINE_TRY(const std::string code,
              evaluate_escalation_code(step, *context.element, context.key));
  write_activated(step, context);
  if (throw_escalation(step, context, code)) go_on_to_complete(step, context);
  return {};
}

Outcome complete_escalation(Step& step, const ElementContext& context) {
  return apply_outputs(step, context);
}

}  // namespace

const ElementBehavior kEscalationEvent = {.activate = activate_escalation,
                                          .complete = complete_escalation};

}  // namespace beeline::engine
