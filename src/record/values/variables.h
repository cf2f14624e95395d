#pragma once

#include "record/values/common.h"

// Variables.
namespace beeline::record {

#define BEELINE_VARIABLE_INTENTS(COMMAND, EVENT) \
  EVENT(Created, 0, "CREATED")                   \
  EVENT(Updated, 1, "UPDATED")
BEELINE_INTENTS(VariableIntent, BEELINE_VARIABLE_INTENTS);

template <typename Text>
struct BasicVariableRecord {
  static constexpr ValueType kType = ValueType::Variable;
  using Intent = VariableIntent;
  // From this field on, the records of the variables of one scope are equal.
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
  static constexpr auto kSubject = &BasicVariableRecord::name;
  static constexpr Owner kOwner = Owner::Nobody;
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

#define BEELINE_VARIABLE_DOCUMENT_INTENTS(COMMAND, EVENT) \
  COMMAND(Update, 0, "UPDATE")                            \
  EVENT(Updated, 1, "UPDATED")
BEELINE_INTENTS(VariableDocumentIntent, BEELINE_VARIABLE_DOCUMENT_INTENTS);

struct VariableDocumentRecord {
  static constexpr ValueType kType = ValueType::VariableDocument;
  using Intent = VariableDocumentIntent;

  Key scope_key;
  UpdateSemantics update_semantics = UpdateSemantics::Propagate;
  Document variables;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const VariableDocumentRecord&) const = default;
  static constexpr NoSubject kSubject{};
  static constexpr Owner kOwner = Owner::Scope;
  static constexpr auto fields() {
    using T = VariableDocumentRecord;
    return std::tuple{field(1, "scopeKey", &T::scope_key),
                      field(2, "updateSemantics", &T::update_semantics),
                      field(3, "variables", &T::variables), field(4, "tenantId", &T::tenant_id)};
  }
};

}  // namespace beeline::record
