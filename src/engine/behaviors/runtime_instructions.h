#pragma once

#include "engine/behaviors/element_context.h"

// Run-time instructions: a process instance that was created with one ends after a certain element
// (spec: instances 1).
namespace beeline::engine {

// True if a run-time instruction has taken effect, so the instance takes no commands but those that
// terminate it.
[[nodiscard]] inline bool is_ending(const Step& step, Key process_instance) {
  const RuntimeInstructionsRow* row = step.state().find_runtime_instructions(process_instance);
  return row != nullptr && row->is_interrupted;
}

// Begins to terminate the process instance if an instruction names the element, which was completed
// or terminated just now. The caller then takes no flow.
bool end_instance_after(Step& step, const ElementContext& context,
                        const RuntimeInstructionsRow& instructions);
[[nodiscard]] inline bool ends_instance(Step& step, const ElementContext& context) {
  const RuntimeInstructionsRow* row =
      step.state().find_runtime_instructions(context.value.process_instance_key);
  return row != nullptr && end_instance_after(step, context, *row);
}

}  // namespace beeline::engine
