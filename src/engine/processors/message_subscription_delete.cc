#include "engine/behaviors/message_correlation.h"
#include "engine/behaviors/message_protocol.h"
#include "engine/processors/message_subscription_checks.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::MessageSubscriptionIntent;
using record::ProcessMessageSubscriptionIntent;

void message_subscription_delete(Step& step, Key,
                                 const record::MessageSubscriptionRecord& command) {
  const SubscriptionKey key = find_subscription(step, command);
  if (!key.is_set()) {
    step.reject(record::RejectionType::NotFound,
                subscription_refusal("close", command, "no such subscription was found"));
    // The acknowledgement may have been lost, so send it again.
    return send_to_instance(step, ProcessMessageSubscriptionIntent::Delete, command);
  }
  const MessageSubscriptionRow& row = step.state().message_subscriptions().get(key);
  const bool is_correlating = row.is_correlating;
  record::MessageSubscriptionRecord value = row.record;
  value.variables = {};
  if (is_correlating && value.attempt <= command.last_attempt) {
    // The instance took the message, but its acknowledgement was lost.
    step.event(MessageSubscriptionIntent::Correlated, key, value);
    answer_correlated(step, MessageKey{value.message_key},
                      ProcessInstanceKey{value.process_instance_key});
    if (!value.interrupting) step.event(MessageSubscriptionIntent::Deleted, key, value);
    return send_to_instance(step, ProcessMessageSubscriptionIntent::Delete, value);
  }
  if (is_correlating) value.released_message_key = value.message_key;
  step.event(MessageSubscriptionIntent::Deleted, key, value);
  send_to_instance(step, ProcessMessageSubscriptionIntent::Delete, value);
  if (is_correlating) correlate_again(step, MessageKey{value.message_key}, value);
}

}  // namespace beeline::engine
