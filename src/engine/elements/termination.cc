#include "engine/elements/termination.h"

#include <optional>

#include "engine/behaviors/cancellation.h"
#include "engine/behaviors/definition_deletion.h"
#include "engine/behaviors/message_correlation.h"
#include "engine/behaviors/runtime_instructions.h"
#include "engine/behaviors/transitions.h"
#include "engine/behaviors/triggers.h"
#include "engine/elements/element_behavior.h"

namespace beeline::engine {
namespace {

// Returns the trigger of the boundary event that interrupted this instance, if the scope can still
// activate the event.
std::optional<Trigger> boundary_trigger(const Step& step, const ElementContext& context) {
  const TriggersRow* row = step.state().find_triggers(context.key);
  if (row == nullptr || !context.value.flow_scope_key.is_set()) return std::nullopt;
  if (is_ending(step, context.value.process_instance_key)) return std::nullopt;
  const ElementInstanceRow& scope = row_of(step, context.value.flow_scope_key);
  if (scope.state != ElementState::Activated || scope.interrupted_by >= 0) return std::nullopt;
  if (is_canceling_transaction(scope)) return std::nullopt;
  // The trigger of an event subprocess may come before that of the boundary event.
  for (const Trigger& trigger : row->triggers) {
    const bpmn::Element* event = context.model().find(trigger.target_element_id);
    if (event != nullptr && event->type == record::ElementType::BoundaryEvent) return trigger;
  }
  return std::nullopt;
}

}  // namespace

record::AsyncRequestRecord cancel_request(Key process_instance) {
  record::AsyncRequestRecord request;
  request.scope_key = process_instance;
  request.value_type = static_cast<std::int32_t>(record::ValueType::ProcessInstance);
  request.intent = static_cast<std::int32_t>(record::ProcessInstanceIntent::Cancel);
  return request;
}

void finish_termination(Step& step, const ElementContext& context) {
  const std::optional<Trigger> trigger = boundary_trigger(step, context);
  const bool was_canceled =
      !context.value.flow_scope_key.is_set() && row_of(step, context.key).is_canceling;
  const std::optional<MessageStartLockRow> lock = message_lock_of(step, context.key);
  write_terminated(step, context);
  if (was_canceled) {
    step.event(record::AsyncRequestIntent::Processed, context.key, cancel_request(context.key));
  }
  if (lock) release_message_lock(step, *lock);
  if (!ends_instance(step, context) && trigger) {
    activate_triggered_beside(step, context, *trigger);
  } else if (context.value.flow_scope_key.is_set()) {
    const ElementContext scope = scope_context(step, context);
    behavior_of(*scope.element).child_terminated(step, scope);
  } else if (context.value.parent_element_instance_key.is_set()) {
    const ElementContext caller = context_of(step, context.value.parent_element_instance_key);
    behavior_of(*caller.element).child_terminated(step, caller);
  }
  if (!context.value.flow_scope_key.is_set()) {
    delete_drained(step, context.value.process_definition_key);
  }
}

}  // namespace beeline::engine
