#include "engine/behaviors/transitions.h"
#include "engine/elements/element_behavior.h"

// Manual and undefined tasks, which neither wait nor have mappings (spec: elements/tasks 5).
namespace beeline::engine {
namespace {

Outcome activate_pass_through(Step& step, ElementContext& context) {
  write_activated(step, context);
  go_on_to_complete(step, context);
  return {};
}

}  // namespace

const ElementBehavior kPassThrough = {.activate = activate_pass_through};

}  // namespace beeline::engine
