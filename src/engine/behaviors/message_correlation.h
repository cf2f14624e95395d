#pragma once

#include <optional>
#include <string_view>

#include "engine/state/definitions.h"
#include "engine/step.h"
#include "record/values.h"

// Finds the receivers of a message, on the partition of its correlation key (spec: messages 1.5 to
// 1.7). A process receives a message at most once, over all of its versions, instances and
// elements.
namespace beeline::engine {

// Correlates a message to a waiting subscription.
void begin_correlation(Step& step, SubscriptionKey subscription, MessageKey message);
// Correlates a message to the longest-waiting subscription of each process that has not received
// it, or else to the start event of the process. Only receivers that existed before the message
// count. When the step has written its share, a command continues after `served`; the step that
// serves the last receiver removes a message that must not be buffered.
void correlate_to_all(Step& step, MessageKey message, record::MessageBatchRecord served);

// Starts an instance at the start event of this subscription, unless the process has received the
// message or an instance with its correlation key is running. Returns the key of the instance, or
// an unset one.
ProcessInstanceKey start_by_message(Step& step, StartSubscriptionKey start_subscription,
                                    MessageKey message);
// Returns the lock that the instance holds on a message start, if it holds one. Must be called
// before the instance is removed.
[[nodiscard]] std::optional<MessageStartLockRow> message_lock_of(const Step& step, Key instance);
// Starts an instance by the oldest message that waited for this lock. Returns false if no message
// did, or if the lock is held again.
bool start_next_by_message(Step& step, const MessageStartLockRow& lock);
// Called after the instance that held this lock is gone: starts the next instance at once, or by a
// command if the message is larger than what the step may still write.
void release_message_lock(Step& step, const MessageStartLockRow& lock);

// Correlates the oldest message that matches to a waiting subscription.
void correlate_next(Step& step, SubscriptionKey subscription);

// Called after a message was taken back from this subscription: correlates it to another one of the
// process, or starts an instance; if it cannot wait any longer, answers its sender.
void correlate_again(Step& step, MessageKey message,
                     const record::MessageSubscriptionRecord& former);

// Answers a waiting sender, if there is one.
void answer_correlated(Step& step, MessageKey message, ProcessInstanceKey process_instance);

void expire_message(Step& step, MessageKey message);

// Open and close a message start event of a version of a process.
void open_message_start(Step& step, const Definition& definition, const bpmn::Element& start_event,
                        std::string_view message_name);
void close_message_start(Step& step, Key start_subscription);

}  // namespace beeline::engine
