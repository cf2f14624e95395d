#include "engine/processors/job_checks.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::JobIntent;
using record::RejectionType;

void job_time_out(Step& step, Key key, const record::JobView&) {
  const JobRow* job = step.state().jobs().find(key);
  // The worker may have finished the job or got more time in between. Then there is nothing to do.
  if (job == nullptr || job->state != JobState::Activated || job->deadline > step.now()) {
    return step.reject(
        RejectionType::NotFound,
        fmt::format("Expected to time out activated job with key '{}', but it {}", key.value(),
                    job == nullptr ? "is gone" : "must not be timed out now"));
  }
  const record::JobView value = job_value(step, *job);
  step.event(JobIntent::TimedOut, key, value);
  step.job_available({value.tenant_id, value.type}, key);
}

}  // namespace beeline::engine
