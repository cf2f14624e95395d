#include "engine/behaviors/errors.h"
#include "engine/behaviors/expressions.h"
#include "engine/behaviors/runtime_instructions.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/element_behavior.h"

// Error and terminate end events, which do more than end a path (spec: elements/events 5, 6).
namespace beeline::engine {
namespace {

// An error end event never completes. It is terminated with the scope that the error interrupts.
Outcome activate_error(Step& step, ElementContext& context) {
  BEELINE_TRY(const std::string code,
              evaluate_string(step, *context.element->parts().error->code, context.key));
  const auto catcher = find_error_catcher(step, context.value.flow_scope_key, code);
  if (!catcher)
    return failure(unhandled_error(step, context, context.value.flow_scope_key, code, {}));
  write_activated(step, context);
  // If another event has already interrupted the catching scope, the end event is terminated with
  // it all the same.
  if (accepts(step, *catcher)) throw_to(step, *catcher, {});
  return {};
}

Outcome activate_terminate(Step& step, ElementContext& context) {
  write_activated(step, context);
  go_on_to_complete(step, context);
  return {};
}

Outcome finish_terminate(Step& step, const ElementContext& context) {
  const ElementContext scope = scope_context(step, context);
  write_completed(step, context);
  if (ends_instance(step, context)) return {};
  if (!terminate_children(step, scope)) go_on_to_complete(step, scope);
  return {};
}

}  // namespace

const ElementBehavior kErrorEndEvent = {.activate = activate_error};

const ElementBehavior kTerminateEndEvent = {.activate = activate_terminate,
                                            .finish_completion = finish_terminate};

}  // namespace beeline::engine
