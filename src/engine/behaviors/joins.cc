#include "engine/behaviors/joins.h"

#include <algorithm>
#include <vector>

namespace beeline::engine {
namespace {

using record::ElementType;

bool was_taken(const ElementInstanceRow& scope, bpmn::ElementIndex flow) {
  return std::any_of(
      scope.taken_flows.begin(), scope.taken_flows.end(),
      [&](const FlowCount& taken) { return taken.flow == flow.value() && taken.count > 0; });
}

std::size_t taken_count(const ElementInstanceRow& scope, const bpmn::Element& gateway) {
  return static_cast<std::size_t>(
      std::count_if(gateway.incoming.begin(), gateway.incoming.end(),
                    [&](bpmn::ElementIndex flow) { return was_taken(scope, flow); }));
}

// Adds the elements that a token at `element` can reach next. A flow into the gateway that already
// has its token is left out.
void add_next(const ElementInstanceRow& scope, const bpmn::Process& model,
              const bpmn::Element& element, const bpmn::Element& gateway,
              std::vector<bpmn::ElementIndex>& next) {
  for (const bpmn::ElementIndex flow : element.outgoing) {
    const bpmn::ElementIndex target = model.element(flow).target;
    if (target == gateway.index && was_taken(scope, flow)) continue;
    next.push_back(target);
  }
  next.insert(next.end(), element.boundary_events.begin(), element.boundary_events.end());
  if (element.parts().link && element.parts().link->catch_event.is_set()) {
    next.push_back(element.parts().link->catch_event);
  }
}

// Returns true if a token elsewhere in the scope can still reach the gateway.
bool is_reachable(const Step& step, Key scope_key, const ElementInstanceRow& scope,
                  const bpmn::Process& model, const bpmn::Element& gateway) {
  std::vector<bpmn::ElementIndex> waiting;
  const auto& instances = step.state().element_instances();
  instances.for_each_child(scope_key, ChildKey{}, [&](Key, const ElementInstanceRow& child) {
    const bpmn::ElementIndex index{child.element};
    if (index != gateway.index) add_next(scope, model, model.element(index), gateway, waiting);
    return true;
  });
  for (const FlowCount& flow : scope.active_flows) {
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
    add_next(scope, model, model.element(index), gateway, waiting);
  }
  return false;
}

}  // namespace

std::optional<std::string_view> why_join_waits(const Step& step, Key scope_key,
                                               const bpmn::Process& model,
                                               const bpmn::Element& gateway) {
  const bool is_parallel = gateway.type == ElementType::ParallelGateway;
  if (!is_parallel && gateway.type != ElementType::InclusiveGateway) return std::nullopt;
  const ElementInstanceRow& scope = row_of(step, scope_key);
  const std::size_t taken = taken_count(scope, gateway);
  if (taken >= gateway.incoming.size()) return std::nullopt;
  if (is_parallel) return "not all of its incoming sequence flows were taken";
  if (taken == 0) return "it was activated already";
  if (is_reachable(step, scope_key, scope, model, gateway)) {
    return "a token can still reach one of its other incoming sequence flows";
  }
  return std::nullopt;
}

}  // namespace beeline::engine
