#include "engine/behaviors/expressions.h"
#include "engine/behaviors/runtime_instructions.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/completion.h"
#include "engine/elements/element_behavior.h"

// Inclusive gateways take every flow whose condition holds (spec: elements/gateways 2). The
// processor checks before the activation whether a join has to wait (behaviors/joins.h).
namespace beeline::engine {
namespace {

Result<std::vector<const bpmn::Element*>, Failure> choose_flows(const Step& step,
                                                                const ElementContext& context) {
  const bpmn::Element& gateway = *context.element;
  std::vector<const bpmn::Element*> chosen;
  if (gateway.outgoing.size() == 1) {
    const bpmn::Element& only = context.element_at(gateway.outgoing.front());
    if (!only.parts().condition) return std::vector{&only};
  }
  for (const bpmn::ElementIndex index : gateway.outgoing) {
    const bpmn::Element& flow = context.element_at(index);
    if (index == gateway.default_flow || !flow.parts().condition) continue;
    BEELINE_TRY(const bool holds, evaluate_boolean(step, *flow.parts().condition, context.key));
    if (holds) chosen.push_back(&flow);
  }
  if (!chosen.empty() || gateway.outgoing.empty()) return chosen;
  if (gateway.default_flow.is_set()) return std::vector{&context.element_at(gateway.default_flow)};
  return failure(
      Failure{record::ErrorType::ConditionError,
              "Expected at least one condition to evaluate to true, or to have a default flow",
              context.key});
}

Outcome activate_inclusive_gateway(Step& step, ElementContext& context) {
  BEELINE_TRY(const std::vector<const bpmn::Element*> flows, choose_flows(step, context));
  write_activated(step, context);
  write_completing(step, context);
  if (flows.empty()) return finish_completion(step, context);
  write_completed(step, context);
  if (ends_instance(step, context)) return {};
  for (const bpmn::Element* flow : flows) take_flow(step, context, *flow);
  return {};
}

}  // namespace

const ElementBehavior kInclusiveGateway = {.activate = activate_inclusive_gateway,
                                           .complete = shared::never_complete};

}  // namespace beeline::engine
