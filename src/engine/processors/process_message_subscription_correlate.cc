#include "engine/behaviors/message_protocol.h"
#include "engine/behaviors/parallel_triggers.h"
#include "engine/behaviors/triggers.h"
#include "engine/processors/message_subscription_checks.h"
#include "engine/processors/processors.h"

namespace beeline::engine {
namespace {

using record::MessageSubscriptionIntent;
using record::ProcessMessageSubscriptionIntent;
using record::ProcessMessageSubscriptionRecord;
using record::RejectionType;

bool can_take(const Step& step, const ProcessMessageSubscriptionRecord& subscription) {
  if (step.state().element_instances().find(subscription.element_instance_key) == nullptr) {
    return false;
  }
  const ElementContext host = context_of(step, subscription.element_instance_key);
  const bpmn::Element* event =
      host.model().find_catch_event(*host.element, subscription.element_id);
  return event != nullptr && can_trigger(step, host, *event);
}

void refuse(Step& step, RejectionType type, const ProcessMessageSubscriptionRecord& command,
            std::string_view reality, MessageSubscriptionIntent answer) {
  step.reject(type, subscription_refusal("correlate", command, reality));
  send_to_message(step, command.subscription_partition_id, answer, command);
}

}  // namespace

void process_message_subscription_correlate(Step& step, Key,
                                            const ProcessMessageSubscriptionRecord& command) {
  const ProcessMessageSubscriptions& subscriptions = step.state().process_message_subscriptions();
  const Key key = subscriptions.find_of(command.element_instance_key, command.message_name);
  if (!key.is_set()) {
    return refuse(step, RejectionType::NotFound, command, "no such subscription was found",
                  MessageSubscriptionIntent::Reject);
  }
  const ProcessMessageSubscriptionRow& row = subscriptions.get(key);
  if (command.attempt <= row.record.last_attempt) {
    // The acknowledgement may have been lost, so send it again.
    return refuse(step, RejectionType::InvalidState, command, "it has this message already",
                  MessageSubscriptionIntent::Correlate);
  }
  if (row.state == SubscriptionState::Closing) {
    return refuse(step, RejectionType::InvalidState, command, "it is being closed",
                  MessageSubscriptionIntent::Reject);
  }
  if (!can_take(step, row.record)) {
    return refuse(step, RejectionType::InvalidState, command,
                  "the element it belongs to can not be triggered any more",
                  MessageSubscriptionIntent::Reject);
  }
  const ElementContext host = context_of(step, row.record.element_instance_key);
  const bpmn::Element& event =
      catch_event_of(host, row.record.element_id, row.record.event_definition_id);
  if (!can_collect(step, host, event, command.variables)) {
    // The message waits: it is sent again, here after the next round, and by other partitions from
    // time to time.
    return step.reject(RejectionType::InvalidState,
                       subscription_refusal("correlate", command,
                                            "the element it belongs to keeps as many further "
                                            "triggers as it may"));
  }
  ProcessMessageSubscriptionRecord value = row.record;
  value.message_key = command.message_key;
  value.attempt = command.attempt;
  value.last_attempt = command.attempt;
  step.event(ProcessMessageSubscriptionIntent::Correlated, key, value);
  trigger_event(step, host, event, command.variables);
  send_to_message(step, value.subscription_partition_id, MessageSubscriptionIntent::Correlate,
                  value);
}

}  // namespace beeline::engine
