#pragma once

#include "record/values/common.h"

// Conditional events: the subscriptions of those that wait, and the requests of clients to start
// processes whose conditions hold.
namespace beeline::record {

// EVALUATE is beeline's own: conditions for which a command has no time left are decided by it. Its
// number leaves the protocol room to grow.
#define BEELINE_CONDITIONAL_SUBSCRIPTION_INTENTS(COMMAND, EVENT) \
  EVENT(Created, 0, "CREATED")                                   \
  COMMAND(Trigger, 1, "TRIGGER")                                 \
  EVENT(Triggered, 2, "TRIGGERED")                               \
  EVENT(Deleted, 3, "DELETED")                                   \
  COMMAND(Evaluate, 20, "EVALUATE")
BEELINE_INTENTS(ConditionalSubscriptionIntent, BEELINE_CONDITIONAL_SUBSCRIPTION_INTENTS);

struct ConditionalSubscriptionRecord {
  static constexpr ValueType kType = ValueType::ConditionalSubscription;
  using Intent = ConditionalSubscriptionIntent;

  Key scope_key;  // whose variables the condition sees: the host's; unset for a start event
  Key element_instance_key;  // the host of the catch event; unset for a start event
  std::string element_id;    // the catch event, which may differ from the element that waits
  std::string condition;     // as in the model, with its "="
  std::vector<std::string> variable_names;   // those that the condition may read; empty for any
  std::vector<std::string> variable_events;  // "create", "update"; empty for both
  bool interrupting = true;
  ElementType element_type = ElementType::Unspecified;
  Key process_instance_key;  // unset for a start event
  Key process_definition_key;
  std::string bpmn_process_id;
  Key root_process_instance_key;  // unset for a start event
  std::string tenant_id{kDefaultTenant};
  // On EVALUATE, which has no other fields than these and the process instance: subscriptions whose
  // conditions are to be decided, those of outer scopes first.
  std::vector<Key> candidates;
  std::string event_definition_id;  // in a multiple event
  bool operator==(const ConditionalSubscriptionRecord&) const = default;
  static constexpr auto kSubject = &ConditionalSubscriptionRecord::element_id;
  static constexpr Owner kOwner = Owner::Instance;
  static constexpr auto fields() {
    using T = ConditionalSubscriptionRecord;
    return std::tuple{field(1, "scopeKey", &T::scope_key),
                      field(2, "elementInstanceKey", &T::element_instance_key),
                      field(3, "catchEventId", &T::element_id),
                      field(4, "condition", &T::condition),
                      field(5, "variableNames", &T::variable_names),
                      field(6, "variableEvents", &T::variable_events),
                      field(7, "interrupting", &T::interrupting),
                      field(8, "elementType", &T::element_type),
                      field(9, "processInstanceKey", &T::process_instance_key),
                      field(10, "processDefinitionKey", &T::process_definition_key),
                      field(11, "bpmnProcessId", &T::bpmn_process_id),
                      field(12, "rootProcessInstanceKey", &T::root_process_instance_key),
                      field(13, "tenantId", &T::tenant_id),
                      field(14, "candidates", &T::candidates),
                      field(15, "eventDefinitionId", &T::event_definition_id)};
  }
};

#define BEELINE_CONDITIONAL_EVALUATION_INTENTS(COMMAND, EVENT) \
  COMMAND(Evaluate, 0, "EVALUATE")                             \
  EVENT(Evaluated, 1, "EVALUATED")
BEELINE_INTENTS(ConditionalEvaluationIntent, BEELINE_CONDITIONAL_EVALUATION_INTENTS);

// An instance that a conditional start event has started.
struct StartedProcessInstance {
  static constexpr std::string_view kSchemaName = "StartedProcessInstance";

  Key process_definition_key;
  Key process_instance_key;
  bool operator==(const StartedProcessInstance&) const = default;
  static constexpr auto fields() {
    using T = StartedProcessInstance;
    return std::tuple{field(1, "processDefinitionKey", &T::process_definition_key),
                      field(2, "processInstanceKey", &T::process_instance_key)};
  }
};

struct ConditionalEvaluationRecord {
  static constexpr ValueType kType = ValueType::ConditionalEvaluation;
  using Intent = ConditionalEvaluationIntent;

  Key process_definition_key;  // unset: the start events of all processes
  Document variables;
  std::vector<StartedProcessInstance> started_process_instances;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const ConditionalEvaluationRecord&) const = default;
  static constexpr NoSubject kSubject{};
  static constexpr Owner kOwner = Owner::Nobody;
  static constexpr auto fields() {
    using T = ConditionalEvaluationRecord;
    return std::tuple{field(1, "processDefinitionKey", &T::process_definition_key),
                      field(2, "variables", &T::variables),
                      field(3, "startedProcessInstances", &T::started_process_instances),
                      field(4, "tenantId", &T::tenant_id)};
  }
};

}  // namespace beeline::record
