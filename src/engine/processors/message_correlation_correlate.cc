#include <fmt/format.h>

#include <vector>

#include "base/partition_hash.h"
#include "engine/behaviors/message_correlation.h"
#include "engine/processors/processors.h"

namespace beeline::engine {
namespace {

using record::MessageCorrelationIntent;
using record::MessageCorrelationRecord;
using record::MessageIntent;
using record::RejectionType;

struct Candidates {
  std::vector<SubscriptionKey> subscriptions;
  std::vector<StartSubscriptionKey> starts;
  std::vector<std::string> locked;  // processes whose running instance prevents another start
};

Candidates find_candidates(const Step& step, const MessageCorrelationRecord& command) {
  Candidates found;
  const MessageSubscriptions& subscriptions = step.state().message_subscriptions();
  if (command.process_instance_key.is_set()) {
    const SubscriptionKey waiting = subscriptions.longest_waiting_in(
        command.process_instance_key, command.name, command.correlation_key);
    if (waiting.is_set()) found.subscriptions.push_back(waiting);
    return found;
  }
  found.subscriptions =
      subscriptions.longest_waiting(command.tenant_id, command.name, command.correlation_key);
  const MessageStarts& starts = step.state().message_starts();
  for (const StartSubscriptionKey start : starts.of_name(command.tenant_id, command.name)) {
    const std::string& process = starts.get(start).record.bpmn_process_id;
    if (!command.correlation_key.empty() &&
        starts.is_locked(command.tenant_id, process, command.correlation_key)) {
      found.locked.push_back(process);
    } else {
      found.starts.push_back(start);
    }
  }
  return found;
}

std::string nobody_text(const MessageCorrelationRecord& command, const Candidates& found) {
  if (found.locked.empty()) {
    return fmt::format(
        "Expected to find subscription or start event for message with name '{}' and correlation "
        "key '{}', but none was found",
        command.name, command.correlation_key);
  }
  return fmt::format(
      "Expected to correlate message with name '{}' and correlation key '{}', but an instance that "
      "was started with this key is still running, of process '{}'",
      command.name, command.correlation_key, fmt::join(found.locked, "', '"));
}

}  // namespace

void message_correlation_correlate(Step& step, Key, const MessageCorrelationRecord& command) {
  if (command.name.empty()) {
    return step.reject(RejectionType::InvalidArgument,
                       "Expected to correlate message with a non-empty name, but no name was "
                       "provided");
  }
  const PartitionId partition =
      partition_of_correlation_key(command.correlation_key, step.state().partition_count());
  if (partition != step.state().partition()) {
    return step.reject(
        RejectionType::InvalidState,
        fmt::format("Expected to correlate message with correlation key '{}' on "
                    "partition {}, but it was routed to partition {}",
                    command.correlation_key, partition.value(), step.state().partition().value()));
  }
  const Candidates candidates = find_candidates(step, command);
  if (candidates.subscriptions.empty() && candidates.starts.empty()) {
    return step.reject(RejectionType::NotFound, nobody_text(command, candidates));
  }
  const MessageKey message{step.next_key()};
  record::MessageRecord published;
  published.name = command.name;
  published.correlation_key = command.correlation_key;
  published.variables = command.variables;
  published.time_to_live = Milliseconds{-1};
  published.deadline = step.command_metadata().timestamp + published.time_to_live;
  published.tenant_id = command.tenant_id;
  step.event(MessageIntent::Published, message, published);

  MessageCorrelationRecord request = command;
  request.variables = {};
  request.message_key = message;
  request.request_id = step.command_metadata().request_id;
  request.candidates = static_cast<std::int32_t>(candidates.subscriptions.size());
  step.event(MessageCorrelationIntent::Correlating, message, request);
  if (command.process_instance_key.is_set()) {
    begin_correlation(step, candidates.subscriptions.front(), message);
    return expire_message(step, message);
  }
  record::MessageBatchRecord receivers;
  receivers.tenant_id = command.tenant_id;
  receivers.unserved = request.candidates;
  correlate_to_all(step, message, std::move(receivers));
}

}  // namespace beeline::engine
