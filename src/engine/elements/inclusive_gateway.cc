#include "engine/behaviors/expressions.h"
#include "engine/behaviors/runtime_instructions.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/completion.h"
#include "engine/elements/element_behavior.h"
#include "engine/elements/inclusive_split.h"

// Inclusive gateways take every flow whose condition holds (spec: elements/gateways 2). The
// processor checks before the activation whether a join has to wait (behaviors/joins.h).
namespace beeline::engine {
namespace {

Outcome activate_inclusive_gateway(Step& step, ElementContext& context) {
  BEELINE_TRY(const std::vector<const bpmn::Element*> flows, choose_flows(step, context));
  write_activated(step, context);
  write_completing(step, context);
  if (flows.empty()) return finish_completion(step, context);
  complete_with_flows(step, context, flows);
  return {};
}

}  // namespace

Result<std::vector<const bpmn::Element*>, Failure> choose_flows(const Step& step,
                                                                const ElementContext& gateway) {
  const bpmn::Element& element = *gateway.element;
  std::vector<const bpmn::Element*> chosen;
  if (element.outgoing.size() == 1) {
    const bpmn::Element& only = gateway.element_at(element.outgoing.front());
    if (!only.parts().condition) return std::vector{&only};
  }
  for (const bpmn::ElementIndex index : element.outgoing) {
    const bpmn::Element& flow = gateway.element_at(index);
    if (index == element.default_flow || !flow.parts().condition) continue;
    BEELINE_TRY(const bool holds, evaluate_boolean(step, *flow.parts().condition, gateway.key));
    if (holds) chosen.push_back(&flow);
  }
  if (!chosen.empty() || element.outgoing.empty()) return chosen;
  if (element.default_flow.is_set()) return std::vector{&gateway.element_at(element.default_flow)};
  return failure(
      Failure{record::ErrorType::ConditionError,
              "Expected at least one condition to evaluate to true, or to have a default flow",
              gateway.key});
}

void complete_with_flows(Step& step, const ElementContext& gateway,
                         const std::vector<const bpmn::Element*>& flows) {
  write_completed(step, gateway);
  if (ends_instance(step, gateway)) return;
  for (const bpmn::Element* flow : flows) take_flow(step, gateway, *flow);
}

const ElementBehavior kInclusiveGateway = {.activate = activate_inclusive_gateway,
                                           .complete = shared::never_complete};

}  // namespace beeline::engine
