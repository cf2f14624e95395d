#include "engine/appliers/appliers.h"

namespace beeline::engine {

void apply(EngineState& state, const record::Metadata& metadata,
           const record::CompensationSubscriptionRecord& value) {
  using record::CompensationSubscriptionIntent;
  check_version(metadata, 1);
  switch (static_cast<CompensationSubscriptionIntent>(metadata.intent)) {
    case CompensationSubscriptionIntent::Created:
      return state.compensation_subscriptions().insert(metadata.key, value);
    case CompensationSubscriptionIntent::Triggered:
    case CompensationSubscriptionIntent::Moved:
      return state.compensation_subscriptions().replace(metadata.key, value);
    case CompensationSubscriptionIntent::Completed:
    case CompensationSubscriptionIntent::Deleted:
      return state.compensation_subscriptions().erase(metadata.key);
    case CompensationSubscriptionIntent::Trigger:
      break;  // a command
  }
  no_applier(metadata);
}

}  // namespace beeline::engine
