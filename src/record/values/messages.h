#pragma once

#include "record/values/common.h"

// Messages, both sides of the subscriptions to them, and message start events.
namespace beeline::record {

#define BEELINE_MESSAGE_INTENTS(COMMAND, EVENT) \
  COMMAND(Publish, 0, "PUBLISH")                \
  EVENT(Published, 1, "PUBLISHED")              \
  COMMAND(Expire, 2, "EXPIRE")                  \
  EVENT(Expired, 3, "EXPIRED")
BEELINE_INTENTS(MessageIntent, BEELINE_MESSAGE_INTENTS);

struct MessageRecord {
  static constexpr ValueType kType = ValueType::Message;
  using Intent = MessageIntent;

  std::string name;
  std::string correlation_key;
  std::string message_id;  // empty if it is not checked for uniqueness
  Milliseconds time_to_live{0};
  Timestamp deadline{-1};
  Document variables;  // not on EXPIRED
  std::string tenant_id{kDefaultTenant};
  bool operator==(const MessageRecord&) const = default;
  static constexpr auto kSubject = &MessageRecord::name;
  static constexpr Owner kOwner = Owner::Nobody;
  static constexpr auto fields() {
    using T = MessageRecord;
    return std::tuple{field(1, "name", &T::name),
                      field(2, "correlationKey", &T::correlation_key),
                      field(3, "messageId", &T::message_id),
                      field(4, "timeToLive", &T::time_to_live),
                      field(5, "deadline", &T::deadline),
                      field(6, "variables", &T::variables),
                      field(7, "tenantId", &T::tenant_id)};
  }
};

#define BEELINE_MESSAGE_SUBSCRIPTION_INTENTS(COMMAND, EVENT) \
  COMMAND(Create, 0, "CREATE")                               \
  EVENT(Created, 1, "CREATED")                               \
  COMMAND(Correlate, 2, "CORRELATE")                         \
  EVENT(Correlated, 3, "CORRELATED")                         \
  COMMAND(Reject, 4, "REJECT")                               \
  EVENT(Rejected, 5, "REJECTED")                             \
  COMMAND(Delete, 6, "DELETE")                               \
  EVENT(Deleted, 7, "DELETED")                               \
  EVENT(Correlating, 8, "CORRELATING")
BEELINE_INTENTS(MessageSubscriptionIntent, BEELINE_MESSAGE_SUBSCRIPTION_INTENTS);

// The side of a subscription that the message's partition keeps. An attempt is a key drawn for
// every CORRELATING, so a late duplicate cannot be taken for a new try.
struct MessageSubscriptionRecord {
  static constexpr ValueType kType = ValueType::MessageSubscription;
  using Intent = MessageSubscriptionIntent;

  Key process_instance_key;
  Key element_instance_key;
  Key process_definition_key;
  std::string bpmn_process_id;
  std::string element_id;
  ElementType element_type = ElementType::Unspecified;
  std::string message_name;
  std::string correlation_key;
  bool interrupting = true;
  Key message_key;
  Document variables;
  Key attempt;
  Key last_attempt;          // on DELETE: the newest attempt that the instance accepted
  Key released_message_key;  // on DELETED: a message that is free for another subscription
  std::string tenant_id{kDefaultTenant};
  Key root_process_instance_key;
  bool operator==(const MessageSubscriptionRecord&) const = default;
  static constexpr auto kSubject = &MessageSubscriptionRecord::message_name;
  static constexpr Owner kOwner = Owner::Nobody;
  static constexpr auto fields() {
    using T = MessageSubscriptionRecord;
    return std::tuple{field(1, "processInstanceKey", &T::process_instance_key),
                      field(2, "elementInstanceKey", &T::element_instance_key),
                      field(3, "processDefinitionKey", &T::process_definition_key),
                      field(4, "bpmnProcessId", &T::bpmn_process_id),
                      field(5, "elementId", &T::element_id),
                      field(6, "elementType", &T::element_type),
                      field(7, "messageName", &T::message_name),
                      field(8, "correlationKey", &T::correlation_key),
                      field(9, "interrupting", &T::interrupting),
                      field(10, "messageKey", &T::message_key),
                      field(11, "variables", &T::variables),
                      field(12, "attempt", &T::attempt),
                      field(13, "lastAttempt", &T::last_attempt),
                      field(14, "releasedMessageKey", &T::released_message_key),
                      field(15, "tenantId", &T::tenant_id),
                      field(16, "rootProcessInstanceKey", &T::root_process_instance_key)};
  }
};

#define BEELINE_PROCESS_MESSAGE_SUBSCRIPTION_INTENTS(COMMAND, EVENT) \
  EVENT(Creating, 0, "CREATING")                                     \
  COMMAND(Create, 1, "CREATE")                                       \
  EVENT(Created, 2, "CREATED")                                       \
  COMMAND(Correlate, 3, "CORRELATE")                                 \
  EVENT(Correlated, 4, "CORRELATED")                                 \
  EVENT(Deleting, 5, "DELETING")                                     \
  COMMAND(Delete, 6, "DELETE")                                       \
  EVENT(Deleted, 7, "DELETED")
BEELINE_INTENTS(ProcessMessageSubscriptionIntent, BEELINE_PROCESS_MESSAGE_SUBSCRIPTION_INTENTS);

// The side of a subscription that the process instance's partition keeps.
struct ProcessMessageSubscriptionRecord {
  static constexpr ValueType kType = ValueType::ProcessMessageSubscription;
  using Intent = ProcessMessageSubscriptionIntent;

