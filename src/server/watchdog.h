#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/time.h"
#include "stream/partition_set.h"

namespace beeline::server {

// Notices partitions that make no progress: a thread that has not reached its next command, or a
// log that has not committed its frames, for the interval. It logs what the partition is busy with,
// and the partition's condition reports it until the partition makes progress again.
//
// Threading: start and stop from one thread. `on_look` is called on the watchdog's thread, after
// each check.
class Watchdog {
 public:
  using SteadyClock = std::chrono::steady_clock;

  // `partitions` must outlive this object; they must have been opened before start().
  Watchdog(stream::PartitionSet& partitions, Milliseconds interval, std::function<void()> on_look);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  void start();
  void stop();
  // Checks all partitions once, as the thread does several times per interval. For tests, without
  // start().
  void look(SteadyClock::time_point now);

 private:
  // A value that must change from time to time while there is work.
  struct Progress {
    std::int64_t seen = -1;
    SteadyClock::time_point since{};
    // Returns how long `value` has been unchanged.
    [[nodiscard]] std::chrono::milliseconds unchanged(std::int64_t value,
                                                      SteadyClock::time_point now);
  };
  struct Watched {
    Progress thread;
    Progress commits;
    bool is_stalled = false;
  };

  void run();
  void look_at(PartitionId id, Watched& watched, SteadyClock::time_point now);

  stream::PartitionSet& partitions_;
  const std::chrono::milliseconds interval_;
  const std::function<void()> on_look_;
  std::vector<Watched> watched_;  // by partition; belongs to the watchdog's thread

  Mutex mutex_;
  CondVar wake_;
  bool is_stopping_ BEELINE_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace beeline::server
