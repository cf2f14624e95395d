#include "engine/behaviors/open_scopes.h"

namespace beeline::engine {
namespace {

// No element interrupts a call activity from within.
constexpr std::int32_t kCalledProcess = -1;

}  // namespace

std::optional<ClosedScope> find_closed_scope(const Step& step, Key scope, std::int32_t element) {
  while (scope.is_set()) {
    const ElementInstanceRow* row = step.state().element_instances().find(scope);
    const bool is_open = row != nullptr && row->state == ElementState::Activated &&
                         (row->interrupted_by < 0 || row->interrupted_by == element);
    if (!is_open) return ClosedScope{scope, row};
    const bool is_called = !row->flow_scope_key.is_set();
    element = is_called ? kCalledProcess : row->element;
    scope = is_called ? row->parent_element_instance_key : row->flow_scope_key;
  }
  return std::nullopt;
}

std::optional<ClosedScope> find_closed_scope_around(const Step& step,
                                                    const ElementInstanceRow& row) {
  if (row.flow_scope_key.is_set()) return find_closed_scope(step, row.flow_scope_key, row.element);
  return find_closed_scope(step, row.parent_element_instance_key, kCalledProcess);
}

}  // namespace beeline::engine
