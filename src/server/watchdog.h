#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/time.h"
#include "stream/partition_set.h"

namespace beeline::server {

// Notices partitions that stand still: a thread that has not come to its next command, or a log
// that has not committed what it was given, for as long as the interval. It logs what the partition
// is busy with, and the partition's condition says it until the partition moves again.
//
// Threading: start and stop from one thread. `on_look` is called on the watchdog's thread, after
// each look.
class Watchdog {
 public:
  using SteadyClock = std::chrono::steady_clock;

  // `partitions` must outlive this; they must have been opened before start().
  Watchdog(stream::PartitionSet& partitions, Milliseconds interval, std::function<void()> on_look);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  void start();
  void stop();
  // One look at all partitions, as the thread takes it several times an interval. For tests,
  // without start().
  void look(SteadyClock::time_point now);

 private:
  // Something that must change now and then while it has work.
  struct Progress {
    std::int64_t seen = -1;
    SteadyClock::time_point since{};
    // How long `value` has been as it is.
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
  std::vector<Watched> watched_;  // by partition; of the watchdog's thread

  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_stopping_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace beeline::server
