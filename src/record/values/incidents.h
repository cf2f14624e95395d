#pragma once

#include "record/values/common.h"

// Incidents, which a user resolves, and errors, which are bugs of the engine.
namespace beeline::record {

#define BEELINE_INCIDENT_INTENTS(COMMAND, EVENT) \
  EVENT(Created, 0, "CREATED")                   \
  COMMAND(Resolve, 1, "RESOLVE")                 \
  EVENT(Resolved, 2, "RESOLVED")
BEELINE_INTENTS(IncidentIntent, BEELINE_INCIDENT_INTENTS);

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
  static constexpr auto kSubject = &IncidentRecord::error_type;
  static constexpr Owner kOwner = Owner::Incident;
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

#define BEELINE_ERROR_INTENTS(COMMAND, EVENT) EVENT(Created, 0, "CREATED")
BEELINE_INTENTS(ErrorIntent, BEELINE_ERROR_INTENTS);

struct ErrorRecord {
  static constexpr ValueType kType = ValueType::Error;
  using Intent = ErrorIntent;

  std::string exception_message;
  Position error_event_position;
  Key process_instance_key;
  bool operator==(const ErrorRecord&) const = default;
  static constexpr NoSubject kSubject{};
  static constexpr Owner kOwner = Owner::Nobody;
  static constexpr auto fields() {
    using T = ErrorRecord;
    return std::tuple{field(1, "exceptionMessage", &T::exception_message),
                      field(2, "errorEventPosition", &T::error_event_position),
                      field(3, "processInstanceKey", &T::process_instance_key)};
  }
};

}  // namespace beeline::record
