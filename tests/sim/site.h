#pragma once

#include <memory>
#include <vector>

#include "base/time.h"
#include "journal/log_storage.h"
#include "stream/partition.h"
#include "tests/sim/audit.h"
#include "tests/sim/copy.h"
#include "tests/support/chance.h"
#include "tests/support/led_log.h"

namespace beeline::sim {

class SimulatedClock final : public Clock {
 public:
  [[nodiscard]] Timestamp now() const override { return now_; }
  void pass(Milliseconds by) { now_ = now_ + by; }

 private:
  Timestamp now_{1'700'000'000'000};
};

// One partition with all its copies. Each copy can lose its power, be slow, or find its disk full;
// elections make one copy the leader, and the one that led may not know of it for a while.
//
// Beside the copies runs an engine that only replays what was committed. After every frame that a
// copy appended or replayed, it must have had the state that the replay had after that frame.
class Site {
 public:
  struct Surroundings {
    const Clock& clock;
    stream::Transport& transport;
    Audit& audit;
    Chance& chance;
    bool traces = false;  // prints each command as it is processed, each record as it is committed
  };
  Site(PartitionId id, std::int32_t partition_count, std::size_t copies, Surroundings surroundings);
  ~Site();

  [[nodiscard]] PartitionId id() const { return id_; }
  // Where clients send commands: a copy that believes it leads, if there is one.
  [[nodiscard]] stream::Partition& partition();
  // The state that all committed frames add up to.
  [[nodiscard]] const engine::EngineState& state() const { return replayed_.state(); }

  // A turn of some copies, or of all from be_kind() on. False when there was nothing to do.
  bool work();
  // Some copy begins to lead, if there are several and one can.
  void elect();
  // The power of some copy will go at the n-th call to its disk from now, or goes now.
  void lose_power_at_call(std::uint64_t n);
  void lose_power() { lose_power(any_copy()); }
  // The disk of some copy is filled, with so many more segments to come, or emptied.
  void fill_or_empty_disk(std::uint64_t segments, bool fills_checkpoints);
  // From now on power stays, disks have room, and no frame is delayed.
  void be_kind();
  // Throws Broken when a copy has not come to the end of the log, or not to the state of the
  // replay.
  void compare_with_replay() const;

  struct Counts {
    int power_losses = 0;
    int disk_fills = 0;
    int elections = 0;
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  [[nodiscard]] Copy& any_copy() { return *copies_[around_.chance.below(copies_.size())]; }
  bool work(Copy& copy);
  void lose_power(Copy& copy);
  void pause_or_resume();
  void read_committed();

  const PartitionId id_;
  const Surroundings around_;
  std::unique_ptr<testing::LedLog> shared_;          // null when there is one copy
  std::unique_ptr<testing::LedLog::Copy> observer_;  // of the shared log, for the replay
  std::vector<std::unique_ptr<Copy>> copies_;
  const Copy* leader_ = nullptr;  // that was elected last, unless it lost its power; of several
  const Copy* paused_ = nullptr;  // gets no turns
  std::unique_ptr<journal::FrameReader> committed_;  // what the replay has not read
  engine::Engine replayed_;
  DigestBook digests_;
  bool is_kind_ = false;
  Counts counts_;
};

}  // namespace beeline::sim
