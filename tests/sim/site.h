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
// elections make one copy the leader, and the previous leader may learn of it late.
//
// Beside the copies runs an engine that only replays committed frames. After every frame that a
// copy appended or replayed, the copy must have had the state that the replay had after that frame.
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
  // Returns the copy to which clients send commands: one that believes it leads, if there is one.
  [[nodiscard]] stream::Partition& partition();
  // Returns the state after all committed frames.
  [[nodiscard]] const engine::EngineState& state() const { return replayed_.state(); }

  // Makes a turn of some copies, or of all after be_kind(). Returns false if there was nothing to
  // do.
  bool work();
  // Makes some copy the leader, if there are several and one can lead.
  void elect();
  // The power of some copy will fail at the n-th call to its disk from now, or fails now.
  void lose_power_at_call(std::uint64_t n);
  void lose_power() { lose_power(any_copy()); }
  // Fills the disk of some copy, with room for this many more segments, or empties it.
  void fill_or_empty_disk(std::uint64_t segments, bool fills_checkpoints);
  // From now on the power does not fail, disks have room, and no frame is delayed.
  void be_kind();
  // Throws Broken if a copy has not reached the end of the log or differs from the replay.
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
  std::unique_ptr<testing::LedLog> shared_;          // null if there is one copy
  std::unique_ptr<testing::LedLog::Copy> observer_;  // reads the shared log for the replay
  std::vector<std::unique_ptr<Copy>> copies_;
  const Copy* leader_ = nullptr;  // the copy that was elected last, unless it lost its power; only
                                  // with several copies
  const Copy* paused_ = nullptr;  // gets no turns
  std::unique_ptr<journal::FrameReader> committed_;  // frames that the replay has not read
  engine::Engine replayed_;
  DigestBook digests_;
  bool is_kind_ = false;
  Counts counts_;
};

}  // namespace beeline::sim
