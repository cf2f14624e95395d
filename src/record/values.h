#pragma once

#include <absl/container/inlined_vector.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "record/document.h"
#include "record/enums.h"
#include "record/field.h"
#include "record/value_type.h"

// The value of each kind of record, in the order of their numbers. A field that is missing on the
// wire has the default written here, so a field may be added at any time and is never retyped.
//
// Values that most commands lead to have two forms: XRecord owns its texts, XView borrows them,
// from the bytes that it was decoded from or from what it was made of. The engine works with the
// latter, within one command.
namespace beeline::record {

inline constexpr std::string_view kDefaultTenant = "<default>";

template <typename Text>
struct BasicJobRecord {
  static constexpr ValueType kType = ValueType::Job;
  using Intent = JobIntent;

  Text type;
  Headers custom_headers;
  Text worker;
  std::int32_t retries = 0;
  std::int32_t priority = 0;
  Milliseconds retry_backoff{0};
  Timestamp recurring_time{-1};
  Timestamp deadline{-1};
  Milliseconds timeout{0};
  Text error_message;
  Text error_code;
  DocumentOf<Text> variables;
  Text element_id;
  ElementType element_type = ElementType::Unspecified;
  Key element_instance_key;
  std::int32_t process_definition_version = -1;
  JobKind kind = JobKind::BpmnElement;
  Key process_instance_key;
  Key process_definition_key;
  Text bpmn_process_id;
  Text tenant_id{kDefaultTenant};
  Key root_process_instance_key;
  std::vector<std::string> tags;
  bool error_caught = false;  // of ERROR_THROWN, since its version 2
  bool operator==(const BasicJobRecord&) const = default;

  // Before version 2 only a marker in place of the element's id told that nobody catches the error,
  // and an element may bear that very id.
  static constexpr std::uint16_t version_of(Intent intent) {
    return intent == Intent::ErrorThrown ? 2 : 1;
  }

  static constexpr auto fields() {
    using T = BasicJobRecord;
    return std::tuple{field(1, "type", &T::type),
                      field(2, "customHeaders", &T::custom_headers),
                      field(3, "worker", &T::worker),
                      field(4, "retries", &T::retries),
                      field(5, "priority", &T::priority),
                      field(6, "retryBackoff", &T::retry_backoff),
                      field(7, "recurringTime", &T::recurring_time),
                      field(8, "deadline", &T::deadline),
                      field(9, "timeout", &T::timeout),
                      field(10, "errorMessage", &T::error_message),
                      field(11, "errorCode", &T::error_code),
                      field(12, "variables", &T::variables),
                      field(13, "elementId", &T::element_id),
                      field(14, "elementType", &T::element_type),
                      field(15, "elementInstanceKey", &T::element_instance_key),
                      field(16, "processDefinitionVersion", &T::process_definition_version),
                      field(17, "jobKind", &T::kind),
                      field(18, "processInstanceKey", &T::process_instance_key),
                      field(19, "processDefinitionKey", &T::process_definition_key),
                      field(20, "bpmnProcessId", &T::bpmn_process_id),
                      field(21, "tenantId", &T::tenant_id),
                      field(22, "rootProcessInstanceKey", &T::root_process_instance_key),
                      field(23, "tags", &T::tags),
                      field(24, "errorCaught", &T::error_caught)};
  }
};
using JobRecord = BasicJobRecord<std::string>;
using JobView = BasicJobRecord<std::string_view>;

struct DeploymentResource {
  std::string resource_name;
  std::string resource;
  bool operator==(const DeploymentResource&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "resourceName", &DeploymentResource::resource_name),
                      field(2, "resource", &DeploymentResource::resource)};
  }
};

struct ProcessMetadata {
  std::string bpmn_process_id;
  std::int32_t version = 0;
  std::string version_tag;
  Key key;
  std::string resource_name;
  std::string checksum;  // hexadecimal
  bool duplicate = false;
  Key deployment_key;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const ProcessMetadata&) const = default;
  static constexpr auto fields() {
    using T = ProcessMetadata;
    return std::tuple{field(1, "bpmnProcessId", &T::bpmn_process_id),
                      field(2, "version", &T::version),
                      field(3, "versionTag", &T::version_tag),
                      field(4, "processDefinitionKey", &T::key),
                      field(5, "resourceName", &T::resource_name),
                      field(6, "checksum", &T::checksum),
                      field(7, "isDuplicate", &T::duplicate),
                      field(8, "deploymentKey", &T::deployment_key),
                      field(9, "tenantId", &T::tenant_id)};
  }
};

struct DecisionMetadata {
  std::string decision_id;
  std::string decision_name;
  std::int32_t version = 0;
  std::string version_tag;
  Key key;
  std::string requirements_id;
  Key requirements_key;
  bool duplicate = false;
  Key deployment_key;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const DecisionMetadata&) const = default;
  static constexpr auto fields() {
    using T = DecisionMetadata;
    return std::tuple{field(1, "decisionId", &T::decision_id),
                      field(2, "decisionName", &T::decision_name),
                      field(3, "version", &T::version),
                      field(4, "versionTag", &T::version_tag),
                      field(5, "decisionKey", &T::key),
                      field(6, "decisionRequirementsId", &T::requirements_id),
                      field(7, "decisionRequirementsKey", &T::requirements_key),
                      field(8, "isDuplicate", &T::duplicate),
                      field(9, "deploymentKey", &T::deployment_key),
                      field(10, "tenantId", &T::tenant_id)};
  }
};

