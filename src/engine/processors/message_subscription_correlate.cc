#include "engine/behaviors/message_correlation.h"
#include "engine/behaviors/message_protocol.h"
#include "engine/processors/message_subscription_checks.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::MessageSubscriptionIntent;
using record::ProcessMessageSubscriptionIntent;
using record::RejectionType;

// Acknowledges that the instance has taken the message.
void message_subscription_correlate(Step& step, Key,
                                    const record::MessageSubscriptionRecord& command) {
  const SubscriptionKey key = find_subscription(step, command);
  if (!key.is_set()) {
    step.reject(RejectionType::NotFound,
                subscription_refusal("correlate", command, "no such subscription was found"));
    if (is_elsewhere(step, command)) {
      send_to_instance(step, ProcessMessageSubscriptionIntent::Delete, command);
    }
    return;
  }
  const MessageSubscriptionRow& row = step.state().message_subscriptions().get(key);
  if (!is_current_attempt(row, command)) {
    return step.reject(
        RejectionType::InvalidState,
        subscription_refusal("correlate", command, "it does not correlate this message"));
  }
  record::MessageSubscriptionRecord value = row.record;
  value.variables = {};
  step.event(MessageSubscriptionIntent::Correlated, key, value);
  answer_correlated(step, MessageKey{value.message_key},
                    ProcessInstanceKey{value.process_instance_key});
  if (!value.interrupting) {
    correlate_next(step, key);
  } else if (is_elsewhere(step, value)) {
    send_to_instance(step, ProcessMessageSubscriptionIntent::Delete, value);
  }
}

}  // namespace beeline::engine
