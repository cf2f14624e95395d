#include "engine/behaviors/complex_joins.h"

#include <algorithm>

#include "engine/behaviors/expressions.h"
#include "engine/behaviors/joins.h"
#include "engine/behaviors/transitions.h"
#include "record/json.h"

namespace beeline::engine {
namespace {

using Flows = std::vector<bpmn::ElementIndex>;

// Returns the flows that have delivered in the current round of the gateway; none if it is not
// spent.
Flows delivered_to(const Step& step, Key scope, const bpmn::Element& gateway) {
  Flows delivered;
  const GatewayRoundsRow* rounds = step.state().find_gateway_rounds(scope);
  if (rounds == nullptr) return delivered;
  std::ranges::copy_if(gateway.incoming, std::back_inserter(delivered),
                       [&](bpmn::ElementIndex flow) {
                         return std::ranges::binary_search(rounds->delivered_flows, flow.value());
                       });
  return delivered;
}

bool is_spent(const Step& step, Key scope, const bpmn::Element& gateway) {
  return !delivered_to(step, scope, gateway).empty();
}

// Returns the incoming flow with a token that a spent gateway still expects in its round; unset if
// there is none.
bpmn::ElementIndex late_flow(const Step& step, Key scope, const bpmn::Element& gateway) {
  const Flows delivered = delivered_to(step, scope, gateway);
  if (delivered.empty()) return {};
  const ElementInstanceRow& row = row_of(step, scope);
  for (const bpmn::ElementIndex flow : gateway.incoming) {
    if (std::ranges::find(delivered, flow) == delivered.end() && has_token(row, flow)) return flow;
  }
  return {};
}

// Returns true if the gateway is spent and no further token of its round can come.
bool is_over(const Step& step, Key scope, const bpmn::Process& model,
             const bpmn::Element& gateway) {
  const Flows delivered = delivered_to(step, scope, gateway);
  return !delivered.empty() && !late_flow(step, scope, gateway).is_set() &&
         !can_be_reached(step, scope, model, gateway, delivered);
}

// The tokens that arrived for the next round may be enough to activate the gateway again.
void ask_again(Step& step, const ElementContext& scope, const bpmn::Element& gateway) {
  const ElementInstanceRow& row = row_of(step, scope.key);
  const bool has_tokens = std::ranges::any_of(
      gateway.incoming, [&](bpmn::ElementIndex flow) { return has_token(row, flow); });
  if (has_tokens) go_on_to_activate(step, scope, gateway, Key{});
}

void reset(Step& step, const ElementContext& scope, const bpmn::Element& gateway) {
  record::ComplexGatewayRecord value;
  value.element_id = gateway.id;
  value.flow_scope_key = scope.key;
  fill_owner(value, scope);
  step.event(record::ComplexGatewayIntent::Reset, step.next_key(), value);
  ask_again(step, scope, gateway);
}

void delete_token(Step& step, const ElementContext& gateway, bpmn::ElementIndex flow) {
  record::ProcessInstanceView value = gateway.value;
  set_element(value, gateway.element_at(flow));
  step.event(record::ProcessInstanceIntent::SequenceFlowDeleted, step.next_key(), value);
}

// Returns true if another instance of the gateway has an incident that keeps it from firing.
bool has_incident(const Step& step, const ElementContext& gateway) {
  bool found = false;
  step.state().element_instances().for_each_child(
      gateway.value.flow_scope_key, ChildKey{}, [&](Key key, const ElementInstanceRow& child) {
        found = child.element == gateway.element->index.value() && key != gateway.key &&
                child.state == ElementState::Activating;
        return !found;
      });
  return found;
}

std::string flow_ids(const ElementContext& gateway, const Flows& flows) {
  std::string json = "[";
  for (const bpmn::ElementIndex flow : flows) {
    if (json.size() > 1) json += ',';
    json += record::json_string(gateway.element_at(flow).id);
  }
  return json + ']';
}

}  // namespace

Result<std::optional<std::string_view>, Failure> why_complex_join_waits(
    const Step& step, const ElementContext& gateway, const Flows& taken) {
  const bpmn::Element& element = *gateway.element;
  if (taken.empty() && !element.incoming.empty()) return "it was activated already";
  if (has_incident(step, gateway)) return "an earlier activation of it has an incident";
  if (is_spent(step, gateway.value.flow_scope_key, element)) {
    return "it was activated and still waits for its other incoming sequence flows";
  }
  const auto& condition = element.parts().complex_join->activation_condition;
  if (!condition) {
    if (taken.size() >= element.incoming.size()) return std::nullopt;
    return "not all of its incoming sequence flows were taken";
  }
  // A gateway with an incident may have got variables of its own.
  const bool exists = step.state().element_instances().find(gateway.key) != nullptr;
  const Key scope = exists ? gateway.key : gateway.value.flow_scope_key;
  const ScopeVariables around{step.state().variables(), scope};
  const VariablesOver variables{around,
                                {{"activationCount", std::to_string(taken.size())},
                                 {"arrivedFlows", flow_ids(gateway, taken)}}};
  BEELINE_TRY(const bool holds, evaluate_boolean(step, *condition, variables));
  if (holds) return std::nullopt;
  return "its activation condition is not fulfilled";
}

bool settle_arrival(Step& step, const ElementContext& gateway) {
  if (!gateway.element->parts().complex_join) return false;
  const bpmn::Element& element = *gateway.element;
  const Key scope_key = gateway.value.flow_scope_key;
  if (!is_spent(step, scope_key, element)) return false;
  bool is_settled = false;
  for (auto flow = late_flow(step, scope_key, element); flow.is_set();
       flow = late_flow(step, scope_key, element)) {
    delete_token(step, gateway, flow);
    is_settled = true;
  }
  const ElementContext scope = scope_context(step, gateway);
  if (!is_spent(step, scope_key, element)) {
    ask_again(step, scope, element);
  } else if (is_over(step, scope_key, gateway.model(), element)) {
    reset(step, scope, element);
    is_settled = true;
  }
  return is_settled;
}

void settle_firing(Step& step, const ElementContext& gateway) {
  const Key scope_key = gateway.value.flow_scope_key;
  const ElementContext scope = scope_context(step, gateway);
  if (!is_spent(step, scope_key, *gateway.element)) {
    ask_again(step, scope, *gateway.element);
  } else if (is_over(step, scope_key, gateway.model(), *gateway.element)) {
    reset(step, scope, *gateway.element);
  }
}

void settle_rounds(Step& step, const ElementContext& scope) {
  const GatewayRoundsRow* rounds = step.state().find_gateway_rounds(scope.key);
  if (rounds == nullptr || row_of(step, scope.key).interrupted_by >= 0) return;
  Flows gateways;
  for (const std::int32_t flow : rounds->delivered_flows) {
    const bpmn::ElementIndex gateway = scope.element_at(bpmn::ElementIndex{flow}).target;
    if (std::ranges::find(gateways, gateway) == gateways.end()) gateways.push_back(gateway);
  }
  for (const bpmn::ElementIndex index : gateways) {
    const bpmn::Element& gateway = scope.element_at(index);
    if (is_over(step, scope.key, scope.model(), gateway)) reset(step, scope, gateway);
  }
}

}  // namespace beeline::engine
