#include "engine/behaviors/open_scopes.h"

#include "engine/behaviors/cancellation.h"

namespace beeline::engine {
namespace {

bool is_open_to(const Step& step, const ElementInstanceRow& scope, Key child,
                std::int32_t element) {
  if (scope.state != ElementState::Activated) return false;
  if (scope.interrupted_by >= 0 && scope.interrupted_by != element) return false;
  return !is_canceling_transaction(scope) || takes_part_in_cancellation(step, child);
}

}  // namespace

std::optional<ClosedScope> find_closed_scope_around(const Step& step, Key instance) {
  const ElementInstances& all = step.state().element_instances();
  const ElementInstanceRow* row = &all.get(instance);
  while (true) {
    const bool is_called = !row->flow_scope_key.is_set();
    const Key scope = is_called ? row->parent_element_instance_key : row->flow_scope_key;
    if (!scope.is_set()) return std::nullopt;
    const ElementInstanceRow* around = all.find(scope);
    // No element interrupts a call activity from within.
    const std::int32_t element = is_called ? -1 : row->element;
    if (around == nullptr || !is_open_to(step, *around, instance, element)) {
      return ClosedScope{scope, around};
    }
    instance = scope;
    row = around;
  }
}

}  // namespace beeline::engine
