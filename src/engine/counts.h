#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string>

#include "engine/state/engine_state.h"

namespace beeline::engine {

// Figures of a partition's state that operators watch.
struct StateCounts {
  std::int64_t incidents_open = 0;
  std::int64_t instances_active = 0;
};
// Takes constant time, so the loop may call it after every turn.
[[nodiscard]] StateCounts count_state(const EngineState& state);

// The number of jobs of one type in each state.
struct JobCounts {
  std::int64_t activatable = 0;
  std::int64_t activated = 0;
  std::int64_t failed = 0;  // including jobs with a thrown error
};
using JobCountsByType = absl::flat_hash_map<std::string, JobCounts>;
// Takes time in proportion to the number of job types.
[[nodiscard]] JobCountsByType count_jobs(const EngineState& state);

}  // namespace beeline::engine
