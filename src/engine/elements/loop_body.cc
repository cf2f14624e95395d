#include "engine/elements/loop_body.h"

#include "engine/behaviors/compensation.h"
#include "engine/behaviors/incidents.h"
#include "engine/behaviors/subscriptions.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/termination.h"

namespace beeline::engine {

void activate_inner(Step& step, const ElementContext& body) {
  go_on_to_activate(step, body, body.element_at(body.element->inner), Key{});
}

void end_loop(Step& step, const ElementContext& body) {
  if (!terminate_children(step, body)) go_on_to_complete(step, body);
}

bool terminate_loop_body(Step& step, const ElementContext& body) {
  unsubscribe(step, body);
  resolve_incidents(step, body);
  if (!release_activities(step, body)) {
    go_on_to_terminate(step, body);  // the batch is full; the next one goes on
    return false;
  }
  return !terminate_children(step, body);
}

void inner_terminated(Step& step, const ElementContext& body) {
  const ElementInstanceRow& row = row_of(step, body.key);
  if (row.state == ElementState::Terminating) {
    if (row.child_count == 0) finish_termination(step, body);
    return;
  }
  // The loop has ended and the other instances were terminated. The body completes when the last of
  // them is gone.
  if (row.state == ElementState::Activated && row.child_count == 0) go_on_to_complete(step, body);
}

}  // namespace beeline::engine
