#include <fmt/format.h>

#include "engine/behaviors/signal_broadcast.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

// Delivers a signal to its next receivers: there are more of them than one step serves.
void signal_continue(Step& step, Key key, const record::SignalRecord& command) {
  if (step.state().signals().find_broadcast(key) == nullptr) {
    return step.reject(record::RejectionType::NotFound,
                       fmt::format("Expected to continue the broadcast of signal '{}' with key "
                                   "'{}', but no such broadcast was found",
                                   command.signal_name, key.value()));
  }
  continue_broadcast(step, key);
}

}  // namespace beeline::engine
