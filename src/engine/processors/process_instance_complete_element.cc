#include <fmt/format.h>

#include <optional>

#include "engine/behaviors/completion.h"
#include "engine/behaviors/incidents.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/element_behavior.h"
#include "engine/processors/processors.h"

namespace beeline::engine {
namespace {

// Why the element cannot be completed now (spec 2.3), or nothing.
std::optional<std::string> obstacle(const Step& step, const ElementInstanceRow* row) {
  if (row == nullptr) return "no such element instance was found";
  if (row->state != ElementState::Activated && row->state != ElementState::Completing) {
    return fmt::format("it is in state '{}'", name_of(row->state));
  }
  // An event subprocess may have begun after the last path of its scope had ended; its own end
  // completes the scope.
  if (row->state == ElementState::Activated && row->child_count > 0) {
    return "it has element instances that are not yet gone";
  }
  const Key around =
      row->flow_scope_key.is_set() ? row->flow_scope_key : row->parent_element_instance_key;
  if (!around.is_set()) return std::nullopt;
  const ElementInstanceRow* scope = step.state().element_instances().find(around);
  if (scope == nullptr) return "its flow scope instance was not found";
  if (scope->state != ElementState::Activated) {
    return fmt::format("its flow scope instance is in state '{}'", name_of(scope->state));
  }
  if (scope->interrupted_by >= 0 && scope->interrupted_by != row->element) {
    return "its flow scope instance was interrupted";
  }
  return std::nullopt;
}

}  // namespace

void process_instance_complete_element(Step& step, Key key,
                                       const record::ProcessInstanceRecord& command) {
  const ElementInstanceRow* row = step.state().element_instances().find(key);
  if (const auto reality = obstacle(step, row)) {
    return step.reject(record::RejectionType::InvalidState,
                       fmt::format("Expected to complete element '{}' with key '{}', but {}",
                                   command.element_id, key.value(), *reality));
  }
  const ElementContext context = context_of(step, key);
  if (row->state != ElementState::Completing) write_completing(step, context);
  Outcome outcome = behavior_of(*context.element).complete(step, context);
  if (outcome) outcome = finish_completion(step, context);
  if (!outcome) raise_incident(step, context, outcome.error(), Key{});
}

}  // namespace beeline::engine
