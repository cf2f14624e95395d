#include "engine/elements/completion.h"

#include "engine/behaviors/transitions.h"
#include "engine/elements/element_behavior.h"

namespace beeline::engine {

Outcome finish_completion(Step& step, const ElementContext& context) {
  const ElementBehavior& behavior = behavior_of(*context.element);
  if (behavior.finish_completion != nullptr) return behavior.finish_completion(step, context);
  if (!context.element->outgoing.empty()) {
    write_completed(step, context);
    take_all_flows(step, context);
    return {};
  }
  const ElementContext scope = scope_context(step, context);
  const ElementBehavior& around = behavior_of(*scope.element);
  BEELINE_TRY(const PathEnd end, around.before_path_completed(step, scope, context));
  write_completed(step, context);
  around.path_completed(step, scope, context, end);
  return {};
}

}  // namespace beeline::engine
