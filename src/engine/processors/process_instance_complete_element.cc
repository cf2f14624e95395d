#include <fmt/format.h>

#include <optional>

#include "engine/behaviors/cancellation.h"
#include "engine/behaviors/compensation.h"
#include "engine/behaviors/incidents.h"
#include "engine/behaviors/runtime_instructions.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/completion.h"
#include "engine/elements/element_behavior.h"
#include "engine/processors/processors.h"

namespace beeline::engine {
namespace {

// Returns true if the end of the element's last path completes it. An event subprocess may begin
// after the last path ended and before the scope is completed; then its end completes the scope.
bool has_paths(const Step& step, const ElementInstanceRow& row) {
  const Definition& definition = step.state().definitions().get(row.process_definition_key);
  const record::ElementType type = definition.model->element(bpmn::ElementIndex{row.element}).type;
  return type == record::ElementType::Process || type == record::ElementType::SubProcess ||
         type == record::ElementType::EventSubProcess;
}

// Returns the reason why the element cannot be completed now, if there is one (spec: lifecycle 3).
std::optional<std::string> obstacle(const Step& step, Key key, const ElementInstanceRow* row) {
  if (row == nullptr) return "no such element instance was found";
  if (row->state != ElementState::Activated && row->state != ElementState::Completing) {
    return fmt::format("it is in state '{}'", name_of(row->state));
  }
  if (row->state == ElementState::Activated && row->child_count > 0 && has_paths(step, *row)) {
    return "it has element instances that are not yet gone";
  }
  if (is_ending(step, row->process_instance_key)) {
    return "its process instance ends by a run-time instruction";
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
  if (is_canceling_transaction(*scope) && !takes_part_in_cancellation(step, key)) {
    return "its flow scope instance is being canceled";
  }
  return std::nullopt;
}

}  // namespace

void process_instance_complete_element(Step& step, Key key,
                                       const record::ProcessInstanceView& command) {
  const ElementInstanceRow* row = step.state().element_instances().find(key);
  if (const auto reality = obstacle(step, key, row)) {
    return step.reject(record::RejectionType::InvalidState,
                       fmt::format("Expected to complete element '{}' with key '{}', but {}",
                                   command.element_id, key.value(), *reality));
  }
  const ElementContext context = context_of(step, key);
  if (row->state != ElementState::Completing) write_completing(step, context);
  if (concerns_compensation(step, *context.element) && !forget_unreachable(step, context)) {
    return go_on_to_complete(step, context);  // the batch is full; the next one goes on
  }
  Outcome outcome = behavior_of(*context.element).complete(step, context);
  if (outcome) outcome = finish_completion(step, context);
  if (!outcome) raise_incident(step, context, outcome.error(), Key{});
}

}  // namespace beeline::engine
