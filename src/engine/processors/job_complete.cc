#include "engine/elements/job_kinds.h"
#include "engine/processors/job_checks.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::JobIntent;

void job_complete(Step& step, Key key, const record::JobView& command) {
  const auto job = find_workable_job(step, key, "complete");
  if (!job) return step.reject(job.error().type, job.error().reason);
  if (is_interrupted(step, **job)) {
    const Rejection rejection = no_such_job("complete", key);
    return step.reject(rejection.type, rejection.reason);
  }
  const ElementContext context = context_of(step, (*job)->element_instance_key);
  // Before the job is gone: completing the element could only raise an incident.
  const JobKindBehavior& behavior = behavior_of(**job);
  const auto checked = behavior.check_result(step, context, command.variables);
  if (!checked) {
    const Rejection rejection =
        checked.error().to_rejection(fmt::format("complete job with key '{}'", key.value()));
    return step.reject(rejection.type, rejection.reason);
  }
  record::JobView value = job_value(context, **job);
  value.variables = command.variables;
  step.event(JobIntent::Completed, key, value);
  step.respond_with_event(key);
  behavior.completed(step, context, command.variables);
}

}  // namespace beeline::engine
