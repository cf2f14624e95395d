#include <fmt/format.h>

#include "engine/behaviors/distribution.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::CommandDistributionIntent;
using record::CommandDistributionRecord;

void command_distribution_acknowledge(Step& step, Key key,
                                      const CommandDistributionRecord& command) {
  const Distributions& distributions = step.state().distributions();
  const PartitionId target = command.partition_id;
  const DistributionTargetRow* row = distributions.find_target(key, target);
  if (row == nullptr || !row->is_sent) {
    return step.reject(record::RejectionType::NotFound,
                       fmt::format("Expected to acknowledge distribution with key '{}' for "
                                   "partition '{}', but no such distribution is pending",
                                   key.value(), target.value()));
  }
  const std::string queue = row->queue;
  CommandDistributionRecord acknowledged;
  acknowledged.partition_id = target;
  acknowledged.result = command.result;
  step.event(CommandDistributionIntent::Acknowledged, key, acknowledged);
  if (!queue.empty()) {
    const std::optional<Key> next = distributions.first_in_queue(queue, target);
    if (next) send_distributed(step, *next, target);
  }
  if (!distributions.has_targets(key)) {
    step.command(CommandDistributionIntent::Finish, key, CommandDistributionRecord{});
  }
}

}  // namespace beeline::engine
