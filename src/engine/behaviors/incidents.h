#pragma once

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"

namespace beeline::engine {

// Writes an incident on an element instance; `job` is set if its job is the cause.
void raise_incident(Step& step, const ElementContext& context, const Failure& failure, Key job);
// Writes INCIDENT RESOLVED for all incidents of an element instance that ends.
void resolve_incidents(Step& step, const ElementContext& context);

}  // namespace beeline::engine
