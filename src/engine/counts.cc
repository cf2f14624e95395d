#include "engine/counts.h"

namespace beeline::engine {

StateCounts count_state(const EngineState& state) {
  return {.incidents_open = static_cast<std::int64_t>(state.incidents().count()),
          .instances_active = state.element_instances().process_instance_count()};
}

JobCountsByType count_jobs(const EngineState& state) {
  JobCountsByType counts;
  for (const auto& [type, each] : state.jobs().counts()) {
    counts[type] = {each.activatable, each.activated, each.failed};
  }
  return counts;
}

}  // namespace beeline::engine
