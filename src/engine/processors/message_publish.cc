#include <fmt/format.h>

#include <algorithm>

#include "base/partition_hash.h"
#include "engine/behaviors/message_correlation.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::MessageIntent;
using record::RejectionType;

void message_publish(Step& step, Key, const record::MessageRecord& command) {
  if (command.name.empty()) {
    return step.reject(RejectionType::InvalidArgument,
                       "Expected to publish message with a non-empty name, but no name was "
                       "provided");
  }
  const PartitionId partition =
      partition_of_correlation_key(command.correlation_key, step.state().partition_count());
  if (partition != step.state().partition()) {
    return step.reject(
        RejectionType::InvalidState,
        fmt::format("Expected to publish message with correlation key '{}' on partition {}, but it "
                    "was routed to partition {}",
                    command.correlation_key, partition.value(), step.state().partition().value()));
  }
  const MessageKey twin = step.state().messages().find_by_id(command);
  const bool is_twin_overdue =
      twin.is_set() && step.state().messages().get(twin).record.deadline <= step.now();
  const std::vector<MessageKey> under_way =
      is_twin_overdue ? step.pending_correlations() : std::vector<MessageKey>{};
  if (twin.is_set() && !is_twin_overdue) {
    return step.reject(RejectionType::AlreadyExists,
                       fmt::format("Expected to publish a new message with id '{}', but a message "
                                   "with that id was already published",
                                   command.message_id));
  }
  // If the twin still has receivers to serve, the step that serves the last of them removes it.
  if (is_twin_overdue && std::ranges::find(under_way, twin) == under_way.end()) {
    expire_message(step, twin);
  }

  const MessageKey message{step.next_key()};
  record::MessageRecord value = command;
  value.time_to_live = std::max(command.time_to_live, Milliseconds{0});
  value.deadline = step.command_metadata().timestamp + value.time_to_live;
  step.event(MessageIntent::Published, message, value);
  step.respond(MessageIntent::Published, message, value);
  record::MessageBatchRecord receivers;
  receivers.tenant_id = value.tenant_id;
  correlate_to_all(step, message, std::move(receivers));
}

}  // namespace beeline::engine
