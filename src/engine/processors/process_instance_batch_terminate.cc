#include "engine/behaviors/cancellation.h"
#include "engine/behaviors/transitions.h"
#include "engine/processors/processors.h"

namespace beeline::engine {
namespace {

using record::ProcessInstanceBatchIntent;

bool is_terminatable(const ElementInstanceRow& row) {
  return row.state == ElementState::Activating || row.state == ElementState::Activated ||
         row.state == ElementState::Completing;
}

}  // namespace

// Terminates one child and continues with the next in a command of its own, because a scope may
// have more children than fit a batch.
void process_instance_batch_terminate(Step& step, Key key,
                                      const record::ProcessInstanceBatchRecord& command) {
  const auto& instances = step.state().element_instances();
  const ElementInstanceRow* scope = instances.find(command.batch_element_instance_key);
  const bool is_canceled_from_within = scope != nullptr && is_canceling_transaction(*scope) &&
                                       scope->state == ElementState::Activated;
  std::vector<Key> found;
  // Skip children that are already terminating.
  instances.for_each_child(
      command.batch_element_instance_key, ChildKey{Key{command.index}},
      [&](Key child, const ElementInstanceRow& row) {
        if (is_terminatable(row) &&
            !(is_canceled_from_within && takes_part_in_cancellation(step, child))) {
          found.push_back(child);
        }
        return found.size() < 2;
      });
  if (!found.empty()) go_on_to_terminate(step, context_of(step, found.front()));
  if (found.size() < 2) {
    step.event(ProcessInstanceBatchIntent::Terminated, key, command);
    return;
  }
  record::ProcessInstanceBatchRecord next = command;
  next.index = found.back().value();
  step.command(ProcessInstanceBatchIntent::Terminate, key, next);
}

}  // namespace beeline::engine
