#pragma once

#include <optional>
#include <vector>

#include "engine/state/definitions.h"
#include "engine/step.h"
#include "record/values.h"

// Who takes a message: what happens on the partition of its correlation key (spec messages 1.5 to
// 1.7). A process takes a message at most once, over all of its versions, instances and elements.
namespace beeline::engine {

// Gives a message to a subscription that waits.
void begin_correlation(Step& step, Key subscription, Key message);
// Gives it to the one that waits longest, of each process that did not have it.
// How many took it.
int correlate_to_subscriptions(Step& step, Key message);

// Starts an instance at the start event of this subscription, unless the process had the message or
// an instance with its correlation key is running. Gives the key of the instance, or an unset one.
Key start_by_message(Step& step, Key start_subscription, Key message);
// Of every process with a start event for it. The keys of the instances.
std::vector<Key> start_by_message(Step& step, Key message);
// What an instance keeps from being started again, if it does. Asked before the instance is gone.
[[nodiscard]] std::optional<MessageStartLockRow> message_lock_of(const Step& step, Key instance);
// After the instance that held this lock is gone: the oldest message that waited for it.
void start_next_by_message(Step& step, const MessageStartLockRow& lock);

// Gives a waiting subscription the oldest message that fits.
void correlate_next(Step& step, Key subscription);

// After a message was taken back from this subscription: gives it to another one of the process, or
// starts an instance; or, when it cannot wait any longer, tells its sender.
void correlate_again(Step& step, Key message, const record::MessageSubscriptionRecord& former);

// Answers a sender who waits, if there is one.
void answer_correlated(Step& step, Key message, Key process_instance);

void expire_message(Step& step, Key message);

// Closes the message start events of one version and opens those of another; either may be null.
void replace_message_starts(Step& step, const Definition* closed, const Definition* opened);

}  // namespace beeline::engine
