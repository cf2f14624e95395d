#include "engine/elements/job_kinds.h"
#include "engine/processors/job_checks.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::JobIntent;

void job_complete(Step& step, Key key, const record::JobView& command) {
  const auto job = find_workable_job(step, key, "complete");
  if (!job) return step.reject(job.error());
  if (is_interrupted(step, **job)) {
    return step.reject(no_such_job("complete", key));
  }
  const ElementContext context = context_of(step, (*job)->element_instance_key);
  // Check the result while the job still exists and the command can be rejected. Later, completing
  // the element could only raise an incident.
  const JobKindBehavior& behavior = behavior_of(**job);
  const auto checked = behavior.check_result(step, context, command.variables);
  if (!checked) {
    return step.reject(
        checked.error().to_rejection(fmt::format("complete job with key '{}'", key.value())));
  }
  record::JobView value = job_value(context, **job);
  value.variables = command.variables;
  step.event(JobIntent::Completed, key, value);
  step.respond_with_event(key);
  behavior.completed(step, context, command.variables);
}

}  // namespace beeline::engine
