#include "engine/appliers/appliers.h"

// Subscriptions of conditional events, and evaluations of those that start processes.
namespace beeline::engine {

void apply(EngineState& state, const record::Metadata& metadata,
           const record::ConditionalSubscriptionRecord& value) {
  using record::ConditionalSubscriptionIntent;
  check_version(metadata, 1);
  switch (static_cast<ConditionalSubscriptionIntent>(metadata.intent)) {
    case ConditionalSubscriptionIntent::Created:
      return state.conditional_subscriptions().insert(metadata.key, value);
    case ConditionalSubscriptionIntent::Triggered:
      // One that does not interrupt waits for the next change.
      if (value.interrupting) state.conditional_subscriptions().erase(metadata.key);
      return;
    case ConditionalSubscriptionIntent::Deleted:
      return state.conditional_subscriptions().erase(metadata.key);
    case ConditionalSubscriptionIntent::Trigger:
    case ConditionalSubscriptionIntent::Evaluate:
      break;  // commands
  }
  no_applier(metadata);
}

void apply(EngineState&, const record::Metadata& metadata,
           const record::ConditionalEvaluationRecord&) {
  using record::ConditionalEvaluationIntent;
  check_version(metadata, 1);
  switch (static_cast<ConditionalEvaluationIntent>(metadata.intent)) {
    case ConditionalEvaluationIntent::Evaluated:
      return;  // the instances that were started have events of their own
    case ConditionalEvaluationIntent::Evaluate:
      break;  // a command
  }
  no_applier(metadata);
}

}  // namespace beeline::engine
