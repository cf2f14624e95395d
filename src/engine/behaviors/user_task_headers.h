#pragma once

#include <vector>

#include "bpmn/parts.h"
#include "engine/failure.h"
#include "engine/step.h"

namespace beeline::engine {

// Evaluates the properties of a user task that is done as a job, as headers of the job: who should
// do it, until when, with which form. Their names begin with "io.camunda.zeebe:", so no header of
// the model has them. A failure is an EXTRACT_VALUE_ERROR.
[[nodiscard]] Result<std::vector<bpmn::Header>, Failure> evaluate_user_task(
    const Step& step, const bpmn::UserTask& task, Key scope);

}  // namespace beeline::engine
