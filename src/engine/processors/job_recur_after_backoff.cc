#include "engine/processors/job_checks.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::JobIntent;
using record::RejectionType;

void job_recur_after_backoff(Step& step, Key key, const record::JobView&) {
  const JobRow* job = step.state().jobs().find(key);
  if (job == nullptr || job->state != JobState::Failed || job->recurring_time.millis() < 0 ||
      job->recurring_time > step.now()) {
    return step.reject(
        RejectionType::NotFound,
        fmt::format("Expected to let failed job with key '{}' recur, but {}", key.value(),
                    job == nullptr ? "no such job was found" : "its back-off is not over"));
  }
  const record::JobView value = job_value(step, *job);
  step.event(JobIntent::RecurredAfterBackoff, key, value);
  step.job_available({value.tenant_id, value.type}, key);
}

}  // namespace beeline::engine
