#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/time.h"
#include "engine/counts.h"

namespace beeline::stream {

// A histogram of durations with fixed bounds; adding is wait-free.
class DurationHistogram {
 public:
  // Upper bounds in microseconds; the last bucket has none.
  static constexpr std::array<std::int64_t, 13> kBoundsMicros = {
      100, 250, 500, 1000, 2500, 5000, 10000, 25000, 50000, 100000, 250000, 500000, 1000000};

  void add(std::chrono::microseconds duration) {
    std::size_t bucket = 0;
    while (bucket < kBoundsMicros.size() && duration.count() > kBoundsMicros[bucket]) ++bucket;
    buckets_[bucket].fetch_add(1, std::memory_order_relaxed);
    sum_micros_.fetch_add(duration.count(), std::memory_order_relaxed);
  }
  [[nodiscard]] std::int64_t bucket(std::size_t index) const {
    return buckets_[index].load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::int64_t sum_micros() const {
    return sum_micros_.load(std::memory_order_relaxed);
  }

 private:
  std::array<std::atomic<std::int64_t>, kBoundsMicros.size() + 1> buckets_{};
  std::atomic<std::int64_t> sum_micros_{0};
};

// The counters of a partition.
//
// Threading: the partition's threads write the numbers, any thread may read each of them.
struct PartitionStats {
  std::atomic<std::int64_t> commands_processed{0};
  std::atomic<std::int64_t> commands_rejected{0};
  std::atomic<std::int64_t> commands_refused{0};  // queue or disk full
  std::atomic<std::int64_t> commands_dropped{0};  // from other partitions, if too many wait
  std::atomic<std::int64_t> processing_errors{0};
  std::atomic<std::int64_t> events_written{0};
  std::atomic<std::int64_t> records_written{0};
  std::atomic<std::int64_t> queue_depth{0};
  std::atomic<std::int64_t> last_position{0};
  std::atomic<std::int64_t> committed_position{0};
  std::atomic<std::int64_t> checkpoint_position{0};
  std::atomic<std::int64_t> checkpoint_millis{0};  // when the last one was finished; 0: none yet
  std::atomic<std::int64_t> incidents_open{0};
  std::atomic<std::int64_t> instances_active{0};
  std::atomic<std::int64_t> replayed_records{0};
  std::atomic<std::int64_t> disk_full{0};  // 1 while the log or a checkpoint finds no room
  std::atomic<std::int64_t> stalled{0};    // 1 while the watchdog sees no progress
  std::atomic<std::int64_t> stalls{0};     // how often that began
  DurationHistogram commit_latency;        // from the end of processing to the answer
};

// Computed when requested, not maintained.
using engine::JobCounts;
using engine::JobCountsByType;

}  // namespace beeline::stream
