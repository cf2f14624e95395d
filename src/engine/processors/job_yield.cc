#include "engine/processors/job_checks.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::JobIntent;

// Makes a job that could not be delivered to a worker available again, with all its retries.
void job_yield(Step& step, Key key, const record::JobView&) {
  const auto job = find_job(step, key, "yield");
  if (!job) return step.reject(job.error());
  if ((*job)->state != JobState::Activated) {
    return step.reject(record::RejectionType::InvalidState,
                       fmt::format("Expected to yield job with key '{}', but it is in state '{}'",
                                   key.value(), name_of((*job)->state)));
  }
  const record::JobView value = job_value(step, **job);
  step.event(JobIntent::Yielded, key, value);
  step.respond_with_event(key);
  step.job_available({value.tenant_id, value.type}, key);
}

}  // namespace beeline::engine
