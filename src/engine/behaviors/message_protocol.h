#pragma once

#include "engine/step.h"
#include "record/values.h"

// The commands between the two sides of a message subscription (spec: message_protocol 4). The side
// of the process instance and the side of the message may be on different partitions; each finds
// its own row by element instance and message name, so the commands have no key.
namespace beeline::engine {

// Returns the subscription as the message's side knows it, without variables.
[[nodiscard]] record::MessageSubscriptionRecord message_side(
    const record::ProcessMessageSubscriptionRecord& subscription);
// Returns the subscription as the instance's side knows it; `partition` is the partition of the
// message's side.
[[nodiscard]] record::ProcessMessageSubscriptionRecord process_side(
    const record::MessageSubscriptionRecord& subscription, PartitionId partition);

// Returns PROCESS_MESSAGE_SUBSCRIPTION CORRELATE for a subscription that is correlating.
[[nodiscard]] record::ProcessMessageSubscriptionRecord correlate_command(
    const record::MessageSubscriptionRecord& subscription, PartitionId partition);

// Returns the partition of the process instance of a subscription.
[[nodiscard]] inline PartitionId instance_partition(
    const record::MessageSubscriptionRecord& subscription) {
  return partition_of(subscription.process_instance_key);
}

// Sends a command to the partition of the process instance.
void send_to_instance(Step& step, record::ProcessMessageSubscriptionIntent intent,
                      const record::MessageSubscriptionRecord& subscription);
// Sends a command to the partition of the message.
void send_to_message(Step& step, PartitionId to, record::MessageSubscriptionIntent intent,
                     const record::ProcessMessageSubscriptionRecord& subscription);

}  // namespace beeline::engine
