#pragma once

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"

namespace beeline::engine {

// The last part of completing an element that is COMPLETING and through with its own work: takes
// its flows, or ends the path in its scope. May fail where the scope has something to say about
// that.
[[nodiscard]] Outcome finish_completion(Step& step, const ElementContext& context);

}  // namespace beeline::engine
