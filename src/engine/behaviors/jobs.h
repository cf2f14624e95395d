#pragma once

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"

namespace beeline::engine {

// A job that is about to be created, with its expressions evaluated.
struct NewJob {
  std::string type;
  std::int32_t retries = 0;
  std::int32_t priority = 0;
  std::vector<bpmn::Header> headers;  // besides those of the model
};
// Evaluates type, retries and priority of the element's job, in this order, and the properties of a
// user task.
[[nodiscard]] Result<NewJob, Failure> evaluate_job(const Step& step, const ElementContext& context);
// Writes JOB CREATED and announces the job.
void create_job(Step& step, const ElementContext& context, const NewJob& job);
// Writes JOB CANCELED if the element instance has a job.
void cancel_job(Step& step, const ElementContext& context);

// Returns the value of records about a job. It borrows from the row, so an event that changes the
// row changes it.
[[nodiscard]] record::JobView job_value(const Step& step, const JobRow& row);
// Returns the same, if the context of its element instance is available.
[[nodiscard]] record::JobView job_value(const ElementContext& context, const JobRow& row);

}  // namespace beeline::engine
