#pragma once

#include "engine/behaviors/element_context.h"
#include "engine/behaviors/variable_writing.h"
#include "record/enums.h"

// Jobs differ in what their end means to the element that they were made for: the job of a service
// task completes it, the job of a listener only lets it continue. Each kind of job is a row of
// functions, which the processors of jobs call; elements/job_kinds.cc has the rows.
namespace beeline::engine {

struct JobKindBehavior {
  // Checks whether the element can accept `variables` as the result of the job. Runs before the job
  // is completed, while the client can still be refused.
  Result<void, VariablesTooLarge> (*check_result)(const Step& step, const ElementContext& context,
                                                  const record::DocumentView& variables);
  // Runs after JOB COMPLETED.
  void (*completed)(Step& step, const ElementContext& context,
                    const record::DocumentView& variables);
  // The incident of a job that failed and has no retries left.
  record::ErrorType no_retries = record::ErrorType::JobNoRetries;
};

[[nodiscard]] const JobKindBehavior& behavior_of(const JobRow& job);

}  // namespace beeline::engine
