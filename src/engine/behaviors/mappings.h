#pragma once

#include "engine/behaviors/element_context.h"
#include "engine/behaviors/variable_writing.h"
#include "engine/failure.h"

// Input and output mappings (spec: variables 4). All mappings are evaluated before any result is
// written; the first failure is an IO_MAPPING_ERROR, and nothing is written.
namespace beeline::engine {

// Writes the input mappings' results as local variables of the element.
[[nodiscard]] Outcome apply_inputs(Step& step, const ElementContext& context);

// Returns the variables that the input mappings have written, and no others that are local.
[[nodiscard]] record::Document mapped_inputs(const Step& step, const ElementContext& context);

// Takes the result payload that is stored on the element, if there is one (PROCESS_EVENT
// TRIGGERED), and writes it and the output mappings' results (spec: variables 3).
[[nodiscard]] Outcome apply_outputs(Step& step, const ElementContext& context);

// Checks whether apply_outputs could write this as the result payload of the element now.
[[nodiscard]] Result<void, VariablesTooLarge> check_result(const Step& step,
                                                           const ElementContext& context,
                                                           const record::DocumentView& payload);

// Stores the result that an element computed when it was activated. If apply_outputs could not
// write the result, it is not stored: whoever resolves the incident can make the variables that it
// was computed from smaller, and the element computes it again.
[[nodiscard]] Outcome keep_result(Step& step, const ElementContext& context,
                                  const record::DocumentView& result);

}  // namespace beeline::engine