  PartitionId subscription_partition_id;  // partition of the other side
  Key process_instance_key;
  Key element_instance_key;
  Key process_definition_key;
  std::string bpmn_process_id;
  std::string element_id;  // the catch event, which may differ from the element that waits
  ElementType element_type = ElementType::Unspecified;
  std::string message_name;
  std::string correlation_key;
  bool interrupting = true;
  Key message_key;
  Document variables;  // on CORRELATE; later records are PROCESS_EVENT TRIGGERING
  Key attempt;
  Key last_attempt;  // the newest accepted attempt
  std::string tenant_id{kDefaultTenant};
  Key root_process_instance_key;
  std::string event_definition_id;  // in a multiple event
  bool operator==(const ProcessMessageSubscriptionRecord&) const = default;
  static constexpr auto kSubject = &ProcessMessageSubscriptionRecord::message_name;
  // Opening and closing only keep the two sides in agreement. They continue for a banned instance,
  // so that no row of it is left.
  static constexpr Owner owner_of(Intent intent) {
    return intent == Intent::Correlate ? Owner::Instance : Owner::Nobody;
  }
  static constexpr auto fields() {
    using T = ProcessMessageSubscriptionRecord;
    return std::tuple{field(1, "subscriptionPartitionId", &T::subscription_partition_id),
                      field(2, "processInstanceKey", &T::process_instance_key),
                      field(3, "elementInstanceKey", &T::element_instance_key),
                      field(4, "processDefinitionKey", &T::process_definition_key),
                      field(5, "bpmnProcessId", &T::bpmn_process_id),
                      field(6, "elementId", &T::element_id),
                      field(7, "elementType", &T::element_type),
                      field(8, "messageName", &T::message_name),
                      field(9, "correlationKey", &T::correlation_key),
                      field(10, "interrupting", &T::interrupting),
                      field(11, "messageKey", &T::message_key),
                      field(12, "variables", &T::variables),
                      field(13, "attempt", &T::attempt),
                      field(14, "lastAttempt", &T::last_attempt),
                      field(15, "tenantId", &T::tenant_id),
                      field(16, "rootProcessInstanceKey", &T::root_process_instance_key),
                      field(17, "eventDefinitionId", &T::event_definition_id)};
  }
};

#define BEELINE_MESSAGE_START_EVENT_SUBSCRIPTION_INTENTS(COMMAND, EVENT) \
  EVENT(Created, 0, "CREATED")                                           \
  EVENT(Correlated, 1, "CORRELATED")                                     \
  EVENT(Deleted, 2, "DELETED")
BEELINE_INTENTS(MessageStartEventSubscriptionIntent,
                BEELINE_MESSAGE_START_EVENT_SUBSCRIPTION_INTENTS);

struct MessageStartEventSubscriptionRecord {
  static constexpr ValueType kType = ValueType::MessageStartEventSubscription;
  using Intent = MessageStartEventSubscriptionIntent;

