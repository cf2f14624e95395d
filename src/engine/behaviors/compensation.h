#pragma once

#include "engine/behaviors/element_context.h"

// Compensation (spec: elements/compensation): a completed activity leaves a subscription, a throw
// event triggers it, and the end of its handler completes it. Functions that may have to write more
// than fits one batch stop when the batch is full.
namespace beeline::engine {

// False for an element whose end has nothing to do with compensation; the other functions need not
// be called then.
[[nodiscard]] inline bool concerns_compensation(const Step& step, const bpmn::Element& element) {
  return element.compensated_by.is_set() || !step.state().compensation_subscriptions().empty();
}

// Creates the subscription of an activity that is about to be completed, if it has a handler or
// contains activities that have one.
void remember_activity(Step& step, const ElementContext& activity);
// Deletes the subscriptions within an element that is about to be completed, if nothing can
// compensate them afterwards: within a process, an event subprocess or a handler. Returns false if
// some are left because the batch is full.
[[nodiscard]] bool forget_unreachable(Step& step, const ElementContext& context);
// Deletes the subscriptions within a scope that is about to be terminated, or gives them to the
// transaction whose cancellation ends the scope. Returns false if some are left because the batch
// is full.
[[nodiscard]] bool release_activities(Step& step, const ElementContext& scope);
// Does the same for the subscriptions that a throw event has triggered: a transaction compensates
// anew what was not compensated completely.
[[nodiscard]] bool release_triggered(Step& step, const ElementContext& throw_event);

// Triggers the subscriptions that a throw event compensates, the latest first. If the batch is
// full, a command of its own goes on. Returns false if there are none.
[[nodiscard]] bool begin_compensation(Step& step, const ElementContext& throw_event);
// Does the same, and completes the throw event if there are none.
void compensate(Step& step, const ElementContext& throw_event);
// Does the same for the cancel end event of a transaction, once all other children of the
// transaction are gone.
void compensate_transaction(Step& step, const ElementContext& transaction);
// True while handlers of a throw event are at work.
[[nodiscard]] bool is_compensating(const Step& step, Key throw_event);
// Completes the subscription of a handler that was completed, and the throw event with the last of
// its subscriptions. Does nothing for other elements.
void handler_completed(Step& step, const ElementContext& handler);

}  // namespace beeline::engine
