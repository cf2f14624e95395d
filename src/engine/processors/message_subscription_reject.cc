#include "engine/behaviors/message_correlation.h"
#include "engine/processors/message_subscription_checks.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::RejectionType;

// Frees a message that the instance did not take and will never take.
void message_subscription_reject(Step& step, Key,
                                 const record::MessageSubscriptionRecord& command) {
  const SubscriptionKey key = find_subscription(step, command);
  if (!key.is_set()) {
    return step.reject(
        RejectionType::NotFound,
        subscription_refusal("reject the message of", command, "no such subscription was found"));
  }
  const MessageSubscriptionRow& row = step.state().message_subscriptions().get(key);
  // A repeated command must not free a message that has already gone to another subscription.
  if (!is_current_attempt(row, command)) {
    return step.reject(RejectionType::InvalidState,
                       subscription_refusal("reject the message of", command,
                                            "it does not correlate this message"));
  }
  record::MessageSubscriptionRecord value = row.record;
  value.variables = {};
  step.event(record::MessageSubscriptionIntent::Rejected, key, value);
  correlate_again(step, MessageKey{value.message_key}, value);
}

}  // namespace beeline::engine
