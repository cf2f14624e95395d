#include "engine/behaviors/decision_calls.h"

#include <fmt/format.h>

#include <utility>

#include "base/check.h"

namespace beeline::engine {
namespace {

using record::DecisionEvaluationIntent;

// Returns the id of a rule. A rule without an id gets a made-up one, which is the same in every
// evaluation of this version.
std::string rule_id(const dmn::MatchedRule& rule, const record::EvaluatedDecision& decision) {
  if (!rule.id.empty()) return rule.id;
  return fmt::format("ZB_SYNTH_RULE_ID_{}_v{}_r{}", decision.decision_id, decision.decision_version,
                     rule.index);
}

record::MatchedRule matched_rule(dmn::MatchedRule& rule,
                                 const record::EvaluatedDecision& decision) {
  record::MatchedRule matched;
  matched.rule_id = rule_id(rule, decision);
  matched.rule_index = static_cast<std::int32_t>(rule.index);
  for (dmn::EvaluatedOutput& output : rule.outputs) {
    matched.evaluated_outputs.push_back({std::move(output.id), std::move(output.name),
                                         std::move(output.value_json), matched.rule_id,
                                         matched.rule_index});
  }
  return matched;
}

// Finds the decision in the file of `wanted`, or in a file that it imports.
const record::DecisionRecord* find_evaluated(const Decisions& decisions,
                                             const record::DecisionRecord& wanted,
                                             const dmn::EvaluatedDecision& evaluated) {
  const auto* file = decisions.find_requirements(wanted.requirements_key);
  if (file == nullptr || evaluated.model_namespace == file->model_namespace) {
    return decisions.find_in(wanted.requirements_key, evaluated.id);
  }
  return decisions.find_in(decisions.find_import(*file, evaluated.model_namespace), evaluated.id);
}

record::EvaluatedDecision evaluated_decision(const Decisions& decisions,
                                             const record::DecisionRecord& wanted,
                                             dmn::EvaluatedDecision& from) {
  record::EvaluatedDecision to;
  to.decision_id = from.id;
  to.decision_name = from.name;
  to.decision_type = dmn::decision_type_name(from.type);
  to.decision_output = std::move(from.output_json);
  to.tenant_id = wanted.tenant_id;
  if (const auto* decision = find_evaluated(decisions, wanted, from)) {
    to.decision_key = decision->key;
    to.decision_version = decision->version;
  }
  for (dmn::EvaluatedInput& input : from.inputs) {
    to.evaluated_inputs.push_back(
        {std::move(input.id), std::move(input.name), std::move(input.value_json)});
  }
  for (dmn::MatchedRule& rule : from.matched_rules) {
    to.matched_rules.push_back(matched_rule(rule, to));
  }
  return to;
}

// Turns a message of the DMN library into the second half of our sentence "Expected ..., but ...".
std::string after_but(std::string_view sentence) {
  const bool is_word = sentence.size() > 1 && sentence[0] >= 'A' && sentence[0] <= 'Z' &&
                       sentence[1] >= 'a' && sentence[1] <= 'z';
  if (!is_word) return std::string{sentence};
  return fmt::format("{}{}", static_cast<char>(sentence[0] - 'A' + 'a'), sentence.substr(1));
}

}  // namespace

DecisionOutcome evaluate_decision(Step& step, const record::DecisionRecord& decision,
                                  const feel::VariableSource& variables,
                                  record::DecisionEvaluationRecord value) {
  const Decisions& decisions = step.state().decisions();
  const dmn::Definitions* model = decisions.find_model(decision.requirements_key);
  BEELINE_ENSURE(model != nullptr, "decision '{}' has no requirements with key {}",
                 decision.decision_id, decision.requirements_key.value());
  dmn::DecisionResult result = dmn::evaluate_decision(
      *model, decision.decision_id, variables,
      {feel::Instant{Milliseconds{step.now().millis()}}, &step.feel_budget()});

  DecisionOutcome outcome{step.next_key(), DecisionEvaluationIntent::Evaluated, std::move(value)};
  record::DecisionEvaluationRecord& written = outcome.value;
  written.decision_id = decision.decision_id;
  written.decision_name = decision.decision_name;
  written.decision_version = decision.version;
  written.decision_key = decision.key;
  written.requirements_id = decision.requirements_id;
  written.requirements_key = decision.requirements_key;
  written.tenant_id = decision.tenant_id;
  written.variables = {};
  for (dmn::EvaluatedDecision& evaluated : result.evaluated_decisions) {
    written.evaluated_decisions.push_back(evaluated_decision(decisions, decision, evaluated));
    written.evaluated_decisions.back().evaluation_instance_key =
        fmt::format("{}-{}", outcome.key.value(), written.evaluated_decisions.size());
  }
  if (result.failure) {
    outcome.intent = DecisionEvaluationIntent::Failed;
    written.failed_decision_id = std::move(result.failure->decision_id);
    written.evaluation_failure_message =
        fmt::format("Expected to evaluate decision '{}', but {}", decision.decision_id,
                    after_but(result.failure->message));
  } else {
    written.decision_output = std::move(result.output_json);
  }
  step.event(outcome.intent, outcome.key, written);
  return outcome;
}

}  // namespace beeline::engine
