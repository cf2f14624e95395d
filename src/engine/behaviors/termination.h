#pragma once

#include "engine/behaviors/element_context.h"
#include "record/values.h"

namespace beeline::engine {

// What the cancellation of a process instance is recorded as, when it begins and when it is done.
[[nodiscard]] record::AsyncRequestRecord cancel_request(Key process_instance);

// Begins to terminate the children of a scope, one command after the other (spec: lifecycle 8).
// False when it has none.
bool terminate_children(Step& step, const ElementContext& scope);

// Ends an element instance whose children are gone: TERMINATED, then the boundary event that caused
// it, or word to the scope.
void finish_termination(Step& step, const ElementContext& context);

}  // namespace beeline::engine
