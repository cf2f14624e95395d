#pragma once

#include <functional>
#include <memory>

#include "journal/journal.h"
#include "state/key_value_store.h"
#include "stream/partition.h"
#include "tests/sim/audit.h"
#include "tests/support/chance.h"
#include "tests/support/faulty_disk.h"

namespace beeline::sim {

using testing::Chance;

// How large the variables of one process instance may be here.
inline constexpr std::size_t kInstanceVariablesMax = 6'000;

class SimulatedClock final : public Clock {
 public:
  [[nodiscard]] Timestamp now() const override { return now_; }
  void pass(Milliseconds by) { now_ = now_ + by; }

 private:
  Timestamp now_{1'700'000'000'000};
};

// One partition with its disk, as in a server but for threads. It can lose its power at any call to
// the disk, and comes back with what the disk kept.
//
// Beside it runs an engine that only replays what was committed; whenever both are at the same
// position, they must have the same state.
class Site {
 public:
  struct Surroundings {
    const Clock& clock;
    stream::Transport& transport;
    Audit& audit;
    Chance& chance;
    bool traces = false;  // prints each command as it is processed, each record as it is committed
  };
  Site(PartitionId id, std::int32_t partition_count, Surroundings surroundings);

  [[nodiscard]] stream::Partition& partition() { return *partition_; }
  [[nodiscard]] const engine::EngineState& state() const { return partition_->engine().state(); }

  // One turn of the partition, and what it commits. False when there was nothing to do.
  bool work();
  // The power will go at the n-th call to the disk from now.
  void lose_power_at_call(std::uint64_t n) { disk_.fail_call(n, 5 /* EIO */); }
  // The power goes now.
  void lose_power();
  // From now on the disk has room for so many more segments; the checkpoints may have none.
  void fill_disk(std::uint64_t segments, bool fills_checkpoints);
  void empty_disk();
  [[nodiscard]] bool is_disk_full() const { return is_disk_full_; }
  [[nodiscard]] int disk_fills() const { return disk_fills_; }
  // From now on it does not go by itself.
  void keep_power() { keeps_power_ = true; }
  [[nodiscard]] int power_losses() const { return power_losses_; }
  // Throws Broken when the state is not what a replay makes of the log.
  void compare_with_replay();

 private:
  void open();
  void read_committed();
  // Throws Broken when checkpoints stay away though there is much to store, or the log keeps what
  // they made superfluous.
  void expect_checkpoints();

  const PartitionId id_;
  const std::int32_t partition_count_;
  const Surroundings around_;
  testing::FaultyDisk disk_;
  state::MemoryStore store_;
  std::unique_ptr<journal::Journal> log_;
  std::unique_ptr<journal::FrameReader> committed_;  // what the replay has not read
  std::unique_ptr<stream::Partition> partition_;
  engine::Engine replayed_;
  std::int64_t checkpoint_ = 0;             // the last one that was seen
  std::size_t turns_since_checkpoint_ = 0;  // was due
  bool keeps_power_ = false;
  int power_losses_ = 0;
  bool is_disk_full_ = false;
  int disk_fills_ = 0;
};

}  // namespace beeline::sim
