#pragma once

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"

namespace beeline::engine {

// Completes an element that is COMPLETING and has done its own work: takes its flows, or ends the
// path in its scope. May fail if the scope fails.
[[nodiscard]] Outcome finish_completion(Step& step, const ElementContext& context);

// Does this for an element without outgoing flows: the path ends in its scope.
[[nodiscard]] Outcome end_path(Step& step, const ElementContext& context);

}  // namespace beeline::engine
