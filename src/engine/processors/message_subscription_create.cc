#include "engine/behaviors/message_correlation.h"
#include "engine/behaviors/message_protocol.h"
#include "engine/processors/message_subscription_checks.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::MessageSubscriptionIntent;
using record::ProcessMessageSubscriptionIntent;

void message_subscription_create(Step& step, Key,
                                 const record::MessageSubscriptionRecord& command) {
  if (find_subscription(step, command).is_set()) {
    step.reject(record::RejectionType::InvalidState,
                subscription_refusal("open", command, "it is open already"));
    // The acknowledgement may have been lost, so send it again.
    return send_to_instance(step, ProcessMessageSubscriptionIntent::Create, command);
  }
  const SubscriptionKey key{step.next_key()};
  step.event(MessageSubscriptionIntent::Created, key, command);
  send_to_instance(step, ProcessMessageSubscriptionIntent::Create, command);
  correlate_next(step, key);
}

}  // namespace beeline::engine
