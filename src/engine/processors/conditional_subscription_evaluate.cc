#include "engine/behaviors/conditions.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

// Writes nothing but commands: the decision of a condition that does not hold is no event.
void conditional_subscription_evaluate(Step& step, Key,
                                       const record::ConditionalSubscriptionRecord& command) {
  continue_conditions(step, command.candidates);
}

}  // namespace beeline::engine
