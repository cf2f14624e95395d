#include <fmt/format.h>

#include "engine/behaviors/message_correlation.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

// Continues to give a message to its receivers, because there may be more of them than one step
// serves.
void message_batch_correlate(Step& step, Key key, const record::MessageBatchRecord& command) {
  if (step.state().messages().find(key) == nullptr) {
    return step.reject(record::RejectionType::NotFound,
                       fmt::format("Expected to correlate message with key '{}', but no such "
                                   "message was found",
                                   key.value()));
  }
  correlate_to_all(step, MessageKey{key}, command);
}

}  // namespace beeline::engine
