#include "engine/behaviors/message_correlation.h"

#include <fmt/format.h>

#include "base/check.h"
#include "engine/behaviors/element_context.h"
#include "engine/behaviors/instance_start.h"
#include "engine/behaviors/message_protocol.h"
#include "engine/behaviors/variable_writing.h"

namespace beeline::engine {
namespace {

using record::MessageBatchIntent;
using record::MessageCorrelationIntent;
using record::MessageCorrelationRecord;
using record::MessageIntent;
using record::MessageRecord;
using record::MessageStartEventSubscriptionIntent;
using record::MessageStartEventSubscriptionRecord;
using record::MessageSubscriptionIntent;
using record::MessageSubscriptionRecord;
using record::ProcessMessageSubscriptionIntent;

const MessageRecord& message_of(const Step& step, MessageKey key) {
  return step.state().messages().get(key).record;
}

// Answers the sender that nobody took the message, unless a candidate is left that may still take
// it.
void answer_not_correlated(Step& step, MessageKey message) {
  const MessageCorrelationRow* row = step.state().messages().find_request(message);
  if (row == nullptr || row->record.candidates > 0) return;
  const MessageCorrelationRecord value = row->record;
  step.event(MessageCorrelationIntent::NotCorrelated, message, value);
  step.refuse_request(
      value.request_id, MessageCorrelationIntent::Correlate, value, record::RejectionType::NotFound,
      fmt::format("Expected to correlate message with name '{}' and correlation key "
                  "'{}', but the subscriptions that waited for it were closed",
                  value.name, value.correlation_key));
}

bool is_receivers_command(const Step& step) {
  const record::Metadata& metadata = step.command_metadata();
  return metadata.value_type == record::ValueType::MessageBatch &&
         metadata.intent == static_cast<record::IntentNumber>(MessageBatchIntent::Correlate);
}

void change_candidates(Step& step, MessageKey message, std::int32_t by) {
  MessageCorrelationRecord value = step.state().messages().get_request(message).record;
  value.candidates = by;
  step.event(MessageCorrelationIntent::CandidatesChanged, message, value);
}

// serve_subscriptions and serve_starts give a message to the receivers that come after those in
// `served`, and record their progress there. They return false if the step may write no more before
// all receivers are served.
bool serve_subscriptions(Step& step, MessageKey message, record::MessageBatchRecord& served) {
  if (served.start_subscription_key.is_set()) return true;
  const MessageRecord& value = message_of(step, message);
  const MessageSubscriptions& subscriptions = step.state().message_subscriptions();
  while (true) {
    const SubscriptionKey next = subscriptions.next_waiting(
        value.tenant_id, value.name, value.correlation_key, served.bpmn_process_id, message);
    if (!next.is_set()) break;
    if (step.bytes_left() == 0) return false;
    served.bpmn_process_id = subscriptions.get(next).record.bpmn_process_id;
    if (step.state().messages().is_marked(message, served.bpmn_process_id)) continue;
    begin_correlation(step, next, message);
    if (served.unserved > 0) --served.unserved;
  }
  served.bpmn_process_id.clear();
  served.start_subscription_key = Key{0};
  return true;
}

bool serve_starts(Step& step, MessageKey message, record::MessageBatchRecord& served) {
  const MessageRecord& value = message_of(step, message);
  ProcessInstanceKey first;
  bool is_done = true;
  for (const StartSubscriptionKey start :
       step.state().message_starts().of_name(value.tenant_id, value.name)) {
    if (start <= served.start_subscription_key || Key{start} > Key{message}) continue;
    is_done = step.bytes_left() > 0;
    if (!is_done) break;
    // This starts no instance of a process that already got the message through a subscription.
    const ProcessInstanceKey instance = start_by_message(step, start, message);
    if (!first.is_set()) first = instance;
    served.start_subscription_key = start;
  }
  if (first.is_set()) answer_correlated(step, message, first);
  return is_done;
}

// The oldest message that waits for a correlation key to become free, and the start event that it
// triggers.
struct NextStart {
  MessageKey message;
  StartSubscriptionKey start;
};

NextStart find_next_start(const Step& step, const MessageStartLockRow& lock) {
  NextStart next;
  const Definition* latest =
      step.state().definitions().find_latest(lock.tenant_id, lock.bpmn_process_id);
  if (latest == nullptr) return next;
  for (const StartSubscriptionKey each : step.state().message_starts().of_definition(latest->key)) {
    const MessageKey message = step.state().messages().oldest_for(
        lock.tenant_id, step.state().message_starts().get(each).record.message_name,
        lock.correlation_key, lock.bpmn_process_id, step.now());
    if (!message.is_set() || (next.message.is_set() && next.message < message)) continue;
    next = {message, each};
  }
  return next;
}

}  // namespace

void begin_correlation(Step& step, SubscriptionKey subscription, MessageKey message) {
  MessageSubscriptionRecord value = step.state().message_subscriptions().get(subscription).record;
  value.message_key = message;
  value.variables = message_of(step, message).variables;
  value.attempt = step.next_key();
  step.event(MessageSubscriptionIntent::Correlating, subscription, value);
  send_to_instance(step, ProcessMessageSubscriptionIntent::Correlate, value);
}

ProcessInstanceKey start_by_message(Step& step, StartSubscriptionKey start_subscription,
                                    MessageKey message) {
  MessageStartEventSubscriptionRecord value =
      step.state().message_starts().get(start_subscription).record;
  const MessageRecord& published = message_of(step, message);
  if (step.state().messages().is_marked(message, value.bpmn_process_id))
    return ProcessInstanceKey{};
  if (!published.correlation_key.empty() &&
      step.state().message_starts().is_locked(value.tenant_id, value.bpmn_process_id,
                                              published.correlation_key)) {
    return ProcessInstanceKey{};
  }
  const Definition& definition = step.state().definitions().get(value.process_definition_key);
  const bpmn::Element& start_event =
      start_event_of(definition, value.start_event_id, value.event_definition_id);
  const ProcessInstanceKey instance{step.next_key()};
  value.message_key = message;
  value.correlation_key = published.correlation_key;
  value.process_instance_key = instance;
  value.variables = published.variables;
  step.event(MessageStartEventSubscriptionIntent::Correlated, start_subscription, value);
  start_by_event(step, instance, definition, start_event, value.variables);
  return instance;
}

void correlate_to_all(Step& step, MessageKey message, record::MessageBatchRecord served) {
  const bool is_done =
      serve_subscriptions(step, message, served) && serve_starts(step, message, served);
  const bool goes_on = is_receivers_command(step);
  const bool has_request = step.state().messages().find_request(message) != nullptr;
  if (!is_done) {
    // Count the waiting receivers as one candidate, so that the sender is not answered too early.
    if (has_request && !goes_on) change_candidates(step, message, 1);
    return step.command(MessageBatchIntent::Correlate, message, served);
  }
  if (has_request && goes_on) {
    change_candidates(step, message, -1 - served.unserved);
    answer_not_correlated(step, message);
  }
  const MessageRecord& value = message_of(step, message);
  const bool is_overdue = goes_on && value.deadline <= step.now();
  if (value.time_to_live.count() <= 0 || is_overdue) expire_message(step, message);
}

std::optional<MessageStartLockRow> message_lock_of(const Step& step, Key instance) {
  const MessageStartLockRow* lock = step.state().message_starts().find_lock(instance);
  return lock != nullptr ? std::optional{*lock} : std::nullopt;
}

bool start_next_by_message(Step& step, const MessageStartLockRow& lock) {
  const NextStart next = find_next_start(step, lock);
  return next.message.is_set() && start_by_message(step, next.start, next.message).is_set();
}

void release_message_lock(Step& step, const MessageStartLockRow& lock) {
  const NextStart next = find_next_start(step, lock);
  if (!next.message.is_set()) return;
  // The step writes the variables twice: with the correlation of the start event and with its
  // trigger.
  const std::int64_t bytes = 2 * bytes_of(message_of(step, next.message).variables);
  if (bytes <= static_cast<std::int64_t>(step.bytes_left())) {
    start_by_message(step, next.start, next.message);
    return;
  }
  record::MessageBatchRecord command;
  command.tenant_id = lock.tenant_id;
  command.bpmn_process_id = lock.bpmn_process_id;
  command.correlation_key = lock.correlation_key;
  step.command(MessageBatchIntent::Start, Key{}, command);
}

void correlate_next(Step& step, SubscriptionKey subscription) {
  const MessageSubscriptionRecord& value =
      step.state().message_subscriptions().get(subscription).record;
  const MessageKey message =
      step.state().messages().oldest_for(value.tenant_id, value.message_name, value.correlation_key,
                                         value.bpmn_process_id, step.now());
  if (message.is_set()) begin_correlation(step, subscription, message);
}

void correlate_again(Step& step, MessageKey message, const MessageSubscriptionRecord& former) {
  const MessageRow* row = step.state().messages().find(message);
  if (row == nullptr || row->record.deadline <= step.now()) {
    return answer_not_correlated(step, message);
  }
  const MessageRecord& value = row->record;
  const SubscriptionKey waiting = step.state().message_subscriptions().longest_waiting_of(
      value.tenant_id, value.name, value.correlation_key, former.bpmn_process_id);
  if (waiting.is_set()) return begin_correlation(step, waiting, message);
  const MessageStarts& starts = step.state().message_starts();
  for (const StartSubscriptionKey start : starts.of_name(value.tenant_id, value.name)) {
    if (starts.get(start).record.bpmn_process_id != former.bpmn_process_id) continue;
    if (start_by_message(step, start, message).is_set()) return;
  }
}

void answer_correlated(Step& step, MessageKey message, ProcessInstanceKey process_instance) {
  const MessageCorrelationRow* row = step.state().messages().find_request(message);
  if (row == nullptr) return;
  MessageCorrelationRecord value = row->record;
  value.process_instance_key = process_instance;
  step.event(MessageCorrelationIntent::Correlated, message, value);
  step.respond_to(value.request_id, MessageCorrelationIntent::Correlated, message, value);
}

void expire_message(Step& step, MessageKey message) {
  MessageRecord value = message_of(step, message);
  // The variables are on the log with PUBLISHED, and nobody needs them again.
  value.variables = {};
  step.event(MessageIntent::Expired, message, value);
}

void open_message_start(Step& step, const Definition& definition, const bpmn::Element& start_event,
                        std::string_view message_name) {
  MessageStartEventSubscriptionRecord value;
  fill_owner(value, definition);
  value.start_event_id = start_event.id;
  value.event_definition_id = start_event.parts().definition_id;
  value.message_name = message_name;
  step.event(MessageStartEventSubscriptionIntent::Created, step.next_key(), value);
}

void close_message_start(Step& step, Key start_subscription) {
  // Copy the record, because the event removes the row.
  const MessageStartEventSubscriptionRecord value =
      step.state().message_starts().get(start_subscription).record;
  step.event(MessageStartEventSubscriptionIntent::Deleted, start_subscription, value);
}

}  // namespace beeline::engine
