#include "engine/behaviors/message_correlation.h"

#include <fmt/format.h>

#include "base/check.h"
#include "engine/behaviors/instance_start.h"
#include "engine/behaviors/message_protocol.h"

namespace beeline::engine {
namespace {

using record::MessageCorrelationIntent;
using record::MessageCorrelationRecord;
using record::MessageIntent;
using record::MessageRecord;
using record::MessageStartEventSubscriptionIntent;
using record::MessageStartEventSubscriptionRecord;
using record::MessageSubscriptionIntent;
using record::MessageSubscriptionRecord;
using record::ProcessMessageSubscriptionIntent;

const MessageRecord& message_of(const Step& step, Key key) {
  const MessageRow* row = step.state().messages().find(key);
  BEELINE_ENSURE(row != nullptr, "no message with key {}", key.value());
  return row->record;
}

// The sender hears that nobody took it once the last who could have is gone.
void answer_not_correlated(Step& step, Key message) {
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

}  // namespace

void begin_correlation(Step& step, Key subscription, Key message) {
  MessageSubscriptionRecord value = step.state().message_subscriptions().find(subscription)->record;
  value.message_key = message;
  value.variables = message_of(step, message).variables;
  value.attempt = step.next_key();
  step.event(MessageSubscriptionIntent::Correlating, subscription, value);
  send_to_instance(step, ProcessMessageSubscriptionIntent::Correlate, value);
}

int correlate_to_subscriptions(Step& step, Key message) {
  const MessageRecord& value = message_of(step, message);
  int count = 0;
  for (const Key subscription : step.state().message_subscriptions().longest_waiting(
           value.tenant_id, value.name, value.correlation_key)) {
    begin_correlation(step, subscription, message);
    ++count;
  }
  return count;
}

Key start_by_message(Step& step, Key start_subscription, Key message) {
  MessageStartEventSubscriptionRecord value =
      step.state().message_starts().find(start_subscription)->record;
  const MessageRecord& published = message_of(step, message);
  if (step.state().messages().is_marked(message, value.bpmn_process_id)) return Key{};
  if (!published.correlation_key.empty() &&
      step.state().message_starts().is_locked(value.tenant_id, value.bpmn_process_id,
                                              published.correlation_key)) {
    return Key{};
  }
  const Definition* definition = step.state().definitions().find(value.process_definition_key);
  BEELINE_ENSURE(definition != nullptr, "no process definition with key {}",
                 value.process_definition_key.value());
  const bpmn::Element* start_event = definition->model->find(value.start_event_id);
  BEELINE_ENSURE(start_event != nullptr, "no start event '{}'", value.start_event_id);
  const Key instance = step.next_key();
  value.message_key = message;
  value.correlation_key = published.correlation_key;
  value.process_instance_key = instance;
  value.variables = published.variables;
  step.event(MessageStartEventSubscriptionIntent::Correlated, start_subscription, value);
  start_by_event(step, instance, *definition, *start_event, value.variables);
  return instance;
}

std::vector<Key> start_by_message(Step& step, Key message) {
  std::vector<Key> instances;
  const MessageRecord& value = message_of(step, message);
  for (const Key start : step.state().message_starts().of_name(value.tenant_id, value.name)) {
    const Key instance = start_by_message(step, start, message);
    if (instance.is_set()) instances.push_back(instance);
  }
  return instances;
}

std::optional<MessageStartLockRow> message_lock_of(const Step& step, Key instance) {
  const MessageStartLockRow* lock = step.state().message_starts().find_lock(instance);
  return lock != nullptr ? std::optional{*lock} : std::nullopt;
}

void start_next_by_message(Step& step, const MessageStartLockRow& lock) {
  const Definition* latest =
      step.state().definitions().find_latest(lock.tenant_id, lock.bpmn_process_id);
  if (latest == nullptr) return;
  Key oldest;
  Key start;
  for (const Key each : step.state().message_starts().of_definition(latest->key)) {
    const Key message = step.state().messages().oldest_for(
        lock.tenant_id, step.state().message_starts().find(each)->record.message_name,
        lock.correlation_key, lock.bpmn_process_id, step.now());
    if (!message.is_set() || (oldest.is_set() && oldest < message)) continue;
    oldest = message;
    start = each;
  }
  if (oldest.is_set()) start_by_message(step, start, oldest);
}

void correlate_next(Step& step, Key subscription) {
  const MessageSubscriptionRecord& value =
      step.state().message_subscriptions().find(subscription)->record;
  const Key message =
      step.state().messages().oldest_for(value.tenant_id, value.message_name, value.correlation_key,
                                         value.bpmn_process_id, step.now());
  if (message.is_set()) begin_correlation(step, subscription, message);
}

void correlate_again(Step& step, Key message, const MessageSubscriptionRecord& former) {
  const MessageRow* row = step.state().messages().find(message);
  if (row == nullptr || row->record.deadline <= step.now()) {
    return answer_not_correlated(step, message);
  }
  const MessageRecord& value = row->record;
  const Key waiting = step.state().message_subscriptions().longest_waiting_of(
      value.tenant_id, value.name, value.correlation_key, former.bpmn_process_id);
  if (waiting.is_set()) return begin_correlation(step, waiting, message);
  const MessageStarts& starts = step.state().message_starts();
  for (const Key start : starts.of_name(value.tenant_id, value.name)) {
    if (starts.find(start)->record.bpmn_process_id != former.bpmn_process_id) continue;
    if (start_by_message(step, start, message).is_set()) return;
  }
}

void answer_correlated(Step& step, Key message, Key process_instance) {
  const MessageCorrelationRow* row = step.state().messages().find_request(message);
  if (row == nullptr) return;
  MessageCorrelationRecord value = row->record;
  value.process_instance_key = process_instance;
  step.event(MessageCorrelationIntent::Correlated, message, value);
  step.respond_to(value.request_id, MessageCorrelationIntent::Correlated, message, value);
}

void expire_message(Step& step, Key message) {
  MessageRecord value = message_of(step, message);
  // They were on the log with PUBLISHED; nobody needs them again.
  value.variables = {};
  step.event(MessageIntent::Expired, message, value);
}

void replace_message_starts(Step& step, const Definition* closed, const Definition* opened) {
  if (closed != nullptr) {
    const MessageStarts& starts = step.state().message_starts();
    for (const Key key : starts.of_definition(closed->key)) {
      const MessageStartEventSubscriptionRecord value = starts.find(key)->record;
      step.event(MessageStartEventSubscriptionIntent::Deleted, key, value);
    }
  }
  if (opened == nullptr) return;
  for (const bpmn::ElementIndex index : opened->model->root().start_events) {
    const bpmn::Element& event = opened->model->element(index);
    if (event.event_type != record::EventType::Message) continue;
    MessageStartEventSubscriptionRecord value;
    value.process_definition_key = opened->key;
    value.bpmn_process_id = opened->bpmn_process_id;
    value.start_event_id = event.id;
    value.message_name = event.parts().message->name.text;
    value.tenant_id = opened->tenant_id;
    step.event(MessageStartEventSubscriptionIntent::Created, step.next_key(), value);
  }
}

}  // namespace beeline::engine
