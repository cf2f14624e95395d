#include "engine/behaviors/definition_deletion.h"

#include <fmt/format.h>

#include "base/check.h"
#include "engine/behaviors/distribution.h"
#include "engine/behaviors/start_subscriptions.h"
#include "engine/failure.h"

namespace beeline::engine {
namespace {

using record::ProcessIntent;
using record::ProcessRecord;

// Returns the record of a definition without its resource, which is on the log since the
// deployment.
ProcessRecord process_record_of(const Definition& definition) {
  ProcessRecord value;
  value.bpmn_process_id = definition.bpmn_process_id;
  value.version = definition.version;
  value.version_tag = definition.version_tag;
  value.key = definition.key;
  value.resource_name = definition.resource_name;
  value.checksum = definition.checksum;
  value.deployment_key = definition.deployment_key;
  value.tenant_id = definition.tenant_id;
  return value;
}

void hand_over_starts(Step& step, StartsOn where, const Definition& definition,
                      const Definition* former) {
  const Outcome replaced =
      replace_starts(step, where, &definition, former, Takeover::FormerVersion);
  if (replaced) return;
  BEELINE_ENSURE(former != nullptr, "only opening start events can fail");
  throw CommandRefused{
      record::RejectionType::InvalidState,
      fmt::format("Expected to delete process '{}' version {}, but version {}, which would take "
                  "over, cannot set its timers: {}. Delete that one first",
                  definition.bpmn_process_id, definition.version, former->version,
                  replaced.error().message)};
}

}  // namespace

void drain_definition(Step& step, const Definition& definition) {
  const Definitions& definitions = step.state().definitions();
  const auto latest = [&] {
    return definitions.find_latest(definition.tenant_id, definition.bpmn_process_id);
  };
  const bool was_latest = latest() == &definition;
  ProcessRecord draining = process_record_of(definition);
  if (!is_distributed(step.command_metadata())) {
    for (std::int32_t number = 1; number <= step.state().partition_count(); ++number) {
      draining.drain_partitions.push_back(number);
    }
  }
  step.event(ProcessIntent::Draining, definition.key, draining);
  if (!was_latest) return;
  const Definition* former = latest();
  if (!former->is_active()) former = nullptr;
  if (!is_distributed(step.command_metadata())) {
    hand_over_starts(step, StartsOn::DeployingPartition, definition, former);
  }
  hand_over_starts(step, StartsOn::EveryPartition, definition, former);
}

void delete_drained(Step& step, Key key) {
  const Definition* definition = step.state().definitions().find(key);
  if (definition == nullptr || definition->state != DefinitionState::Draining) return;
  if (step.state().active_instances(key) > 0 || step.has_pending_instance(key)) return;
  ProcessRecord value = process_record_of(*definition);
  step.event(ProcessIntent::Deleting, key, value);
  step.event(ProcessIntent::Deleted, key, value);
  const PartitionId here = step.state().partition();
  const PartitionId origin = partition_of(key);
  value.drain_partitions.push_back(here.value());
  if (here == origin) {
    step.command(ProcessIntent::DeleteComplete, key, value);
  } else {
    distribute_to(step, origin, distributed(ProcessIntent::DeleteComplete, value));
  }
}

}  // namespace beeline::engine
