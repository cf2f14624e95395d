#include "engine/behaviors/distribution.h"

#include <fmt/format.h>

#include <algorithm>

namespace beeline::engine {
namespace {

using record::CommandDistributionIntent;
using record::CommandDistributionRecord;

Key start_distribution(Step& step, DistributedCommand command, const DistributionPlan& plan) {
  const Key key = step.next_key();
  CommandDistributionRecord started;
  started.queue_id = plan.queue;
  started.value_type = command.head.value_type;
  started.intent = command.head.intent;
  started.command_value = std::move(command.value);
  started.principal = std::move(command.head.principal);
  started.awaited_by = plan.awaited_by;
  if (plan.awaited_by != 0) started.answer_by = step.now() + kDistributionAnswerTimeout;
  started.result = plan.result;
  step.event(CommandDistributionIntent::Started, key, started);
  return key;
}

void tell_origin(Step& step, Key distribution, std::int64_t result) {
  CommandDistributionRecord acknowledge;
  acknowledge.partition_id = step.state().partition();
  acknowledge.result = result;
  step.send(partition_of(distribution), CommandDistributionIntent::Acknowledge, distribution,
            acknowledge);
}

}  // namespace

bool distribute(Step& step, DistributedCommand command, std::string_view queue) {
  command.head.principal = step.principal();
  return distribute(step, std::move(command),
                    {.queue = queue, .awaited_by = step.command_metadata().request_id});
}

bool distribute(Step& step, DistributedCommand command, const DistributionPlan& plan) {
  const std::int32_t count = step.state().partition_count();
  if (count <= 1) return false;
  const std::string_view queue = plan.queue;
  const Key key = start_distribution(step, std::move(command), plan);
  for (std::int32_t number = 1; number <= count; ++number) {
    const PartitionId target{number};
    if (target == step.state().partition()) continue;
    if (queue.empty()) {
      send_distributed(step, key, target);
      continue;
    }
    CommandDistributionRecord enqueued;
    enqueued.partition_id = target;
    enqueued.queue_id = queue;
    step.event(CommandDistributionIntent::Enqueued, key, enqueued);
    if (step.state().distributions().first_in_queue(queue, target) == key) {
      send_distributed(step, key, target);
    }
  }
  return true;
}

void distribute_to(Step& step, PartitionId target, DistributedCommand command) {
  const Key key = start_distribution(step, std::move(command), {});
  send_distributed(step, key, target);
}

void send_distributed(Step& step, Key key, PartitionId target) {
  CommandDistributionRecord distributing;
  distributing.partition_id = target;
  step.event(CommandDistributionIntent::Distributing, key, distributing);
  step.send(build_distributed(step.state(), key, target));
}

void answer_distribution(Step& step, Key key, const DistributionRow& row) {
  if (row.awaited_by == 0) return;
  if (row.value_type == record::ValueType::Deployment) {
    auto deployment = record::decode<record::DeploymentRecord>(row.value);
    deployment.resources.clear();
    step.respond_to(row.awaited_by, record::DeploymentIntent::Created, deployment.deployment_key,
                    deployment);
  } else if (row.value_type == record::ValueType::ResourceDeletion) {
    const auto deletion = record::decode<record::ResourceDeletionRecord>(row.value);
    step.respond_to(row.awaited_by, record::ResourceDeletionIntent::Deleted, deletion.resource_key,
                    deletion);
  } else if (row.value_type == record::ValueType::Signal) {
    auto signal = record::decode<record::SignalRecord>(row.value);
    signal.variables = {};
    signal.delivered_count = row.result;
    signal.complete = !step.state().distributions().has_targets(key);
    step.respond_to(row.awaited_by, record::SignalIntent::Broadcasted, key, signal);
  }
}

void acknowledge_distributed(Step& step, const record::Metadata& command) {
  CommandDistributionRecord received;
  received.partition_id = partition_of(command.key);
  received.value_type = command.value_type;
  received.intent = command.intent;
  received.min_pending_key = std::min(command.min_pending_key, command.key);
  received.result = step.result();
  step.event(CommandDistributionIntent::Received, command.key, received);
  tell_origin(step, command.key, step.result());
}

void refuse_repeated(Step& step, const record::Metadata& command) {
  step.reject(record::RejectionType::AlreadyExists,
              fmt::format("Expected to receive distributed command {} with distribution key '{}', "
                          "but it was received already",
                          record::text_name(command), command.key.value()));
  tell_origin(step, command.key, step.state().distributions().received_result(command.key));
}

OutgoingCommand build_distributed(const EngineState& state, Key key, PartitionId target) {
  const DistributionRow& row = state.distributions().get(key);
  record::CommandHead head;
  head.value_type = row.value_type;
  head.intent = static_cast<record::IntentNumber>(row.intent);
  head.key = key;
  head.min_pending_key = state.distributions().min_pending(target).value_or(key);
  head.principal = row.principal;
  return {target, std::move(head), row.value};
}

}  // namespace beeline::engine
