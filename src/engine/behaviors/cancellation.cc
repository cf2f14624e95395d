#include "engine/behaviors/cancellation.h"

namespace beeline::engine {
namespace {

const bpmn::Element& element_of(const Step& step, const ElementInstanceRow& row) {
  const Definition& definition = step.state().definitions().get(row.process_definition_key);
  return definition.model->element(bpmn::ElementIndex{row.element});
}

bool is_cancel_end_event(const Step& step, const ElementInstanceRow& row) {
  const bpmn::Element& element = element_of(step, row);
  return element.type == record::ElementType::EndEvent &&
         element.event_type == record::EventType::Cancel;
}

}  // namespace

bool takes_part_in_cancellation(const Step& step, Key child) {
  if (!child.is_set()) return false;
  const ElementInstances& instances = step.state().element_instances();
  const ElementInstanceRow* row = instances.find(child);
  if (row != nullptr && is_cancel_end_event(step, *row)) return true;
  const CompensationSubscriptions& subscriptions = step.state().compensation_subscriptions();
  const Key subscription = subscriptions.of_handler(child);
  if (!subscription.is_set()) return false;
  const ElementInstanceRow* throw_event =
      instances.find(subscriptions.get(subscription).record.throw_event_instance_key);
  return throw_event != nullptr && is_cancel_end_event(step, *throw_event);
}

Key canceling_transaction_around(const Step& step, Key instance) {
  const ElementInstances& instances = step.state().element_instances();
  const ElementInstanceRow* row = &instances.get(instance);
  while (row->flow_scope_key.is_set()) {
    const bool has_fired = !row->accepts_events && !is_canceling_transaction(*row);
    // The work of a handler is not compensated, nor is a scope that a boundary event has ended.
    if (has_fired || element_of(step, *row).for_compensation) return Key{};
    const Key scope = row->flow_scope_key;
    row = &instances.get(scope);
    if (row->state == ElementState::Activated) {
      return is_canceling_transaction(*row) ? scope : Key{};
    }
  }
  return Key{};
}

}  // namespace beeline::engine
