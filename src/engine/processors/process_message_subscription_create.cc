#include "engine/behaviors/message_protocol.h"
#include "engine/processors/message_subscription_checks.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::MessageSubscriptionIntent;
using record::ProcessMessageSubscriptionIntent;
using record::RejectionType;

// Acknowledges that the message's side is open.
void process_message_subscription_create(Step& step, Key,
                                         const record::ProcessMessageSubscriptionRecord& command) {
  const ProcessMessageSubscriptions& subscriptions = step.state().process_message_subscriptions();
  const Key key = subscriptions.find_of(command.element_instance_key, command.message_name);
  if (!key.is_set()) {
    step.reject(RejectionType::NotFound,
                subscription_refusal("open", command, "no such subscription was found"));
    // A late repetition of the open command opened a message's side that nothing else would close.
    record::ProcessMessageSubscriptionRecord orphan = command;
    orphan.last_attempt = Key{};
    return send_to_message(step, command.subscription_partition_id,
                           MessageSubscriptionIntent::Delete, orphan);
  }
  const ProcessMessageSubscriptionRow& row = subscriptions.get(key);
  if (row.state == SubscriptionState::Opening) {
    return step.event(ProcessMessageSubscriptionIntent::Created, key, row.record);
  }
  step.reject(RejectionType::InvalidState,
              subscription_refusal("open", command,
                                   fmt::format("it is in state '{}'", name_of(row.state))));
  // A late repetition of the open command opened the message's side again. The close command is
  // already under way and may arrive too early to close the second one, so send another.
  if (row.state == SubscriptionState::Closing &&
      row.record.subscription_partition_id != step.state().partition()) {
    send_to_message(step, row.record.subscription_partition_id, MessageSubscriptionIntent::Delete,
                    row.record);
  }
}

}  // namespace beeline::engine
