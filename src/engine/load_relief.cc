#include "engine/load_relief.h"

#include "record/values/deployments.h"
#include "record/values/jobs.h"
#include "record/values/process_instances.h"

namespace beeline::engine {

bool relieves_load(const record::CommandHeadView& command) {
  const auto is = [&](record::ValueType wanted, auto wanted_intent) {
    return command.value_type == wanted &&
           command.intent == static_cast<record::IntentNumber>(wanted_intent);
  };
  return is(record::ValueType::Job, record::JobIntent::Complete) ||
         is(record::ValueType::Job, record::JobIntent::Fail) ||
         is(record::ValueType::Job, record::JobIntent::Yield) ||
         is(record::ValueType::ProcessInstance, record::ProcessInstanceIntent::Cancel) ||
         is(record::ValueType::Deployment, record::DeploymentIntent::Create);
}

}  // namespace beeline::engine
