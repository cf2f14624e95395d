#include <fmt/format.h>

#include "engine/behaviors/transitions.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::ProcessInstanceBatchIntent;

// Creates one inner instance of a parallel multi-instance body and continues with the next in a
// command of its own, because a batch may not have room for all of them.
void process_instance_batch_activate(Step& step, Key key,
                                     const record::ProcessInstanceBatchRecord& command) {
  const ElementInstanceRow* row =
      step.state().element_instances().find(command.batch_element_instance_key);
  if (row == nullptr || row->state != ElementState::Activated || row->interrupted_by >= 0) {
    return step.reject(record::RejectionType::InvalidState,
                       fmt::format("Expected to activate children of the element instance with key "
                                   "'{}', but it accepts no more children",
                                   command.batch_element_instance_key.value()));
  }
  const ElementContext body = context_of(step, command.batch_element_instance_key);
  go_on_to_activate(step, body, body.element_at(body.element->inner), Key{});
  if (command.index <= 1) {
    step.event(ProcessInstanceBatchIntent::Activated, key, command);
    return;
  }
  record::ProcessInstanceBatchRecord next = command;
  --next.index;
  step.command(ProcessInstanceBatchIntent::Activate, key, next);
}

}  // namespace beeline::engine
