#pragma once

#include "engine/behaviors/element_context.h"

// The parts that the bodies of multi-instance activities and of standard loops share. A body runs
// its inner activity several times.
namespace beeline::engine {

void activate_inner(Step& step, const ElementContext& body);

// Ends the loop: terminates the inner instances that are left, and then completes the body.
void end_loop(Step& step, const ElementContext& body);

// These are functions of the bodies' ElementBehavior.
bool terminate_loop_body(Step& step, const ElementContext& body);
void inner_terminated(Step& step, const ElementContext& body);

}  // namespace beeline::engine