struct DecisionRequirementsMetadata {
  std::string requirements_id;
  std::string requirements_name;
  std::int32_t version = 0;
  Key key;
  std::string model_namespace;
  std::string resource_name;
  std::string checksum;  // hexadecimal
  bool duplicate = false;
  Key deployment_key;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const DecisionRequirementsMetadata&) const = default;
  static constexpr auto fields() {
    using T = DecisionRequirementsMetadata;
    return std::tuple{field(1, "decisionRequirementsId", &T::requirements_id),
                      field(2, "decisionRequirementsName", &T::requirements_name),
                      field(3, "decisionRequirementsVersion", &T::version),
                      field(4, "decisionRequirementsKey", &T::key),
                      field(5, "namespace", &T::model_namespace),
                      field(6, "resourceName", &T::resource_name),
                      field(7, "checksum", &T::checksum),
                      field(8, "isDuplicate", &T::duplicate),
                      field(9, "deploymentKey", &T::deployment_key),
                      field(10, "tenantId", &T::tenant_id)};
  }
};

struct DeploymentRecord {
  static constexpr ValueType kType = ValueType::Deployment;
  using Intent = DeploymentIntent;

  std::vector<DeploymentResource> resources;
  std::vector<ProcessMetadata> processes;
  Key deployment_key;
  std::string tenant_id{kDefaultTenant};
  std::vector<DecisionMetadata> decisions;
  std::vector<DecisionRequirementsMetadata> requirements;
  bool operator==(const DeploymentRecord&) const = default;
  static constexpr auto fields() {
    using T = DeploymentRecord;
    return std::tuple{field(1, "resources", &T::resources),
                      field(2, "processesMetadata", &T::processes),
                      field(3, "deploymentKey", &T::deployment_key),
                      field(4, "tenantId", &T::tenant_id),
                      field(5, "decisionsMetadata", &T::decisions),
                      field(6, "decisionRequirementsMetadata", &T::requirements)};
  }
};

// One level of an element instance path: the keys from a process instance down to an element.
struct KeyPath {
  absl::InlinedVector<Key, 4> keys;
  bool operator==(const KeyPath&) const = default;
  static constexpr auto fields() { return std::tuple{field(1, "keys", &KeyPath::keys)}; }
};

// What only records of activation have: the paths on ELEMENT_ACTIVATING, the tags on those of a
// process. Without calls, and within a few scopes, the paths need no room elsewhere.
struct ActivationPart {
  absl::InlinedVector<KeyPath, 1> element_instance_path;
  absl::InlinedVector<Key, 2> process_definition_path;
  absl::InlinedVector<std::int32_t, 2> calling_element_path;
  std::vector<std::string> tags;
  bool operator==(const ActivationPart&) const = default;
  // As in the record that it is a part of.
  static constexpr auto fields() {
    using T = ActivationPart;
    return std::tuple{field(13, "elementInstancePath", &T::element_instance_path),
                      field(14, "processDefinitionPath", &T::process_definition_path),
                      field(15, "callingElementPath", &T::calling_element_path),
                      field(16, "tags", &T::tags)};
  }
};

template <typename Text>
struct BasicProcessInstanceRecord {
  static constexpr ValueType kType = ValueType::ProcessInstance;
  using Intent = ProcessInstanceIntent;

  Text bpmn_process_id;
  std::int32_t version = -1;
  Key process_definition_key;
  Key process_instance_key;
  Text element_id;
  ElementType element_type = ElementType::Unspecified;
  EventType event_type = EventType::Unspecified;
  Key flow_scope_key;
  Key parent_process_instance_key;
  Key parent_element_instance_key;
  Text tenant_id{kDefaultTenant};
  Key root_process_instance_key;
  Rare<ActivationPart> activation;
  // Where the element is in its model, if whoever made the value knows. Not on the log.
  std::int32_t element_place = -1;
  bool operator==(const BasicProcessInstanceRecord&) const = default;
  static constexpr auto fields() {
    using T = BasicProcessInstanceRecord;
    return std::tuple{
        field(1, "bpmnProcessId", &T::bpmn_process_id),
        field(2, "version", &T::version),
        field(3, "processDefinitionKey", &T::process_definition_key),
        field(4, "processInstanceKey", &T::process_instance_key),
        field(5, "elementId", &T::element_id),
        field(6, "bpmnElementType", &T::element_type),
        field(7, "bpmnEventType", &T::event_type),
        field(8, "flowScopeKey", &T::flow_scope_key),
        field(9, "parentProcessInstanceKey", &T::parent_process_instance_key),
        field(10, "parentElementInstanceKey", &T::parent_element_instance_key),
        field(11, "tenantId", &T::tenant_id),
        field(12, "rootProcessInstanceKey", &T::root_process_instance_key),
        field(13, "elementInstancePath", &T::activation, &ActivationPart::element_instance_path),
        field(14, "processDefinitionPath", &T::activation,
              &ActivationPart::process_definition_path),
        field(15, "callingElementPath", &T::activation, &ActivationPart::calling_element_path),
        field(16, "tags", &T::activation, &ActivationPart::tags)};
  }
};
using ProcessInstanceRecord = BasicProcessInstanceRecord<std::string>;
using ProcessInstanceView = BasicProcessInstanceRecord<std::string_view>;

