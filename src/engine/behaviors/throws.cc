#include "engine/behaviors/throws.h"

#include <utility>

#include "engine/behaviors/errors.h"
#include "engine/behaviors/expressions.h"
#include "engine/behaviors/mappings.h"

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

}  // namespace

void throw_signal(Step& step, const ElementContext& context, std::string name) {
  record::SignalRecord signal;
  signal.signal_name = std::move(name);
  signal.variables = mapped_inputs(step, context);
  signal.tenant_id = context.value.tenant_id;
  step.command(record::SignalIntent::Broadcast, Key{}, signal);
}

Result<std::string, Failure> evaluate_escalation_code(const Step& step, const bpmn::Element& event,
                                                      Key scope) {
  return evaluate_string(step, *event.parts().escalation->code, scope);
}

bool throw_escalation(Step& step, const ElementContext& context, const std::string& code) {
  const auto catcher = find_escalation_catcher(step, context.value.flow_scope_key, code);
  // Where another event was quicker, the scope that would catch is on its way out and takes no
  // further event. The throw event ends with it, or completes before.
  const bool is_caught = catcher && accepts(step, *catcher);
  if (is_caught) throw_to(step, *catcher, {});
  write_escalation(step, context,
                   is_caught ? EscalationIntent::Escalated : EscalationIntent::NotEscalated, code,
                   is_caught ? catcher->event : nullptr);
  return !is_caught || !catcher->event->interrupting;
}

}  // namespace beeline::engine
