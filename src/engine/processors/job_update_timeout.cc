#include "engine/processors/job_checks.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::JobIntent;
using record::RejectionType;

void job_update_timeout(Step& step, Key key, const record::JobRecord& command) {
  const auto job = find_job(step, key, "update timeout for");
  if (!job) return step.reject(job.error().type, job.error().reason);
  if ((*job)->state != JobState::Activated) {
    return step.reject(RejectionType::InvalidState,
                       fmt::format("Expected to update timeout for job with key '{}', but it has "
                                   "no deadline: it is not activated",
                                   key.value()));
  }
  record::JobRecord value = job_value(step, **job);
  value.timeout = command.timeout;
  value.deadline = step.now() + command.timeout;
  step.event(JobIntent::TimeoutUpdated, key, value);
  step.respond(JobIntent::TimeoutUpdated, key, value);
}

}  // namespace beeline::engine