  Key process_definition_key;
  std::string bpmn_process_id;
  std::string start_event_id;
  std::string message_name;
  // The following fields are set on CORRELATED only.
  Key message_key;
  std::string correlation_key;
  Key process_instance_key;
  Document variables;
  std::string tenant_id{kDefaultTenant};
  std::string event_definition_id;  // in a multiple event
  bool operator==(const MessageStartEventSubscriptionRecord&) const = default;
  static constexpr auto kSubject = &MessageStartEventSubscriptionRecord::message_name;
  static constexpr Owner kOwner = Owner::Nobody;
  static constexpr auto fields() {
    using T = MessageStartEventSubscriptionRecord;
    return std::tuple{field(1, "processDefinitionKey", &T::process_definition_key),
                      field(2, "bpmnProcessId", &T::bpmn_process_id),
                      field(3, "startEventId", &T::start_event_id),
                      field(4, "messageName", &T::message_name),
                      field(5, "messageKey", &T::message_key),
                      field(6, "correlationKey", &T::correlation_key),
                      field(7, "processInstanceKey", &T::process_instance_key),
                      field(8, "variables", &T::variables),
                      field(9, "tenantId", &T::tenant_id),
                      field(10, "eventDefinitionId", &T::event_definition_id)};
  }
};

#define BEELINE_MESSAGE_BATCH_INTENTS(COMMAND, EVENT) \
  COMMAND(Expire, 0, "EXPIRE")                        \
  COMMAND(Correlate, 1, "CORRELATE")                  \
  COMMAND(Start, 2, "START")
BEELINE_INTENTS(MessageBatchIntent, BEELINE_MESSAGE_BATCH_INTENTS);

// Commands about messages that take several steps, each of which continues where the previous one
// stopped: EXPIRE removes expired messages, CORRELATE delivers a message to its receivers, START
// starts the next instance for a correlation key that has become free.
struct MessageBatchRecord {
  static constexpr ValueType kType = ValueType::MessageBatch;
  using Intent = MessageBatchIntent;

  std::string tenant_id{kDefaultTenant};
  // On CORRELATE, which continues to deliver a message: the subscriptions of the processes up to
  // this one have been served. On START: the process to be started.
  std::string bpmn_process_id;
  // On CORRELATE: the subscriptions of all processes have been served, and the start events up to
  // this one; unset while subscriptions are left.
  Key start_subscription_key;
  // On CORRELATE, if the sender of the message waits: the candidates that were not served yet.
  std::int32_t unserved = 0;
  std::string correlation_key;  // on START
  bool operator==(const MessageBatchRecord&) const = default;
  static constexpr NoSubject kSubject{};
  static constexpr Owner kOwner = Owner::Nobody;
  static constexpr auto fields() {
    using T = MessageBatchRecord;
    return std::tuple{
        field(1, "tenantId", &T::tenant_id), field(2, "bpmnProcessId", &T::bpmn_process_id),
        field(3, "startSubscriptionKey", &T::start_subscription_key),
        field(4, "unserved", &T::unserved), field(5, "correlationKey", &T::correlation_key)};
  }
};

#define BEELINE_MESSAGE_CORRELATION_INTENTS(COMMAND, EVENT) \
  COMMAND(Correlate, 1, "CORRELATE")                        \
  EVENT(Correlating, 2, "CORRELATING")                      \
  EVENT(Correlated, 3, "CORRELATED")                        \
  EVENT(NotCorrelated, 4, "NOT_CORRELATED")                 \
  EVENT(CandidatesChanged, 5, "CANDIDATES_CHANGED")
BEELINE_INTENTS(MessageCorrelationIntent, BEELINE_MESSAGE_CORRELATION_INTENTS);

// A message whose sender waits for the answer who received it. It is never buffered.
struct MessageCorrelationRecord {
  static constexpr ValueType kType = ValueType::MessageCorrelation;
  using Intent = MessageCorrelationIntent;

  std::string name;
  std::string correlation_key;
  Document variables;  // on CORRELATE
  Key message_key;
  std::uint64_t request_id = 0;  // the request that waits
  // Subscriptions that may still receive it, and one more while it is still being delivered. On
  // CANDIDATES_CHANGED: the change of this number.
  std::int32_t candidates = 0;
  // On CORRELATE: only a subscription of this instance may receive it. On CORRELATED: the receiver.
  Key process_instance_key;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const MessageCorrelationRecord&) const = default;
  static constexpr auto kSubject = &MessageCorrelationRecord::name;
  static constexpr Owner kOwner = Owner::Nobody;
  static constexpr auto fields() {
    using T = MessageCorrelationRecord;
    return std::tuple{field(1, "name", &T::name),
                      field(2, "correlationKey", &T::correlation_key),
                      field(3, "variables", &T::variables),
                      field(4, "messageKey", &T::message_key),
                      field(5, "requestId", &T::request_id),
                      field(6, "candidates", &T::candidates),
                      field(7, "processInstanceKey", &T::process_instance_key),
                      field(8, "tenantId", &T::tenant_id)};
  }
};

}  // namespace beeline::record
