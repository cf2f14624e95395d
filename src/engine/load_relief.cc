#include "engine/load_relief.h"

namespace beeline::engine {

bool relieves_load(record::ValueType type, record::IntentNumber intent) {
  const auto is = [&](record::ValueType wanted, auto wanted_intent) {
    return type == wanted && intent == static_cast<record::IntentNumber>(wanted_intent);
  };
  return is(record::ValueType::Job, record::JobIntent::Complete) ||
         is(record::ValueType::Job, record::JobIntent::Fail) ||
         is(record::ValueType::Job, record::JobIntent::Yield) ||
         is(record::ValueType::ProcessInstance, record::ProcessInstanceIntent::Cancel) ||
         is(record::ValueType::Deployment, record::DeploymentIntent::Create);
}

}  // namespace beeline::engine
