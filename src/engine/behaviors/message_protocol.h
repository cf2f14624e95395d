#pragma once

#include "engine/step.h"
#include "record/values.h"

// What the two sides of a message subscription say to each other (spec: message_protocol 4). The
// side of the process instance and the side of the message may be on different partitions; each
// finds its own row by element instance and message name, so the commands carry no key.
namespace beeline::engine {

// The subscription as the other side knows it, without variables.
[[nodiscard]] record::MessageSubscriptionRecord message_side(
    const record::ProcessMessageSubscriptionRecord& subscription);
// The other way round; `partition` is where the subscription is.
[[nodiscard]] record::ProcessMessageSubscriptionRecord process_side(
    const record::MessageSubscriptionRecord& subscription, PartitionId partition);

// PROCESS_MESSAGE_SUBSCRIPTION CORRELATE for a subscription that is correlating.
[[nodiscard]] record::ProcessMessageSubscriptionRecord correlate_command(
    const record::MessageSubscriptionRecord& subscription, PartitionId partition);

// Where the process instance of a subscription is.
[[nodiscard]] inline PartitionId instance_partition(
    const record::MessageSubscriptionRecord& subscription) {
  return partition_of(subscription.process_instance_key);
}

// To the partition of the process instance.
void send_to_instance(Step& step, record::ProcessMessageSubscriptionIntent intent,
                      const record::MessageSubscriptionRecord& subscription);
// To the partition of the message.
void send_to_message(Step& step, PartitionId to, record::MessageSubscriptionIntent intent,
                     const record::ProcessMessageSubscriptionRecord& subscription);

}  // namespace beeline::engine
