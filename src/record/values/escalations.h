#pragma once

#include "record/values/common.h"

// Escalations that throw and end events have thrown.
namespace beeline::record {

#define BEELINE_ESCALATION_INTENTS(COMMAND, EVENT) \
  EVENT(Escalated, 0, "ESCALATED")                 \
  EVENT(NotEscalated, 1, "NOT_ESCALATED")
BEELINE_INTENTS(EscalationIntent, BEELINE_ESCALATION_INTENTS);

struct EscalationRecord {
  static constexpr ValueType kType = ValueType::Escalation;
  using Intent = EscalationIntent;

  std::string escalation_code;
  std::string throw_element_id;
  std::string catch_element_id;  // empty if nothing caught it
  Key process_instance_key;      // of the throw event
  Key process_definition_key;
  std::string bpmn_process_id;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const EscalationRecord&) const = default;
  static constexpr auto kSubject = &EscalationRecord::escalation_code;
  static constexpr Owner kOwner = Owner::Nobody;
  static constexpr auto fields() {
    using T = EscalationRecord;
    return std::tuple{field(1, "escalationCode", &T::escalation_code),
                      field(2, "throwElementId", &T::throw_element_id),
                      field(3, "catchElementId", &T::catch_element_id),
                      field(4, "processInstanceKey", &T::process_instance_key),
                      field(5, "processDefinitionKey", &T::process_definition_key),
                      field(6, "bpmnProcessId", &T::bpmn_process_id),
                      field(7, "tenantId", &T::tenant_id)};
  }
};

}  // namespace beeline::record
