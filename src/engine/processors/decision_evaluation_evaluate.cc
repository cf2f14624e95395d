#include <fmt/format.h>

#include "engine/behaviors/decision_calls.h"
#include "engine/behaviors/given_variables.h"
#include "engine/failure.h"
#include "engine/processors/processors.h"

namespace beeline::engine {
namespace {

using record::DecisionEvaluationRecord;
using record::RejectionType;

Result<const record::DecisionRecord*, Rejection> find_decision(
    const Step& step, const DecisionEvaluationRecord& command) {
  const Decisions& decisions = step.state().decisions();
  const record::DecisionRecord* decision = nullptr;
  std::string reason;
  if (!command.decision_id.empty()) {
    decision = decisions.find_latest(command.tenant_id, command.decision_id);
    reason = fmt::format("Expected to evaluate decision '{0}', but no decision found for id '{0}'",
                         command.decision_id);
  } else if (command.decision_key.is_set()) {
    decision = decisions.find(command.decision_key);
    reason = fmt::format("Expected to evaluate decision '{0}', but no decision found for key '{0}'",
                         command.decision_key.value());
  } else {
    return failure(
        Rejection{RejectionType::InvalidArgument,
                  "Expected either a decision id or a valid decision key, but none provided"});
  }
  if (decision != nullptr && decision->tenant_id == command.tenant_id) return decision;
  return failure(Rejection{RejectionType::NotFound, std::move(reason)});
}

}  // namespace

void decision_evaluation_evaluate(Step& step, Key, const DecisionEvaluationRecord& command) {
  const auto decision = find_decision(step, command);
  if (!decision) return step.reject(decision.error());
  const DecisionOutcome outcome =
      evaluate_decision(step, **decision, GivenVariables{command.variables}, {});
  step.respond(outcome.intent, outcome.key, outcome.value);
}

}  // namespace beeline::engine
