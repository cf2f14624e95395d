#include "base/check.h"
#include "engine/appliers/appliers.h"

// Appliers of messages, of both sides of message subscriptions, and of message start events.
namespace beeline::engine {
namespace {

using record::MessageBatchIntent;
using record::MessageCorrelationIntent;
using record::MessageIntent;
using record::MessageStartEventSubscriptionIntent;
using record::MessageStartEventSubscriptionRecord;
using record::MessageSubscriptionIntent;
using record::MessageSubscriptionRecord;
using record::ProcessMessageSubscriptionIntent;
using record::ProcessMessageSubscriptionRecord;

void correlating(EngineState& state, Key key, const MessageSubscriptionRecord& value) {
  BEELINE_CHECK(value.attempt.is_set(), "subscription {} correlates without an attempt",
                key.value());
  state.message_subscriptions().update(key, [&](MessageSubscriptionRow& row) {
    BEELINE_CHECK(!row.is_correlating, "subscription {} correlates message {} already", key.value(),
                  row.record.message_key.value());
    row.is_correlating = true;
    row.record.message_key = value.message_key;
    row.record.variables = value.variables;
    row.record.attempt = value.attempt;
  });
  state.messages().mark(value.message_key, value.bpmn_process_id);
  // The attempt uses up a key, but no record has that key. Count it here so that it is not given
  // out again after a restart.
  const std::int64_t counter = counter_of(value.attempt);
  if (counter > state.key_counter()) state.set_key_counter(counter);
}

void correlated(EngineState& state, Key key, const MessageSubscriptionRecord& value) {
  if (value.interrupting) return state.message_subscriptions().erase(key);
  state.message_subscriptions().update(key, [&](MessageSubscriptionRow& row) {
    BEELINE_CHECK(row.is_correlating, "subscription {} correlates no message", key.value());
    row.is_correlating = false;
    row.record.message_key = Key{};
    row.record.variables = {};
    row.record.attempt = Key{};
  });
}

// Frees a message that did not reach its instance, so that another instance can take it.
void release(EngineState& state, Key message, const std::string& bpmn_process_id) {
  state.messages().unmark(message, bpmn_process_id);
  state.messages().change_candidates(message, -1);
}

void process_correlated(EngineState& state, Key key,
                        const ProcessMessageSubscriptionRecord& value) {
  // When both sides share a log, no acknowledgement can be lost, so the row need not wait for one.
  if (value.interrupting && value.subscription_partition_id == state.partition()) {
    return state.process_message_subscriptions().erase(key);
  }
  state.process_message_subscriptions().update(key, [&](ProcessMessageSubscriptionRow& row) {
    BEELINE_CHECK(row.state != SubscriptionState::Closing,
                  "subscription {} takes a message while it is being closed", key.value());
    row.record.last_attempt = value.last_attempt;
    row.state = value.interrupting ? SubscriptionState::Closing : SubscriptionState::Opened;
  });
}

void start_correlated(EngineState& state, const MessageStartEventSubscriptionRecord& value) {
  BEELINE_CHECK(value.process_instance_key.is_set(), "message {} starts no instance",
                value.message_key.value());
  state.messages().mark(value.message_key, value.bpmn_process_id);
  if (value.correlation_key.empty()) return;
  state.message_starts().lock(value.process_instance_key,
                              {value.tenant_id, value.bpmn_process_id, value.correlation_key});
}

}  // namespace

void apply(EngineState& state, const record::Metadata& metadata,
           const record::MessageRecord& value) {
  check_version(metadata, 1);
  switch (static_cast<MessageIntent>(metadata.intent)) {
    case MessageIntent::Published:
      return state.messages().insert(metadata.key, value);
    case MessageIntent::Expired:
      return state.messages().erase(metadata.key);
    case MessageIntent::Publish:
    case MessageIntent::Expire:
      break;  // commands
  }
  no_applier(metadata);
}

void apply(EngineState& state, const record::Metadata& metadata,
           const record::MessageSubscriptionRecord& value) {
  check_version(metadata, 1);
  const Key key = metadata.key;
  switch (static_cast<MessageSubscriptionIntent>(metadata.intent)) {
    case MessageSubscriptionIntent::Created:
      return state.message_subscriptions().insert(key, value);
    case MessageSubscriptionIntent::Correlating:
      return correlating(state, key, value);
    case MessageSubscriptionIntent::Correlated:
      return correlated(state, key, value);
    case MessageSubscriptionIntent::Rejected:
      state.message_subscriptions().erase(key);
      return release(state, value.message_key, value.bpmn_process_id);
    case MessageSubscriptionIntent::Deleted:
      state.message_subscriptions().erase(key);
      if (!value.released_message_key.is_set()) return;
      return release(state, value.released_message_key, value.bpmn_process_id);
    case MessageSubscriptionIntent::Create:
    case MessageSubscriptionIntent::Correlate:
    case MessageSubscriptionIntent::Reject:
    case MessageSubscriptionIntent::Delete:
      break;  // commands
  }
  no_applier(metadata);
}

void apply(EngineState& state, const record::Metadata& metadata,
           const record::ProcessMessageSubscriptionRecord& value) {
  check_version(metadata, 1);
  const Key key = metadata.key;
  const auto set_state = [&](SubscriptionState to) {
    state.process_message_subscriptions().update(
        key, [&](ProcessMessageSubscriptionRow& row) { row.state = to; });
  };
  switch (static_cast<ProcessMessageSubscriptionIntent>(metadata.intent)) {
    case ProcessMessageSubscriptionIntent::Creating:
      return state.process_message_subscriptions().insert(key, value);
    case ProcessMessageSubscriptionIntent::Created:
      return set_state(SubscriptionState::Opened);
    case ProcessMessageSubscriptionIntent::Correlated:
      return process_correlated(state, key, value);
    case ProcessMessageSubscriptionIntent::Deleting:
      return set_state(SubscriptionState::Closing);
    case ProcessMessageSubscriptionIntent::Deleted:
      return state.process_message_subscriptions().erase(key);
    case ProcessMessageSubscriptionIntent::Create:
    case ProcessMessageSubscriptionIntent::Correlate:
    case ProcessMessageSubscriptionIntent::Delete:
      break;  // commands
  }
  no_applier(metadata);
}

void apply(EngineState& state, const record::Metadata& metadata,
           const record::MessageStartEventSubscriptionRecord& value) {
  check_version(metadata, 1);
  switch (static_cast<MessageStartEventSubscriptionIntent>(metadata.intent)) {
    case MessageStartEventSubscriptionIntent::Created:
      return state.message_starts().insert(metadata.key, value);
    case MessageStartEventSubscriptionIntent::Correlated:
      return start_correlated(state, value);
    case MessageStartEventSubscriptionIntent::Deleted:
      return state.message_starts().erase(metadata.key);
  }
  no_applier(metadata);
}

void apply(EngineState&, const record::Metadata& metadata, const record::MessageBatchRecord&) {
  switch (static_cast<MessageBatchIntent>(metadata.intent)) {
    case MessageBatchIntent::Expire:
    case MessageBatchIntent::Correlate:
    case MessageBatchIntent::Start:
      break;  // commands; each message has an event of its own
  }
  no_applier(metadata);
}

void apply(EngineState& state, const record::Metadata& metadata,
           const record::MessageCorrelationRecord& value) {
  check_version(metadata, 1);
  switch (static_cast<MessageCorrelationIntent>(metadata.intent)) {
    case MessageCorrelationIntent::Correlating:
      return state.messages().insert_request(value.message_key, value);
    case MessageCorrelationIntent::Correlated:
    case MessageCorrelationIntent::NotCorrelated:
      return state.messages().erase_request(value.message_key);
    case MessageCorrelationIntent::CandidatesChanged:
      return state.messages().change_candidates(value.message_key, value.candidates);
    case MessageCorrelationIntent::Correlate:
      break;  // a command
  }
  no_applier(metadata);
}

}  // namespace beeline::engine