struct IncidentRecord {
  static constexpr ValueType kType = ValueType::Incident;
  using Intent = IncidentIntent;

  ErrorType error_type = ErrorType::Unknown;
  std::string error_message;
  std::string bpmn_process_id;
  Key process_definition_key;
  Key process_instance_key;
  std::string element_id;
  Key element_instance_key;
  Key job_key;
  Key variable_scope_key;
  std::string tenant_id{kDefaultTenant};
  Key root_process_instance_key;
  std::vector<KeyPath> element_instance_path;
  std::vector<Key> process_definition_path;
  std::vector<std::int32_t> calling_element_path;
  bool operator==(const IncidentRecord&) const = default;
  static constexpr auto fields() {
    using T = IncidentRecord;
    return std::tuple{field(1, "errorType", &T::error_type),
                      field(2, "errorMessage", &T::error_message),
                      field(3, "bpmnProcessId", &T::bpmn_process_id),
                      field(4, "processDefinitionKey", &T::process_definition_key),
                      field(5, "processInstanceKey", &T::process_instance_key),
                      field(6, "elementId", &T::element_id),
                      field(7, "elementInstanceKey", &T::element_instance_key),
                      field(8, "jobKey", &T::job_key),
                      field(9, "variableScopeKey", &T::variable_scope_key),
                      field(10, "tenantId", &T::tenant_id),
                      field(11, "rootProcessInstanceKey", &T::root_process_instance_key),
                      field(12, "elementInstancePath", &T::element_instance_path),
                      field(13, "processDefinitionPath", &T::process_definition_path),
                      field(14, "callingElementPath", &T::calling_element_path)};
  }
};

struct MessageRecord {
  static constexpr ValueType kType = ValueType::Message;
  using Intent = MessageIntent;

  std::string name;
  std::string correlation_key;
  std::string message_id;  // empty: not checked for being unique
  Milliseconds time_to_live{0};
  Timestamp deadline{-1};
  Document variables;  // not on EXPIRED
  std::string tenant_id{kDefaultTenant};
  bool operator==(const MessageRecord&) const = default;
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

// The side of a subscription that the message's partition keeps. An attempt is a key drawn for
// every CORRELATING, so that a late duplicate cannot be taken for a new try.
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
  Key last_attempt;          // of DELETE: the newest attempt that the instance accepted
  Key released_message_key;  // of DELETED: a message that is free for another subscription
  std::string tenant_id{kDefaultTenant};
  Key root_process_instance_key;
  bool operator==(const MessageSubscriptionRecord&) const = default;
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

// The side of a subscription that the process instance's partition keeps.
struct ProcessMessageSubscriptionRecord {
  static constexpr ValueType kType = ValueType::ProcessMessageSubscription;
  using Intent = ProcessMessageSubscriptionIntent;

  PartitionId subscription_partition_id;  // where the other side is
  Key process_instance_key;
  Key element_instance_key;
  Key process_definition_key;
  std::string bpmn_process_id;
  std::string element_id;  // the catch event, which need not be the element that waits
  ElementType element_type = ElementType::Unspecified;
  std::string message_name;
  std::string correlation_key;
  bool interrupting = true;
  Key message_key;
  Document variables;  // of CORRELATE; what follows is in PROCESS_EVENT TRIGGERING
  Key attempt;
  Key last_attempt;  // the newest one that was accepted
  std::string tenant_id{kDefaultTenant};
  Key root_process_instance_key;
  bool operator==(const ProcessMessageSubscriptionRecord&) const = default;
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
                      field(16, "rootProcessInstanceKey", &T::root_process_instance_key)};
  }
};

template <typename Text>
struct BasicJobBatchRecord {
  static constexpr ValueType kType = ValueType::JobBatch;
  using Intent = JobBatchIntent;
  static constexpr std::uint32_t kJobsField = 8;

