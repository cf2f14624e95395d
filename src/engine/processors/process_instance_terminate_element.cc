#include <fmt/format.h>

#include "engine/behaviors/transitions.h"
#include "engine/elements/element_behavior.h"
#include "engine/elements/termination.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

void process_instance_terminate_element(Step& step, Key key,
                                        const record::ProcessInstanceView& command) {
  const ElementInstanceRow* row = step.state().element_instances().find(key);
  if (row == nullptr) {
    return step.reject(
        record::RejectionType::InvalidState,
        fmt::format("Expected to terminate element '{}' with key '{}', but no such element "
                    "instance was found",
                    command.element_id, key.value()));
  }
  const ElementContext context = context_of(step, key);
  if (row->state != ElementState::Terminating) write_terminating(step, context);
  if (behavior_of(*context.element).terminate(step, context)) finish_termination(step, context);
}

}  // namespace beeline::engine
