#include <fmt/format.h>

#include "engine/behaviors/compensation.h"
#include "engine/behaviors/open_scopes.h"
#include "engine/behaviors/runtime_instructions.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

// Goes on where the batch was full (spec: elements/compensation).
void compensation_subscription_trigger(Step& step, Key,
                                       const record::CompensationSubscriptionRecord& command) {
  const Key key = command.throw_event_instance_key;
  const ElementInstanceRow* row = step.state().element_instances().find(key);
  if (row == nullptr || row->state != ElementState::Activated ||
      is_ending(step, row->process_instance_key) || find_closed_scope_around(step, key)) {
    return step.reject(record::RejectionType::InvalidState,
                       fmt::format("Expected to go on compensating for element '{}' with key '{}', "
                                   "but {}",
                                   command.throw_event_id, key.value(),
                                   row == nullptr ? "no such element instance was found"
                                                  : "it is not active any more"));
  }
  compensate(step, context_of(step, key));
}

}  // namespace beeline::engine