  Text type;
  Text worker;
  Milliseconds timeout{0};
  std::int32_t max_jobs_to_activate = -1;
  std::vector<std::string> variables;  // names to fetch; none means all
  std::vector<std::string> tenant_ids;
  std::vector<Key> job_keys;
  std::vector<BasicJobRecord<Text>> jobs;
  bool truncated = false;
  Key first_job_key;  // older jobs are not wanted; unset: all are
  bool operator==(const BasicJobBatchRecord&) const = default;
  static constexpr auto fields() {
    using T = BasicJobBatchRecord;
    return std::tuple{field(1, "type", &T::type),
                      field(2, "worker", &T::worker),
                      field(3, "timeout", &T::timeout),
                      field(4, "maxJobsToActivate", &T::max_jobs_to_activate),
                      field(5, "variables", &T::variables),
                      field(6, "tenantIds", &T::tenant_ids),
                      field(7, "jobKeys", &T::job_keys),
                      field(kJobsField, "jobs", &T::jobs),
                      field(9, "truncated", &T::truncated),
                      field(10, "firstJobKey", &T::first_job_key)};
  }
};
using JobBatchRecord = BasicJobBatchRecord<std::string>;
using JobBatchView = BasicJobBatchRecord<std::string_view>;

struct TimerRecord {
  static constexpr ValueType kType = ValueType::Timer;
  using Intent = TimerIntent;

  Key element_instance_key;  // none for a start event
  Key process_instance_key;
  Timestamp due_date{0};
  std::string target_element_id;
  std::int32_t repetitions = 1;  // -1 is for ever
  Key process_definition_key;
  std::string bpmn_process_id;
  ElementType element_type = ElementType::Unspecified;
  std::string tenant_id{kDefaultTenant};
  std::string interval;  // the text of a cycle, as it was evaluated
  bool operator==(const TimerRecord&) const = default;
  static constexpr auto fields() {
    using T = TimerRecord;
    return std::tuple{field(1, "elementInstanceKey", &T::element_instance_key),
                      field(2, "processInstanceKey", &T::process_instance_key),
                      field(3, "dueDate", &T::due_date),
                      field(4, "targetElementId", &T::target_element_id),
                      field(5, "repetitions", &T::repetitions),
                      field(6, "processDefinitionKey", &T::process_definition_key),
                      field(7, "bpmnProcessId", &T::bpmn_process_id),
                      field(8, "elementType", &T::element_type),
                      field(9, "tenantId", &T::tenant_id),
                      field(10, "interval", &T::interval)};
  }
};

struct MessageStartEventSubscriptionRecord {
  static constexpr ValueType kType = ValueType::MessageStartEventSubscription;
  using Intent = MessageStartEventSubscriptionIntent;

  Key process_definition_key;
  std::string bpmn_process_id;
  std::string start_event_id;
  std::string message_name;
  // The rest is of CORRELATED.
  Key message_key;
  std::string correlation_key;
  Key process_instance_key;
  Document variables;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const MessageStartEventSubscriptionRecord&) const = default;
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
                      field(9, "tenantId", &T::tenant_id)};
  }
};

template <typename Text>
struct BasicVariableRecord {
  static constexpr ValueType kType = ValueType::Variable;
  using Intent = VariableIntent;
  // From here on the records of the variables of one scope are alike.
  static constexpr std::uint32_t kFirstCommonField = 3;

  Text name;
  Text value;  // JSON text
  Key scope_key;
  Key process_instance_key;
  Key process_definition_key;
  Text bpmn_process_id;
  Text tenant_id{kDefaultTenant};
  Key root_process_instance_key;
  bool operator==(const BasicVariableRecord&) const = default;
  static constexpr auto fields() {
    using T = BasicVariableRecord;
    return std::tuple{field(1, "name", &T::name),
                      field(2, "value", &T::value),
                      field(3, "scopeKey", &T::scope_key),
                      field(4, "processInstanceKey", &T::process_instance_key),
                      field(5, "processDefinitionKey", &T::process_definition_key),
                      field(6, "bpmnProcessId", &T::bpmn_process_id),
                      field(7, "tenantId", &T::tenant_id),
                      field(8, "rootProcessInstanceKey", &T::root_process_instance_key)};
  }
};
using VariableRecord = BasicVariableRecord<std::string>;
using VariableView = BasicVariableRecord<std::string_view>;

struct VariableDocumentRecord {
  static constexpr ValueType kType = ValueType::VariableDocument;
  using Intent = VariableDocumentIntent;

  Key scope_key;
  UpdateSemantics update_semantics = UpdateSemantics::Propagate;
  Document variables;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const VariableDocumentRecord&) const = default;
  static constexpr auto fields() {
    using T = VariableDocumentRecord;
    return std::tuple{field(1, "scopeKey", &T::scope_key),
                      field(2, "updateSemantics", &T::update_semantics),
                      field(3, "variables", &T::variables), field(4, "tenantId", &T::tenant_id)};
  }
};

// What an instance creation names besides the process: where to start instead of the start event.
struct StartInstruction {
  std::string element_id;
  bool operator==(const StartInstruction&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "elementId", &StartInstruction::element_id)};
  }
};

template <typename Text>
struct BasicProcessInstanceCreationRecord {
  static constexpr ValueType kType = ValueType::ProcessInstanceCreation;
  using Intent = ProcessInstanceCreationIntent;

