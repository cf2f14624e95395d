#pragma once

#include "record/values/common.h"

// Decisions, the files that they come from, and their evaluation.
namespace beeline::record {

#define BEELINE_DECISION_INTENTS(COMMAND, EVENT) \
  EVENT(Created, 0, "CREATED")                   \
  EVENT(Deleted, 1, "DELETED")
BEELINE_INTENTS(DecisionIntent, BEELINE_DECISION_INTENTS);

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
  static constexpr auto kSubject = &DecisionRecord::decision_id;
  static constexpr Owner kOwner = Owner::Nobody;
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

#define BEELINE_DECISION_REQUIREMENTS_INTENTS(COMMAND, EVENT) \
  EVENT(Created, 0, "CREATED")                                \
  EVENT(Deleted, 1, "DELETED")
BEELINE_INTENTS(DecisionRequirementsIntent, BEELINE_DECISION_REQUIREMENTS_INTENTS);

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
  static constexpr auto kSubject = &DecisionRequirementsRecord::requirements_id;
  static constexpr Owner kOwner = Owner::Nobody;
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
  static constexpr std::string_view kSchemaName = "EvaluatedInput";

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
  static constexpr std::string_view kSchemaName = "EvaluatedOutput";

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
  static constexpr std::string_view kSchemaName = "MatchedRule";

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
  static constexpr std::string_view kSchemaName = "EvaluatedDecision";

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

#define BEELINE_DECISION_EVALUATION_INTENTS(COMMAND, EVENT) \
  EVENT(Evaluated, 0, "EVALUATED")                          \
  EVENT(Failed, 1, "FAILED")                                \
  COMMAND(Evaluate, 2, "EVALUATE")
BEELINE_INTENTS(DecisionEvaluationIntent, BEELINE_DECISION_EVALUATION_INTENTS);

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
  // For a decision that a process called.
  std::string bpmn_process_id;
  Key process_definition_key;
  Key process_instance_key;
  std::string element_id;
  Key element_instance_key;
  Key root_process_instance_key;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const DecisionEvaluationRecord&) const = default;
  static constexpr auto kSubject = &DecisionEvaluationRecord::decision_id;
  static constexpr Owner kOwner = Owner::Nobody;
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

}  // namespace beeline::record
