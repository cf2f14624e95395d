#include "engine/processors/job_checks.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::JobIntent;
using record::RejectionType;

void job_update_timeout(Step& step, Key key, const record::JobView& command) {
  const auto job = find_job(step, key, "update");
  if (!job) return step.reject(job.error());
  if ((*job)->state != JobState::Activated) {
    return step.reject(RejectionType::InvalidState,
                       fmt::format("Expected to update the timeout of job with key '{}', but it "
                                   "is not active",
                                   key.value()));
  }
  record::JobView value = job_value(step, **job);
  value.timeout = command.timeout;
  value.deadline = step.now() + command.timeout;
  step.event(JobIntent::TimeoutUpdated, key, value);
  step.respond_with_event(key);
}

}  // namespace beeline::engine