  Text bpmn_process_id;
  std::int32_t version = -1;  // -1 is the latest
  Key process_definition_key;
  DocumentOf<Text> variables;
  Key process_instance_key;
  std::vector<std::string> fetch_variables;
  std::vector<StartInstruction> start_instructions;
  std::vector<std::string> tags;
  Text tenant_id{kDefaultTenant};
  std::uint64_t awaited_by = 0;  // the request that waits for the instance's end
  bool operator==(const BasicProcessInstanceCreationRecord&) const = default;
  static constexpr auto fields() {
    using T = BasicProcessInstanceCreationRecord;
    return std::tuple{field(1, "bpmnProcessId", &T::bpmn_process_id),
                      field(2, "version", &T::version),
                      field(3, "processDefinitionKey", &T::process_definition_key),
                      field(4, "variables", &T::variables),
                      field(5, "processInstanceKey", &T::process_instance_key),
                      field(6, "fetchVariables", &T::fetch_variables),
                      field(7, "startInstructions", &T::start_instructions),
                      field(8, "tags", &T::tags),
                      field(9, "tenantId", &T::tenant_id),
                      field(10, "awaitedBy", &T::awaited_by)};
  }
};
using ProcessInstanceCreationRecord = BasicProcessInstanceCreationRecord<std::string>;
using ProcessInstanceCreationView = BasicProcessInstanceCreationRecord<std::string_view>;

struct ErrorRecord {
  static constexpr ValueType kType = ValueType::Error;
  using Intent = ErrorIntent;

  std::string exception_message;
  Position error_event_position;
  Key process_instance_key;
  bool operator==(const ErrorRecord&) const = default;
  static constexpr auto fields() {
    using T = ErrorRecord;
    return std::tuple{field(1, "exceptionMessage", &T::exception_message),
                      field(2, "errorEventPosition", &T::error_event_position),
                      field(3, "processInstanceKey", &T::process_instance_key)};
  }
};

// A response only; it never stands on the log.
struct ProcessInstanceResultRecord {
  static constexpr ValueType kType = ValueType::ProcessInstanceResult;
  using Intent = ProcessInstanceResultIntent;

  std::string bpmn_process_id;
  std::int32_t version = -1;
  Key process_definition_key;
  Key process_instance_key;
  Document variables;
  std::vector<std::string> tags;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const ProcessInstanceResultRecord&) const = default;
  static constexpr auto fields() {
    using T = ProcessInstanceResultRecord;
    return std::tuple{field(1, "bpmnProcessId", &T::bpmn_process_id),
                      field(2, "version", &T::version),
                      field(3, "processDefinitionKey", &T::process_definition_key),
                      field(4, "processInstanceKey", &T::process_instance_key),
                      field(5, "variables", &T::variables),
                      field(6, "tags", &T::tags),
                      field(7, "tenantId", &T::tenant_id)};
  }
};

struct ProcessRecord {
  static constexpr ValueType kType = ValueType::Process;
  using Intent = ProcessIntent;

  std::string bpmn_process_id;
  std::int32_t version = 0;
  std::string version_tag;
  Key key;
  std::string resource_name;
  std::string checksum;  // hexadecimal
  std::string resource;
  Key deployment_key;
  std::string tenant_id{kDefaultTenant};
  // Of a deletion: the partitions that have yet to finish it, or the one that has.
  std::vector<std::int32_t> drain_partitions;
  bool operator==(const ProcessRecord&) const = default;
  static constexpr auto fields() {
    using T = ProcessRecord;
    return std::tuple{field(1, "bpmnProcessId", &T::bpmn_process_id),
                      field(2, "version", &T::version),
                      field(3, "versionTag", &T::version_tag),
                      field(4, "processDefinitionKey", &T::key),
                      field(5, "resourceName", &T::resource_name),
                      field(6, "checksum", &T::checksum),
                      field(7, "resource", &T::resource),
                      field(8, "deploymentKey", &T::deployment_key),
                      field(9, "tenantId", &T::tenant_id),
                      field(10, "drainPartitions", &T::drain_partitions)};
  }
};

template <typename Text>
struct BasicProcessEventRecord {
  static constexpr ValueType kType = ValueType::ProcessEvent;
  using Intent = ProcessEventIntent;

  Key scope_key;
  Text target_element_id;
  DocumentOf<Text> variables;
  Key process_definition_key;
  Key process_instance_key;
  Text tenant_id{kDefaultTenant};
  bool operator==(const BasicProcessEventRecord&) const = default;
  static constexpr auto fields() {
    using T = BasicProcessEventRecord;
    return std::tuple{field(1, "scopeKey", &T::scope_key),
                      field(2, "targetElementId", &T::target_element_id),
                      field(3, "variables", &T::variables),
                      field(4, "processDefinitionKey", &T::process_definition_key),
                      field(5, "processInstanceKey", &T::process_instance_key),
                      field(6, "tenantId", &T::tenant_id)};
  }
};
using ProcessEventRecord = BasicProcessEventRecord<std::string>;
using ProcessEventView = BasicProcessEventRecord<std::string_view>;

struct DecisionRecord {
  static constexpr ValueType kType = ValueType::Decision;
  using Intent = DecisionIntent;

