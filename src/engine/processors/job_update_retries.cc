#include "engine/processors/job_checks.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::JobIntent;

void job_update_retries(Step& step, Key key, const record::JobView& command) {
  const auto job = find_job(step, key, "update");
  if (!job) return step.reject(job.error());
  if (command.retries < 1) {
    return step.reject(record::RejectionType::InvalidArgument,
                       fmt::format("Expected to update retries for job with key '{}' with a "
                                   "positive amount of retries, but the amount given was '{}'",
                                   key.value(), command.retries));
  }
  record::JobView value = job_value(step, **job);
  value.retries = command.retries;
  step.event(JobIntent::RetriesUpdated, key, value);
  step.respond_with_event(key);
}

}  // namespace beeline::engine
