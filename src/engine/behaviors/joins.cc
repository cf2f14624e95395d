#include "engine/behaviors/joins.h"

#include <algorithm>

#include "engine/behaviors/complex_joins.h"

namespace beeline::engine {
namespace {

using record::ElementType;

// Adds the elements that a token at `element` can reach next. A settled flow into the gateway is
// left out.
void add_next(const bpmn::Process& model, const bpmn::Element& element,
              const bpmn::Element& gateway, const std::vector<bpmn::ElementIndex>& settled,
              std::vector<bpmn::ElementIndex>& next) {
  for (const bpmn::ElementIndex flow : element.outgoing) {
    const bpmn::ElementIndex target = model.element(flow).target;
    if (target == gateway.index && std::ranges::find(settled, flow) != settled.end()) continue;
    next.push_back(target);
  }
  next.insert(next.end(), element.boundary_events.begin(), element.boundary_events.end());
  if (element.parts().link && element.parts().link->catch_event.is_set()) {
    next.push_back(element.parts().link->catch_event);
  }
}

}  // namespace

bool has_token(const ElementInstanceRow& scope, bpmn::ElementIndex flow) {
  return std::ranges::any_of(scope.taken_flows, [&](const FlowCount& taken) {
    return taken.flow == flow.value() && taken.count > 0;
  });
}

bool can_be_reached(const Step& step, Key scope_key, const bpmn::Process& model,
                    const bpmn::Element& gateway, const std::vector<bpmn::ElementIndex>& settled) {
  std::vector<bpmn::ElementIndex> waiting;
  const auto& instances = step.state().element_instances();
  instances.for_each_child(scope_key, ChildKey{}, [&](Key, const ElementInstanceRow& child) {
    const bpmn::ElementIndex index{child.element};
    if (index != gateway.index) add_next(model, model.element(index), gateway, settled, waiting);
    return true;
  });
  for (const FlowCount& flow : row_of(step, scope_key).active_flows) {
    const bpmn::ElementIndex target = model.element(bpmn::ElementIndex{flow.flow}).target;
    if (target != gateway.index) waiting.push_back(target);
  }
  std::vector<bool> seen(model.elements.size());
  while (!waiting.empty()) {
    const bpmn::ElementIndex index = waiting.back();
    waiting.pop_back();
    if (index == gateway.index) return true;
    const auto place = static_cast<std::size_t>(index.value());
    if (seen[place]) continue;
    seen[place] = true;
    add_next(model, model.element(index), gateway, settled, waiting);
  }
  return false;
}

Result<std::optional<std::string_view>, Failure> why_join_waits(const Step& step,
                                                                const ElementContext& gateway) {
  const bpmn::Element& element = *gateway.element;
  const bool is_parallel = element.type == ElementType::ParallelGateway;
  if (!is_parallel && element.type != ElementType::InclusiveGateway) return std::nullopt;
  const Key scope_key = gateway.value.flow_scope_key;
  const ElementInstanceRow& scope = row_of(step, scope_key);
  std::vector<bpmn::ElementIndex> taken;
  std::ranges::copy_if(element.incoming, std::back_inserter(taken),
                       [&](bpmn::ElementIndex flow) { return has_token(scope, flow); });
  if (element.parts().complex_join) return why_complex_join_waits(step, gateway, taken);
  if (taken.size() >= element.incoming.size()) return std::nullopt;
  if (is_parallel) return "not all of its incoming sequence flows were taken";
  if (taken.empty()) return "it was activated already";
  if (can_be_reached(step, scope_key, gateway.model(), element, taken)) {
    return "a token can still reach one of its other incoming sequence flows";
  }
  return std::nullopt;
}

}  // namespace beeline::engine
