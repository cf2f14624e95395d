#include "engine/processors/message_subscription_checks.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::RejectionType;

// Acknowledges that the message's side is closed.
void process_message_subscription_delete(Step& step, Key,
                                         const record::ProcessMessageSubscriptionRecord& command) {
  const ProcessMessageSubscriptions& subscriptions = step.state().process_message_subscriptions();
  const Key key = subscriptions.find_of(command.element_instance_key, command.message_name);
  if (!key.is_set()) {
    return step.reject(RejectionType::NotFound,
                       subscription_refusal("close", command, "no such subscription was found"));
  }
  const ProcessMessageSubscriptionRow& row = subscriptions.get(key);
  if (row.state != SubscriptionState::Closing) {
    return step.reject(
        RejectionType::InvalidState,
        subscription_refusal("close", command,
                             fmt::format("it is in state '{}'", name_of(row.state))));
  }
  const record::ProcessMessageSubscriptionRecord value = row.record;
  step.event(record::ProcessMessageSubscriptionIntent::Deleted, key, value);
}

}  // namespace beeline::engine
