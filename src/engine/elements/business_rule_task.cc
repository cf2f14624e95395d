#include <fmt/format.h>

#include "engine/behaviors/decision_calls.h"
#include "engine/behaviors/expressions.h"
#include "engine/behaviors/mappings.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/element_behavior.h"

// Business rule tasks that call a decision. Activation evaluates the decision, and completion
// writes the result (spec: elements/tasks 3).
namespace beeline::engine {
namespace {

using record::DecisionRecord;
using record::ErrorType;

Result<const DecisionRecord*, Failure> find_called_decision(const Step& step,
                                                            const ElementContext& context) {
  const bpmn::CalledDecision& called = *context.element->parts().called_decision;
  BEELINE_TRY(const std::string id, evaluate_string(step, called.decision_id, context.key));
  const Decisions& decisions = step.state().decisions();
  const std::string_view tenant = context.value.tenant_id;
  const DecisionRecord* decision = nullptr;
  std::string how;
  switch (called.binding) {
    case bpmn::Binding::Latest:
      decision = decisions.find_latest(tenant, id);
      break;
    case bpmn::Binding::VersionTag:
      decision = decisions.find_tagged(tenant, id, called.version_tag);
      how = fmt::format(" and version tag '{}'", called.version_tag);
      break;
    case bpmn::Binding::Deployment:
      decision = decisions.find_deployed_with(tenant, id, context.definition->deployment_key);
      how = " in the same deployment";
      break;
  }
  if (decision != nullptr) return decision;
  return failure(Failure{
      ErrorType::CalledDecisionError,
      fmt::format("Expected to evaluate decision '{0}', but no decision found for id '{0}'{1}", id,
                  how),
      context.key});
}

Outcome activate_rule_task(Step& step, ElementContext& context) {
  BEELINE_TRY_VOID(apply_inputs(step, context));
  BEELINE_TRY(const DecisionRecord* decision, find_called_decision(step, context));
  record::DecisionEvaluationRecord asked;
  fill_owner(asked, context);
  asked.element_id = context.value.element_id;
  const ScopeVariables variables{step.state().variables(), context.key};
  DecisionOutcome outcome = evaluate_decision(step, *decision, variables, std::move(asked));
  if (outcome.has_failed()) {
    return failure(Failure{ErrorType::DecisionEvaluationError,
                           std::move(outcome.value.evaluation_failure_message), context.key});
  }
  record::Document result;
  result.entries.push_back({context.element->parts().called_decision->result_variable,
                            std::move(outcome.value.decision_output)});
  BEELINE_TRY_VOID(keep_result(step, context, result));
  write_activated(step, context);
  go_on_to_complete(step, context);
  return {};
}

}  // namespace

const ElementBehavior kBusinessRuleTask = {.activate = activate_rule_task,
                                           .complete = shared::map_outputs};

}  // namespace beeline::engine
