#include "engine/behaviors/transitions.h"
#include "engine/elements/completion.h"
#include "engine/elements/element_behavior.h"

// Parallel gateways take all flows. The processor checks before the activation whether a join has
// all its tokens (processors/process_instance_activate_element.cc).
namespace beeline::engine {
namespace {

Outcome activate_parallel_gateway(Step& step, ElementContext& context) {
  write_activated(step, context);
  write_completing(step, context);
  return finish_completion(step, context);
}

}  // namespace

const ElementBehavior kParallelGateway = {.activate = activate_parallel_gateway,
                                          .complete = shared::never_complete};

}  // namespace beeline::engine
