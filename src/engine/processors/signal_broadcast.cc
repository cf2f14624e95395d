#include "engine/behaviors/signal_broadcast.h"

#include <fmt/format.h>

#include "engine/behaviors/distribution.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::RejectionType;
using record::SignalIntent;
using record::SignalRecord;

void signal_broadcast(Step& step, Key key, const SignalRecord& command) {
  const record::Metadata& metadata = step.command_metadata();
  if (command.signal_name.empty()) {
    return step.reject(RejectionType::InvalidArgument,
                       "Expected to broadcast signal with a non-empty name, but no name was "
                       "provided");
  }
  const bool is_from_elsewhere = is_distributed(metadata);
  if (is_from_elsewhere && step.state().signals().find_broadcast(key) != nullptr) {
    // The last step of the broadcast acknowledges it.
    step.postpone_acknowledgement();
    return step.reject(
        RejectionType::AlreadyExists,
        fmt::format("Expected to broadcast signal '{}' with distribution key '{}', but it is being "
                    "broadcast already",
                    command.signal_name, key.value()));
  }
  // Only subscriptions that are older than this key receive the signal.
  const Key signal = step.next_key();
  SignalRecord value;
  value.signal_name = command.signal_name;
  value.variables = command.variables;
  value.tenant_id = command.tenant_id;
  step.event(SignalIntent::Broadcasted, signal, value);
  value.snapshot_key = signal;
  value.awaits_count = command.awaits_count;
  value.request_id = metadata.request_id;
  value.principal = step.principal();
  value.min_pending_key = metadata.min_pending_key;
  begin_broadcast(step, is_from_elsewhere ? key : signal, std::move(value));
}

}  // namespace beeline::engine
