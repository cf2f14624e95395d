#include "engine/behaviors/runtime_instructions.h"

#include <algorithm>

#include "engine/behaviors/transitions.h"

namespace beeline::engine {

bool end_instance_after(Step& step, const ElementContext& context,
                        const RuntimeInstructionsRow& instructions) {
  if (instructions.is_interrupted || !context.value.flow_scope_key.is_set()) return false;
  const bpmn::Element& element = *context.element;
  // An inner activity has the id of its multi-instance body, which is the one that counts.
  if (context.element_at(element.flow_scope).inner == element.index) return false;
  if (!std::ranges::binary_search(instructions.after_element_ids, element.id)) return false;
  const ElementContext process = context_of(step, context.value.process_instance_key);
  if (row_of(step, process.key).state != ElementState::Activated) return false;
  record::RuntimeInstructionRecord value;
  fill_owner(value, context);
  value.element_id = element.id;
  step.event(record::RuntimeInstructionIntent::Interrupted, step.next_key(), value);
  go_on_to_terminate(step, process);
  return true;
}

}  // namespace beeline::engine
