#include "engine/elements/job_kinds.h"

#include "base/check.h"
#include "engine/behaviors/compensation.h"
#include "engine/behaviors/mappings.h"
#include "engine/behaviors/transitions.h"
#include "engine/behaviors/triggers.h"

namespace beeline::engine {
namespace {

using record::JobKind;

void complete_job_element(Step& step, const ElementContext& context,
                          const record::DocumentView& variables) {
  // If the scope is ending, the element is terminated with it.
  const ElementInstanceRow& scope = row_of(step, context.value.flow_scope_key);
  if (scope.state != ElementState::Activated) return;
  write_result(step, context, variables);
  // The handlers of a multiple event complete it if they end later.
  if (!is_compensating(step, context.key)) go_on_to_complete(step, context);
}

// A job of this kind does the work of its element (spec: elements/tasks 1).
constexpr JobKindBehavior kElementJob = {.check_result = check_result,
                                         .completed = complete_job_element};

// Every job does the work of an element so far. A second kind needs a field in the row.
constexpr JobKind kind_of(const JobRow&) {
  return JobKind::BpmnElement;
}

const JobKindBehavior* find_job_behavior(JobKind kind) {
  switch (kind) {
    case JobKind::BpmnElement:
      return &kElementJob;
    case JobKind::ExecutionListener:
    case JobKind::TaskListener:
    case JobKind::AdHocSubProcess:
      return nullptr;
  }
  return nullptr;
}

}  // namespace

const JobKindBehavior& behavior_of(const JobRow& job) {
  const JobKindBehavior* behavior = find_job_behavior(kind_of(job));
  BEELINE_ENSURE(behavior != nullptr, "no behavior for jobs of kind {}",
                 record::name_of(kind_of(job)));
  return *behavior;
}

}  // namespace beeline::engine
