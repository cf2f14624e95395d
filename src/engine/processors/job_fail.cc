#include "engine/behaviors/incidents.h"
#include "engine/behaviors/variable_writing.h"
#include "engine/elements/job_kinds.h"
#include "engine/processors/job_checks.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::JobIntent;

void job_fail(Step& step, Key key, const record::JobView& command) {
  const auto job = find_workable_job(step, key, "fail");
  if (!job) return step.reject(job.error());
  if (is_interrupted(step, **job)) {
    return step.reject(no_such_job("fail", key));
  }
  if (command.retry_backoff.count() < 0) {
    return step.reject(record::RejectionType::InvalidArgument,
                       fmt::format("Expected to fail job with key '{}' with a retry back-off of "
                                   "zero or more, but it is {} ms",
                                   key.value(), command.retry_backoff.count()));
  }
  const ElementContext context = context_of(step, (*job)->element_instance_key);
  const auto checked = check_local(step, owner_of(context.value), context.key, command.variables);
  if (!checked) {
    return step.reject(
        checked.error().to_rejection(fmt::format("fail job with key '{}'", key.value())));
  }
  const JobKindBehavior& behavior = behavior_of(**job);
  record::JobView value = job_value(context, **job);
  value.retries = command.retries;
  const std::string message = cut_message(command.error_message);
  value.error_message = message;
  value.retry_backoff = command.retry_backoff;
  value.deadline = Timestamp{-1};
  value.recurring_time = Timestamp{-1};
  if (command.retries > 0 && command.retry_backoff.count() > 0) {
    value.recurring_time = step.now() + command.retry_backoff;
  }
  value.variables = command.variables;
  step.event(JobIntent::Failed, key, value);
  step.respond_with_event(key);

  set_local_checked(step, owner_of(context.value), context.key, command.variables);
  if (command.retries > 0) {
    if (command.retry_backoff.count() == 0) step.job_available({value.tenant_id, value.type}, key);
    return;
  }
  raise_incident(
      step, context,
      {behavior.no_retries, message.empty() ? "No more retries left." : message, context.key}, key);
}

}  // namespace beeline::engine
