#include "base/check.h"
#include "engine/appliers/appliers.h"

// Signals and the subscriptions to them.
namespace beeline::engine {

void apply(EngineState& state, const record::Metadata& metadata,
           const record::SignalSubscriptionRecord& value) {
  using record::SignalSubscriptionIntent;
  check_version(metadata, 1);
  switch (static_cast<SignalSubscriptionIntent>(metadata.intent)) {
    case SignalSubscriptionIntent::Created:
      return state.signals().insert(metadata.key, value);
    case SignalSubscriptionIntent::Deleted:
      return state.signals().erase(metadata.key);
  }
  no_applier(metadata);
}

void apply(EngineState& state, const record::Metadata& metadata,
           const record::SignalRecord& value) {
  using record::SignalIntent;
  check_version(metadata, 1);
  switch (static_cast<SignalIntent>(metadata.intent)) {
    case SignalIntent::Broadcasted:
      return;  // the receivers have events of their own
    case SignalIntent::Paused: {
      BEELINE_CHECK(value.snapshot_key.is_set(), "signal {} has no snapshot", metadata.key.value());
      return state.signals().pause_broadcast(metadata.key, value);
    }
    case SignalIntent::Completed:
      return state.signals().complete_broadcast(metadata.key);
    case SignalIntent::Broadcast:
    case SignalIntent::Continue:
      break;  // commands
  }
  no_applier(metadata);
}

}  // namespace beeline::engine
