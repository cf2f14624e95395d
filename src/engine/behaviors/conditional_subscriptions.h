#pragma once

#include "engine/behaviors/element_context.h"

// The subscriptions of conditional events that element instances and start events open and close.
// conditions.h decides when they fire.
namespace beeline::engine {

// The plan of a conditional event. Its condition is known since deployment, so nothing is
// evaluated before it is opened.
struct AwaitedCondition {};

// Opens the subscription of a catch event, which fires at once if its condition holds already.
void open_conditional_subscription(Step& step, const ElementContext& host,
                                   const bpmn::Element& catch_event);
// Opens a conditional start event of a version of a process.
void open_conditional_start(Step& step, const Definition& definition,
                            const bpmn::Element& start_event);
// Closes a subscription of either kind.
void close_conditional_subscription(Step& step, Key subscription);

}  // namespace beeline::engine
