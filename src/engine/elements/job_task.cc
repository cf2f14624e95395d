#include "engine/behaviors/jobs.h"
#include "engine/behaviors/mappings.h"
#include "engine/behaviors/subscriptions.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/element_behavior.h"

// Elements that create a job for a worker and wait for its completion (spec: elements/tasks 1).
namespace beeline::engine {
namespace {

Outcome activate_job_task(Step& step, ElementContext& context) {
  BEELINE_TRY_VOID(apply_inputs(step, context));
  BEELINE_TRY(const NewJob job, evaluate_job(step, context));
  BEELINE_TRY_VOID(subscribe(step, context));
  create_job(step, context, job);
  write_activated(step, context);
  return {};
}

}  // namespace

const ElementBehavior kJobTask = {.activate = activate_job_task, .complete = shared::map_outputs};

}  // namespace beeline::engine
