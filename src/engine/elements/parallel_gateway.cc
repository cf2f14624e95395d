#include "base/check.h"
#include "engine/behaviors/completion.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/element_behavior.h"

// Parallel gateways: fork into all flows. Whether a join has all its tokens is asked before it is
// activated (processors/process_instance_activate_element.cc).
namespace beeline::engine {
namespace {

Outcome activate_parallel_gateway(Step& step, ElementContext& context) {
  write_activated(step, context);
  write_completing(step, context);
  return finish_completion(step, context);
}

Outcome complete_parallel_gateway(Step&, const ElementContext& context) {
  BEELINE_ENSURE(false, "gateway '{}' is completed as it is activated", context.element->id);
  return {};
}

}  // namespace

const ElementBehavior kParallelGateway = {activate_parallel_gateway, complete_parallel_gateway,
                                          shared::terminate_leaf,    shared::allow_path,
                                          shared::no_path,           shared::no_child,
                                          shared::allow_child,       nullptr};

}  // namespace beeline::engine
