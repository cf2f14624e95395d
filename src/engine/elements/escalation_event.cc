#include "engine/behaviors/errors.h"
#include "engine/behaviors/expressions.h"
#include "engine/behaviors/mappings.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/element_behavior.h"

// Escalation throw and end events (spec: elements/escalation).
namespace beeline::engine {
namespace {

using record::EscalationIntent;

void write_escalation(Step& step, const ElementContext& context, EscalationIntent intent,
                      const std::string& code, const bpmn::Element* caught_by) {
  record::EscalationRecord value;
  fill_owner(value, context);
  value.escalation_code = code;
  value.throw_element_id = context.element->id;
  if (caught_by != nullptr) value.catch_element_id = caught_by->id;
  step.event(intent, step.next_key(), value);
}

// An event that interrupts terminates the throw event together with its scope, so the throw event
// does not complete. Otherwise the throw event goes on, caught or not.
Outcome activate_escalation(Step& step, ElementContext& context) {
  BEELINE_TRY(const std::string code,
              evaluate_string(step, *context.element->parts().escalation->code, context.key));
  write_activated(step, context);
  const auto catcher = find_escalation_catcher(step, context.value.flow_scope_key, code);
  // Where another event was quicker, the scope that would catch is on its way out and takes no
  // further event. The throw event ends with it, or completes before.
  const bool is_caught = catcher && accepts(step, *catcher);
  if (is_caught) throw_to(step, *catcher, {});
  write_escalation(step, context,
                   is_caught ? EscalationIntent::Escalated : EscalationIntent::NotEscalated, code,
                   is_caught ? catcher->event : nullptr);
  if (!is_caught || !catcher->event->interrupting) go_on_to_complete(step, context);
  return {};
}

Outcome complete_escalation(Step& step, const ElementContext& context) {
  return apply_outputs(step, context);
}

}  // namespace

const ElementBehavior kEscalationEvent = {.activate = activate_escalation,
                                          .complete = complete_escalation};

}  // namespace beeline::engine