  std::string decision_id;
  std::string decision_name;
  std::int32_t version = 0;
  std::string version_tag;
  Key key;
  std::string requirements_id;
  Key requirements_key;
  Key deployment_key;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const DecisionRecord&) const = default;
  static constexpr auto fields() {
    using T = DecisionRecord;
    return std::tuple{field(1, "decisionId", &T::decision_id),
                      field(2, "decisionName", &T::decision_name),
                      field(3, "version", &T::version),
                      field(4, "versionTag", &T::version_tag),
                      field(5, "decisionKey", &T::key),
                      field(6, "decisionRequirementsId", &T::requirements_id),
                      field(7, "decisionRequirementsKey", &T::requirements_key),
                      field(8, "deploymentKey", &T::deployment_key),
                      field(9, "tenantId", &T::tenant_id)};
  }
};

// A DMN file: the graph of its decisions.
struct DecisionRequirementsRecord {
  static constexpr ValueType kType = ValueType::DecisionRequirements;
  using Intent = DecisionRequirementsIntent;

  std::string requirements_id;
  std::string requirements_name;
  std::int32_t version = 0;
  Key key;
  std::string model_namespace;
  std::string resource_name;
  std::string checksum;  // hexadecimal
  std::string resource;
  Key deployment_key;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const DecisionRequirementsRecord&) const = default;
  static constexpr auto fields() {
    using T = DecisionRequirementsRecord;
    return std::tuple{field(1, "decisionRequirementsId", &T::requirements_id),
                      field(2, "decisionRequirementsName", &T::requirements_name),
                      field(3, "decisionRequirementsVersion", &T::version),
                      field(4, "decisionRequirementsKey", &T::key),
                      field(5, "namespace", &T::model_namespace),
                      field(6, "resourceName", &T::resource_name),
                      field(7, "checksum", &T::checksum),
                      field(8, "resource", &T::resource),
                      field(9, "deploymentKey", &T::deployment_key),
                      field(10, "tenantId", &T::tenant_id)};
  }
};

struct EvaluatedInput {
  std::string input_id;
  std::string input_name;
  std::string input_value;  // JSON text
  bool operator==(const EvaluatedInput&) const = default;
  static constexpr auto fields() {
    using T = EvaluatedInput;
    return std::tuple{field(1, "inputId", &T::input_id), field(2, "inputName", &T::input_name),
                      field(3, "inputValue", &T::input_value)};
  }
};

struct EvaluatedOutput {
  std::string output_id;
  std::string output_name;
  std::string output_value;  // JSON text
  std::string rule_id;
  std::int32_t rule_index = 0;
  bool operator==(const EvaluatedOutput&) const = default;
  static constexpr auto fields() {
    using T = EvaluatedOutput;
    return std::tuple{field(1, "outputId", &T::output_id), field(2, "outputName", &T::output_name),
                      field(3, "outputValue", &T::output_value), field(4, "ruleId", &T::rule_id),
                      field(5, "ruleIndex", &T::rule_index)};
  }
};

struct MatchedRule {
  std::string rule_id;
  std::int32_t rule_index = 0;  // from 1
  std::vector<EvaluatedOutput> evaluated_outputs;
  bool operator==(const MatchedRule&) const = default;
  static constexpr auto fields() {
    using T = MatchedRule;
    return std::tuple{field(1, "ruleId", &T::rule_id), field(2, "ruleIndex", &T::rule_index),
                      field(3, "evaluatedOutputs", &T::evaluated_outputs)};
  }
};

struct EvaluatedDecision {
  std::string decision_id;
  std::string decision_name;
  Key decision_key;
  std::int32_t decision_version = 0;
  std::string decision_type;    // "DECISION_TABLE", ...
  std::string decision_output;  // JSON text
  std::vector<EvaluatedInput> evaluated_inputs;
  std::vector<MatchedRule> matched_rules;
  std::string tenant_id{kDefaultTenant};
  std::string evaluation_instance_key;  // of the evaluation, a dash and a number from 1
  bool operator==(const EvaluatedDecision&) const = default;
  static constexpr auto fields() {
    using T = EvaluatedDecision;
    return std::tuple{field(1, "decisionId", &T::decision_id),
                      field(2, "decisionName", &T::decision_name),
                      field(3, "decisionKey", &T::decision_key),
                      field(4, "decisionVersion", &T::decision_version),
                      field(5, "decisionType", &T::decision_type),
                      field(6, "decisionOutput", &T::decision_output),
                      field(7, "evaluatedInputs", &T::evaluated_inputs),
                      field(8, "matchedRules", &T::matched_rules),
                      field(9, "tenantId", &T::tenant_id),
                      field(10, "decisionEvaluationInstanceKey", &T::evaluation_instance_key)};
  }
};

struct DecisionEvaluationRecord {
  static constexpr ValueType kType = ValueType::DecisionEvaluation;
  using Intent = DecisionEvaluationIntent;

