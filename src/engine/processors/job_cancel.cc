#include "engine/processors/job_checks.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

void job_cancel(Step& step, Key key, const record::JobView&) {
  const auto job = find_job(step, key, "cancel");
  if (!job) return step.reject(job.error());
  step.event(record::JobIntent::Canceled, key, job_value(step, **job));
}

}  // namespace beeline::engine
