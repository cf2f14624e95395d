#include <algorithm>

#include "base/check.h"
#include "engine/behaviors/cancellation.h"
#include "engine/behaviors/compensation.h"
#include "engine/behaviors/runtime_instructions.h"
#include "engine/behaviors/subscriptions.h"
#include "engine/behaviors/transitions.h"
#include "engine/behaviors/triggers.h"
#include "engine/elements/element_behavior.h"

// Cancel end events (spec: elements/transaction).
namespace beeline::engine {
namespace {

const bpmn::Element& cancel_boundary_of(const ElementContext& transaction) {
  const auto& events = transaction.element->boundary_events;
  const auto found = std::ranges::find_if(events, [&](bpmn::ElementIndex index) {
    return transaction.element_at(index).event_type == record::EventType::Cancel;
  });
  BEELINE_ENSURE(found != events.end(), "transaction '{}' has no cancel boundary event",
                 transaction.element->id);
  return transaction.element_at(*found);
}

// Closes the transaction for everything but its compensation. The end of its last child starts the
// handlers, since a subprocess that is still active leaves its activities to the transaction when
// it ends.
Outcome activate_cancel(Step& step, ElementContext& context) {
  write_activated(step, context);
  const ElementContext transaction = scope_context(step, context);
  // If another boundary event was quicker, it ends the transaction together with the end event.
  if (!can_trigger(step, transaction, cancel_boundary_of(transaction))) return {};
  step.event(record::ProcessInstanceIntent::Canceling, transaction.key, transaction.value);
  unsubscribe(step, transaction);
  if (row_of(step, transaction.key).child_count > 1) {
    terminate_children(step, transaction);
  } else {
    compensate(step, context);
  }
  return {};
}

// The last handler is done: the cancel boundary event interrupts the transaction.
Outcome finish_cancel(Step& step, const ElementContext& context) {
  const ElementContext transaction = scope_context(step, context);
  write_completed(step, context);
  if (ends_instance(step, context)) return {};
  trigger_event(step, transaction, cancel_boundary_of(transaction), {});
  return {};
}

}  // namespace

const ElementBehavior kCancelEndEvent = {.activate = activate_cancel,
                                         .terminate = shared::terminate_compensating,
                                         .finish_completion = finish_cancel};

}  // namespace beeline::engine
