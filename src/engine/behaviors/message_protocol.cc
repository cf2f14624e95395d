#include "engine/behaviors/message_protocol.h"

namespace beeline::engine {
namespace {

// Copies the fields that the records of both sides have in common.
template <typename To, typename From>
To copy_identity(const From& from) {
  To to;
  to.process_instance_key = from.process_instance_key;
  to.element_instance_key = from.element_instance_key;
  to.process_definition_key = from.process_definition_key;
  to.bpmn_process_id = from.bpmn_process_id;
  to.element_id = from.element_id;
  to.element_type = from.element_type;
  to.message_name = from.message_name;
  to.correlation_key = from.correlation_key;
  to.interrupting = from.interrupting;
  to.message_key = from.message_key;
  to.attempt = from.attempt;
  to.last_attempt = from.last_attempt;
  to.tenant_id = from.tenant_id;
  to.root_process_instance_key = from.root_process_instance_key;
  return to;
}

}  // namespace

record::MessageSubscriptionRecord message_side(
    const record::ProcessMessageSubscriptionRecord& subscription) {
  return copy_identity<record::MessageSubscriptionRecord>(subscription);
}

record::ProcessMessageSubscriptionRecord process_side(
    const record::MessageSubscriptionRecord& subscription, PartitionId partition) {
  auto record = copy_identity<record::ProcessMessageSubscriptionRecord>(subscription);
  record.subscription_partition_id = partition;
  return record;
}

record::ProcessMessageSubscriptionRecord correlate_command(
    const record::MessageSubscriptionRecord& subscription, PartitionId partition) {
  record::ProcessMessageSubscriptionRecord command = process_side(subscription, partition);
  command.variables = subscription.variables;
  return command;
}

void send_to_instance(Step& step, record::ProcessMessageSubscriptionIntent intent,
                      const record::MessageSubscriptionRecord& subscription) {
  const PartitionId here = step.state().partition();
  const bool is_correlate = intent == record::ProcessMessageSubscriptionIntent::Correlate;
  step.send(
      instance_partition(subscription), intent, Key{},
      is_correlate ? correlate_command(subscription, here) : process_side(subscription, here));
}

void send_to_message(Step& step, PartitionId to, record::MessageSubscriptionIntent intent,
                     const record::ProcessMessageSubscriptionRecord& subscription) {
  step.send(to, intent, Key{}, message_side(subscription));
}

}  // namespace beeline::engine