  std::string decision_id;
  std::string decision_name;
  std::int32_t decision_version = -1;
  Key decision_key;
  std::string requirements_id;
  Key requirements_key;
  Document variables;                    // of the command only
  std::string decision_output = "null";  // JSON text
  std::vector<EvaluatedDecision> evaluated_decisions;
  std::string failed_decision_id;
  std::string evaluation_failure_message;
  // Of a decision that a process called.
  std::string bpmn_process_id;
  Key process_definition_key;
  Key process_instance_key;
  std::string element_id;
  Key element_instance_key;
  Key root_process_instance_key;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const DecisionEvaluationRecord&) const = default;
  static constexpr auto fields() {
    using T = DecisionEvaluationRecord;
    return std::tuple{field(1, "decisionId", &T::decision_id),
                      field(2, "decisionName", &T::decision_name),
                      field(3, "decisionVersion", &T::decision_version),
                      field(4, "decisionKey", &T::decision_key),
                      field(5, "decisionRequirementsId", &T::requirements_id),
                      field(6, "decisionRequirementsKey", &T::requirements_key),
                      field(7, "variables", &T::variables),
                      field(8, "decisionOutput", &T::decision_output),
                      field(9, "evaluatedDecisions", &T::evaluated_decisions),
                      field(10, "failedDecisionId", &T::failed_decision_id),
                      field(11, "evaluationFailureMessage", &T::evaluation_failure_message),
                      field(12, "bpmnProcessId", &T::bpmn_process_id),
                      field(13, "processDefinitionKey", &T::process_definition_key),
                      field(14, "processInstanceKey", &T::process_instance_key),
                      field(15, "elementId", &T::element_id),
                      field(16, "elementInstanceKey", &T::element_instance_key),
                      field(17, "rootProcessInstanceKey", &T::root_process_instance_key),
                      field(18, "tenantId", &T::tenant_id)};
  }
};

// A command that one partition brings to all others: what is distributed, and how far it is.
struct CommandDistributionRecord {
  static constexpr ValueType kType = ValueType::CommandDistribution;
  using Intent = CommandDistributionIntent;

  // To whom; on RECEIVED, from whom.
  PartitionId partition_id;
  std::string queue_id;  // commands of one queue reach a partition one after the other; "": at once
  // STARTED: the command and, where a client waits, until when it does.
  ValueType value_type = ValueType::Job;
  std::int32_t intent = 0;
  std::string command_value;  // in wire form
  std::uint64_t awaited_by = 0;
  Timestamp answer_by{-1};
  // RECEIVED: the lowest key that the origin still waited for when it sent the command.
  Key min_pending_key;
  // What came of it on a partition, where that is a number; on FINISHED, the sum.
  std::int64_t result = 0;
  bool operator==(const CommandDistributionRecord&) const = default;
  static constexpr auto fields() {
    using T = CommandDistributionRecord;
    return std::tuple{field(1, "partitionId", &T::partition_id),
                      field(2, "queueId", &T::queue_id),
                      field(3, "valueType", &T::value_type),
                      field(4, "intent", &T::intent),
                      field(5, "commandValue", &T::command_value),
                      field(6, "awaitedBy", &T::awaited_by),
                      field(7, "answerBy", &T::answer_by),
                      field(8, "minPendingKey", &T::min_pending_key),
                      field(9, "result", &T::result)};
  }
};

struct ProcessInstanceBatchRecord {
  static constexpr ValueType kType = ValueType::ProcessInstanceBatch;
  using Intent = ProcessInstanceBatchIntent;

  Key process_instance_key;
  Key batch_element_instance_key;
  // TERMINATE: the first child key to look at; ACTIVATE: how many children are still to be made.
  std::int64_t index = -1;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const ProcessInstanceBatchRecord&) const = default;
  static constexpr auto fields() {
    using T = ProcessInstanceBatchRecord;
    return std::tuple{field(1, "processInstanceKey", &T::process_instance_key),
                      field(2, "batchElementInstanceKey", &T::batch_element_instance_key),
                      field(3, "index", &T::index), field(4, "tenantId", &T::tenant_id)};
  }
};

// Commands about messages that take their time and go on where the one before stopped: EXPIRE
// removes messages that are overdue, CORRELATE gives a message to its receivers, START starts the
// next instance for a correlation key that has become free.
struct MessageBatchRecord {
  static constexpr ValueType kType = ValueType::MessageBatch;
  using Intent = MessageBatchIntent;

  std::string tenant_id{kDefaultTenant};
  // Of CORRELATE, which goes on with giving a message to its receivers: the subscriptions of the
  // processes up to this one have been served. Of START: the process to be started.
  std::string bpmn_process_id;
  // Of CORRELATE: the subscriptions of all processes have been served, and the start events up to
  // this one; unset while subscriptions are left.
  Key start_subscription_key;
  // Of CORRELATE, when the sender of the message waits: the candidates that were not served yet.
  std::int32_t unserved = 0;
  std::string correlation_key;  // of START
  bool operator==(const MessageBatchRecord&) const = default;
  static constexpr auto fields() {
    using T = MessageBatchRecord;
    return std::tuple{
        field(1, "tenantId", &T::tenant_id), field(2, "bpmnProcessId", &T::bpmn_process_id),
        field(3, "startSubscriptionKey", &T::start_subscription_key),
        field(4, "unserved", &T::unserved), field(5, "correlationKey", &T::correlation_key)};
  }
};

