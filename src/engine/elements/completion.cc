#include "engine/elements/completion.h"

#include "engine/behaviors/compensation.h"
#include "engine/behaviors/runtime_instructions.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/element_behavior.h"

namespace beeline::engine {
namespace {

// Writes ELEMENT_COMPLETED, and the events of compensation before and after it. Returns false if
// the process instance ends with this element.
bool complete_and_go_on(Step& step, const ElementContext& context) {
  if (!concerns_compensation(step, *context.element)) {
    write_completed(step, context);
  } else {
    remember_activity(step, context);
    write_completed(step, context);
    handler_completed(step, context);
  }
  return !ends_instance(step, context);
}

}  // namespace

Outcome finish_completion(Step& step, const ElementContext& context) {
  const ElementBehavior& behavior = behavior_of(*context.element);
  if (behavior.finish_completion != nullptr) return behavior.finish_completion(step, context);
  if (!context.element->outgoing.empty()) {
    if (complete_and_go_on(step, context)) take_all_flows(step, context);
    return {};
  }
  return end_path(step, context);
}

Outcome end_path(Step& step, const ElementContext& context) {
  const ElementContext scope = scope_context(step, context);
  const ElementBehavior& around = behavior_of(*scope.element);
  BEELINE_TRY(const PathEnd end, around.before_path_completed(step, scope, context));
  if (complete_and_go_on(step, context)) around.path_completed(step, scope, context, end);
  return {};
}

}  // namespace beeline::engine
