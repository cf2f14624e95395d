#pragma once

#include "engine/behaviors/element_context.h"
#include "record/values.h"

namespace beeline::engine {

// Returns the value that records the cancellation of a process instance, both when it begins and
// when it is done.
[[nodiscard]] record::AsyncRequestRecord cancel_request(Key process_instance);

// Ends an element instance whose children are gone: writes TERMINATED, then activates the boundary
// event that caused it, or notifies the scope.
void finish_termination(Step& step, const ElementContext& context);

}  // namespace beeline::engine
