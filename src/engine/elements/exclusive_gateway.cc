#include <fmt/format.h>

#include "engine/behaviors/expressions.h"
#include "engine/behaviors/runtime_instructions.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/completion.h"
#include "engine/elements/element_behavior.h"

// Exclusive gateways take the first flow whose condition holds (spec: elements/gateways 1). A
// gateway runs through all its states in one step, or stays activating with an incident.
namespace beeline::engine {
namespace {

// Returns the flow to take, or null if the gateway has no flows and the path ends.
Result<const bpmn::Element*, Failure> choose_flow(const Step& step, const ElementContext& context) {
  const bpmn::Element& gateway = *context.element;
  if (gateway.outgoing.empty()) return nullptr;
  if (gateway.outgoing.size() == 1) {
    const bpmn::Element& only = context.element_at(gateway.outgoing.front());
    if (!only.parts().condition) return &only;
  }
  for (const bpmn::ElementIndex index : gateway.outgoing) {
    const bpmn::Element& flow = context.element_at(index);
    if (index == gateway.default_flow || !flow.parts().condition) continue;
    BEELINE_TRY(const bool holds, evaluate_boolean(step, *flow.parts().condition, context.key));
    if (holds) return &flow;
  }
  if (gateway.default_flow.is_set()) return &context.element_at(gateway.default_flow);
  return failure(
      Failure{record::ErrorType::ConditionError,
              "Expected at least one condition to evaluate to true, or to have a default flow",
              context.key});
}

Outcome activate_exclusive_gateway(Step& step, ElementContext& context) {
  BEELINE_TRY(const bpmn::Element* flow, choose_flow(step, context));
  write_activated(step, context);
  write_completing(step, context);
  if (flow == nullptr) return finish_completion(step, context);
  write_completed(step, context);
  if (!ends_instance(step, context)) take_flow(step, context, *flow);
  return {};
}

}  // namespace

const ElementBehavior kExclusiveGateway = {.activate = activate_exclusive_gateway,
                                           .complete = shared::never_complete};

}  // namespace beeline::engine