// A message whose sender waits to hear who took it. It is never buffered.
struct MessageCorrelationRecord {
  static constexpr ValueType kType = ValueType::MessageCorrelation;
  using Intent = MessageCorrelationIntent;

  std::string name;
  std::string correlation_key;
  Document variables;  // of CORRELATE
  Key message_key;
  std::uint64_t request_id = 0;  // who waits
  // Subscriptions that may still take it, and one more while it is still being given to receivers.
  // Of CANDIDATES_CHANGED: how many more these are than before.
  std::int32_t candidates = 0;
  // Of CORRELATE: only a subscription of this instance may take it. Of CORRELATED: who did.
  Key process_instance_key;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const MessageCorrelationRecord&) const = default;
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

// A request whose effect takes more than one step, kept until it is done.
struct AsyncRequestRecord {
  static constexpr ValueType kType = ValueType::AsyncRequest;
  using Intent = AsyncRequestIntent;

  Key scope_key;
  std::int32_t value_type = 0;
  std::int32_t intent = 0;
  std::int64_t request_id = -1;
  bool operator==(const AsyncRequestRecord&) const = default;
  static constexpr auto fields() {
    using T = AsyncRequestRecord;
    return std::tuple{field(1, "scopeKey", &T::scope_key), field(2, "valueType", &T::value_type),
                      field(3, "intent", &T::intent), field(4, "requestId", &T::request_id)};
  }
};

// The end of what was deployed: a process, or the decisions of one file.
struct ResourceDeletionRecord {
  static constexpr ValueType kType = ValueType::ResourceDeletion;
  using Intent = ResourceDeletionIntent;

  Key resource_key;
  std::string resource_type;  // "PROCESS_DEFINITION" or "DECISION_REQUIREMENTS"
  std::string resource_id;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const ResourceDeletionRecord&) const = default;
  static constexpr auto fields() {
    using T = ResourceDeletionRecord;
    return std::tuple{field(1, "resourceKey", &T::resource_key),
                      field(2, "resourceType", &T::resource_type),
                      field(3, "resourceId", &T::resource_id), field(4, "tenantId", &T::tenant_id)};
  }
};

// The items a multi-instance activity runs over, frozen as it begins.
struct MultiInstanceRecord {
  static constexpr ValueType kType = ValueType::MultiInstance;
  using Intent = MultiInstanceIntent;

  std::vector<std::string> input_collection;  // the JSON of each item
  Key process_instance_key;
  Key process_definition_key;
  std::string tenant_id{kDefaultTenant};
  std::int32_t index = 0;  // OUTPUT_COLLECTED: of the item, from 1
  std::string value;       // and the JSON of what it gave
  bool operator==(const MultiInstanceRecord&) const = default;
  static constexpr auto fields() {
    using T = MultiInstanceRecord;
    return std::tuple{field(1, "inputCollection", &T::input_collection),
                      field(2, "processInstanceKey", &T::process_instance_key),
                      field(3, "processDefinitionKey", &T::process_definition_key),
                      field(4, "tenantId", &T::tenant_id),
                      field(5, "index", &T::index),
                      field(6, "value", &T::value)};
  }
};

// The version in which an event is written: 1, unless version_of() of its value says otherwise. It
// counts up when an event comes to mean something else; every version stays readable.
template <typename T>
[[nodiscard]] constexpr std::uint16_t latest_version(typename T::Intent intent) {
  if constexpr (requires { T::version_of(intent); }) {
    return T::version_of(intent);
  } else {
    return 1;
  }
}

// The form of a value that the engine works with.
template <typename T>
struct ViewOfValue {
  using Type = T;
};
template <template <typename> typename Value>
struct ViewOfValue<Value<std::string>> {
  using Type = Value<std::string_view>;
};
template <typename T>
using ViewOf = typename ViewOfValue<T>::Type;

// Every value, for what must visit them all: tables of functions, the schema, the round-trip tests.
template <typename... Ts>
struct TypeList {};
using AllValues =
    TypeList<JobRecord, DeploymentRecord, ProcessInstanceRecord, IncidentRecord, MessageRecord,
             MessageSubscriptionRecord, ProcessMessageSubscriptionRecord, JobBatchRecord,
             TimerRecord, MessageStartEventSubscriptionRecord, VariableRecord,
             VariableDocumentRecord, ProcessInstanceCreationRecord, ErrorRecord,
             ProcessInstanceResultRecord, ProcessRecord, ProcessEventRecord, ResourceDeletionRecord,
             CommandDistributionRecord, DecisionRecord, DecisionRequirementsRecord,
             DecisionEvaluationRecord, ProcessInstanceBatchRecord, MessageBatchRecord,
             MessageCorrelationRecord, AsyncRequestRecord, MultiInstanceRecord>;

}  // namespace beeline::record
