#pragma once

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"

namespace beeline::engine {

// A job on its way onto the log, its expressions evaluated.
struct NewJob {
  std::string type;
  std::int32_t retries = 0;
  std::int32_t priority = 0;
  std::vector<bpmn::Header> headers;  // besides those of the model
};
// Evaluates type, retries and priority of the element's job, in this order, and what is said of a
// user task.
[[nodiscard]] Result<NewJob, Failure> evaluate_job(const Step& step, const ElementContext& context);
// Writes JOB CREATED and tells that there is something to hand out.
void create_job(Step& step, const ElementContext& context, const NewJob& job);
// Writes JOB CANCELED if the element instance has a job.
void cancel_job(Step& step, const ElementContext& context);

// The value that records about a job carry. Borrowed from the row: an event that changes that
// changes what it shows.
[[nodiscard]] record::JobView job_value(const Step& step, const JobRow& row);
// The same, where the context of its element instance is at hand.
[[nodiscard]] record::JobView job_value(const ElementContext& context, const JobRow& row);

}  // namespace beeline::engine
