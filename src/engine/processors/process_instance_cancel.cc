#include <fmt/format.h>

#include "engine/behaviors/transitions.h"
#include "engine/elements/termination.h"
#include "engine/processors/processors.h"

namespace beeline::engine {
namespace {

using record::ProcessInstanceIntent;
using record::RejectionType;

}  // namespace

void process_instance_cancel(Step& step, Key key, const record::ProcessInstanceView&) {
  const ElementInstanceRow* row = step.state().element_instances().find(key);
  const bool is_instance = row != nullptr && !row->flow_scope_key.is_set();
  if (!is_instance || row->state == ElementState::Terminating) {
    return step.reject(RejectionType::NotFound,
                       fmt::format("Expected to cancel a process instance with key '{}', but no "
                                   "such process was found",
                                   key.value()));
  }
  if (row->parent_process_instance_key.is_set()) {
    return step.reject(
        RejectionType::InvalidState,
        fmt::format("Expected to cancel a process instance with key '{}', but it is created by a "
                    "parent process instance. Cancel the root process instance '{}' instead",
                    key.value(), row->root_process_instance_key.value()));
  }
  if (row->is_canceling) {
    return step.reject(RejectionType::InvalidState,
                       fmt::format("Expected to cancel a process instance with key '{}', but it "
                                   "is already being canceled",
                                   key.value()));
  }
  const ElementContext context = context_of(step, key);
  step.event(record::AsyncRequestIntent::Received, key, cancel_request(key));
  step.event(ProcessInstanceIntent::Canceling, key, context.value);
  go_on_to_terminate(step, context);
  step.respond(ProcessInstanceIntent::Canceling, key, context.value);
}

}  // namespace beeline::engine
