#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

#include "base/mutex.h"

namespace beeline::load {

using Instant = std::chrono::steady_clock::time_point;

// Finds out when a process instance is complete: when it was created and the given number of its
// jobs was completed. The two are reported on different connections, in either order.
//
// Threading: every function may be called from any thread.
class InstanceTracker {
 public:
  explicit InstanceTracker(std::int32_t jobs_per_instance) : jobs_(jobs_per_instance) {}

  struct Finished {
    Instant start;
    Instant end;
  };
  // The creation was answered at `now`; `start` is when the instance was meant to be created.
  [[nodiscard]] std::optional<Finished> created(std::int64_t key, Instant start, Instant now);
  // The completion of one of its jobs was answered at `now`.
  [[nodiscard]] std::optional<Finished> job_completed(std::int64_t key, Instant now);

 private:
  struct Entry {
    std::optional<Instant> start;  // empty until the creation is answered
    Instant last_event;
    std::int32_t jobs_completed = 0;
  };
  struct Shard {
    Mutex mutex;
    absl::flat_hash_map<std::int64_t, Entry> entries BEELINE_GUARDED_BY(mutex);
  };

  [[nodiscard]] Shard& shard_of(std::int64_t key) {
    return shards_[static_cast<std::uint64_t>(key) % shards_.size()];
  }
  [[nodiscard]] std::optional<Finished> take_if_finished(Shard& shard, std::int64_t key,
                                                         const Entry& entry) const
      BEELINE_REQUIRES(shard.mutex);

  const std::int32_t jobs_;
  std::array<Shard, 16> shards_;
};

}  // namespace beeline::load
