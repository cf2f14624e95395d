#pragma once

#include "engine/step.h"
#include "feel/feel.h"
#include "record/values.h"

// Evaluating a deployed decision and telling how it came about (spec: dmn 4).
namespace beeline::engine {

struct DecisionOutcome {
  Key key;  // of the evaluation
  record::DecisionEvaluationIntent intent = record::DecisionEvaluationIntent::Evaluated;
  record::DecisionEvaluationRecord value;
  [[nodiscard]] bool has_failed() const {
    return intent == record::DecisionEvaluationIntent::Failed;
  }
};

// Writes EVALUATED or FAILED and gives what it wrote. `value` says who asks; the rest is filled in.
DecisionOutcome evaluate_decision(Step& step, const record::DecisionRecord& decision,
                                  const feel::VariableSource& variables,
                                  record::DecisionEvaluationRecord value);

}  // namespace beeline::engine
