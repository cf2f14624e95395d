#pragma once

#include "engine/step.h"
#include "feel/feel.h"
#include "record/values.h"

// Evaluates a deployed decision and records how the result was found (spec: dmn 4).
namespace beeline::engine {

struct DecisionOutcome {
  Key key;  // the key of the evaluation
  record::DecisionEvaluationIntent intent = record::DecisionEvaluationIntent::Evaluated;
  record::DecisionEvaluationRecord value;
  [[nodiscard]] bool has_failed() const {
    return intent == record::DecisionEvaluationIntent::Failed;
  }
};

// Writes EVALUATED or FAILED and returns what it wrote. `value` identifies the caller; the other
// fields are filled in.
DecisionOutcome evaluate_decision(Step& step, const record::DecisionRecord& decision,
                                  const feel::VariableSource& variables,
                                  record::DecisionEvaluationRecord value);

}  // namespace beeline::engine
