#include <fmt/format.h>

#include "engine/behaviors/message_correlation.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

// Starts the next instance for a correlation key that has become free, if its message was too large
// for the step that freed the key. Another message may have taken the key in between; then this
// message waits until the key is free again.
void message_batch_start(Step& step, Key, const record::MessageBatchRecord& command) {
  const bool has_started = start_next_by_message(
      step, {command.tenant_id, command.bpmn_process_id, command.correlation_key});
  if (has_started) return;
  step.reject(record::RejectionType::NotFound,
              fmt::format("Expected to start process '{}' by the next message with correlation key "
                          "'{}', but no message can start it now",
                          command.bpmn_process_id, command.correlation_key));
}

}  // namespace beeline::engine
