#include "engine/behaviors/complex_joins.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/completion.h"
#include "engine/elements/element_behavior.h"
#include "engine/elements/inclusive_split.h"

// Complex gateways join by a condition of their own and split like inclusive ones (spec:
// elements/gateways 5). Before the activation the processor decides whether the gateway fires
// (behaviors/complex_joins.h). A gateway that has fired and finds no outgoing flow stays
// completing, with an incident.
namespace beeline::engine {
namespace {

Outcome activate_complex_gateway(Step& step, ElementContext& context) {
  write_activated(step, context);
  settle_firing(step, context);
  write_completing(step, context);
  return finish_completion(step, context);
}

Outcome split(Step& step, const ElementContext& context) {
  if (context.element->outgoing.empty()) return end_path(step, context);
  BEELINE_TRY(const std::vector<const bpmn::Element*> flows, choose_flows(step, context));
  complete_with_flows(step, context, flows);
  return {};
}

}  // namespace

const ElementBehavior kComplexGateway = {.activate = activate_complex_gateway,
                                         .finish_completion = split};

}  // namespace beeline::engine
