#pragma once

#include "record/principal.h"
#include "record/values/common.h"

// Signals, which reach everybody who waits for their name, and the subscriptions to them.
namespace beeline::record {

#define BEELINE_SIGNAL_SUBSCRIPTION_INTENTS(COMMAND, EVENT) \
  EVENT(Created, 0, "CREATED")                              \
  EVENT(Deleted, 1, "DELETED")
BEELINE_INTENTS(SignalSubscriptionIntent, BEELINE_SIGNAL_SUBSCRIPTION_INTENTS);

struct SignalSubscriptionRecord {
  static constexpr ValueType kType = ValueType::SignalSubscription;
  using Intent = SignalSubscriptionIntent;

  std::string signal_name;
  Key element_instance_key;  // the host of the catch event; unset for a start event
  std::string element_id;    // the catch event, which may differ from the element that waits
  ElementType element_type = ElementType::Unspecified;
  Key process_definition_key;
  std::string bpmn_process_id;
  Key process_instance_key;  // unset for a start event
  std::string tenant_id{kDefaultTenant};
  std::string event_definition_id;  // in a multiple event
  bool operator==(const SignalSubscriptionRecord&) const = default;
  static constexpr auto kSubject = &SignalSubscriptionRecord::signal_name;
  static constexpr Owner kOwner = Owner::Nobody;
  static constexpr auto fields() {
    using T = SignalSubscriptionRecord;
    return std::tuple{field(1, "signalName", &T::signal_name),
                      field(2, "catchEventInstanceKey", &T::element_instance_key),
                      field(3, "catchEventId", &T::element_id),
                      field(4, "bpmnElementType", &T::element_type),
                      field(5, "processDefinitionKey", &T::process_definition_key),
                      field(6, "bpmnProcessId", &T::bpmn_process_id),
                      field(7, "processInstanceKey", &T::process_instance_key),
                      field(8, "tenantId", &T::tenant_id),
                      field(9, "eventDefinitionId", &T::event_definition_id)};
  }
};

// PAUSED, CONTINUE and COMPLETED are ours; their numbers leave the protocol room to grow.
#define BEELINE_SIGNAL_INTENTS(COMMAND, EVENT) \
  COMMAND(Broadcast, 0, "BROADCAST")           \
  EVENT(Broadcasted, 1, "BROADCASTED")         \
  EVENT(Paused, 20, "PAUSED")                  \
  COMMAND(Continue, 21, "CONTINUE")            \
  EVENT(Completed, 22, "COMPLETED")
BEELINE_INTENTS(SignalIntent, BEELINE_SIGNAL_INTENTS);

// A signal that is broadcast. A signal with more receivers than one step serves is PAUSED at the
// end of each step and goes on with CONTINUE, until it is COMPLETED.
struct SignalRecord {
  static constexpr ValueType kType = ValueType::Signal;
  using Intent = SignalIntent;

  std::string signal_name;
  Document variables;  // not on PAUSED after the first one, nor on CONTINUE and COMPLETED
  std::string tenant_id{kDefaultTenant};
  // On BROADCAST: the client waits for the number of receivers on all partitions.
  bool awaits_count = false;
  // The receivers of the signal: on PAUSED, those of the step; on COMPLETED and in an answer, all.
  std::int64_t delivered_count = 0;
  // The instances that the signal started, if a client waits for the count. On PAUSED: those of the
  // step.
  std::vector<Key> started_instances;
  // In an answer: false if some partitions have not reported their receivers.
  bool complete = true;
  // The following fields are set on PAUSED.
  Key cursor;        // the last subscription that was served
  Key snapshot_key;  // older subscriptions receive the signal
  std::uint64_t request_id = 0;
  EncodedPrincipal principal;
  // On another partition than the one that took the signal: the lowest key that the latter waits
  // for.
  Key min_pending_key;
  bool operator==(const SignalRecord&) const = default;
  static constexpr auto kSubject = &SignalRecord::signal_name;
  static constexpr Owner kOwner = Owner::Nobody;
  static constexpr auto fields() {
    using T = SignalRecord;
    return std::tuple{field(1, "signalName", &T::signal_name),
                      field(2, "variables", &T::variables),
                      field(3, "tenantId", &T::tenant_id),
                      field(4, "awaitsCount", &T::awaits_count),
                      field(5, "deliveredCount", &T::delivered_count),
                      field(6, "startedInstances", &T::started_instances),
                      field(7, "complete", &T::complete),
                      field(8, "cursor", &T::cursor),
                      field(9, "snapshotKey", &T::snapshot_key),
                      field(10, "requestId", &T::request_id),
                      field(11, "principal", &T::principal),
                      field(12, "minPendingKey", &T::min_pending_key)};
  }
};

}  // namespace beeline::record
