#include "engine/behaviors/conditions.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

void conditional_subscription_evaluate(Step& step, Key key,
                                       const record::ConditionalSubscriptionRecord& command) {
  // Each command leaves a record, also if no condition holds: a batch cannot be empty. The record
  // does not repeat the candidates, which may be many.
  record::ConditionalSubscriptionRecord evaluated = command;
  evaluated.candidates.clear();
  step.event(record::ConditionalSubscriptionIntent::Evaluated, key, evaluated);
  continue_conditions(step, command.candidates);
}

}  // namespace beeline::engine
