#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>

#include "base/time.h"
#include "journal/log_storage.h"
#include "state/key_value_store.h"
#include "stream/partition.h"
#include "stream/transport.h"
#include "tests/support/chance.h"
#include "tests/support/faulty_disk.h"
#include "tests/support/led_log.h"

namespace beeline::sim {

using testing::Chance;

// The limit for the variables of one process instance.
inline constexpr std::size_t kInstanceVariablesMax = 6'000;

// The digest of the state after each committed frame, by the last position of the frame.
using DigestBook = std::unordered_map<std::int64_t, std::uint64_t>;

// One copy of a partition, with its log and its checkpoints, as in a server but without threads. A
// single copy has a journal on a faulty disk; several copies share a log in memory, which one of
// them leads.
//
// Failure: a disk that fails throws IoError, which counts as a loss of power. Broken is thrown when
// a promise is not kept.
class Copy {
 public:
  struct Surroundings {
    PartitionId id{1};
    std::int32_t partition_count = 1;
    const Clock& clock;
    stream::Transport& transport;
    Chance& chance;
    bool traces = false;  // prints each command as it is processed, each record as it is committed
  };
  explicit Copy(const Surroundings& surroundings);
  // Copy `index` of `shared`, which must outlive this.
  Copy(const Surroundings& surroundings, testing::LedLog& shared, std::size_t index);

  [[nodiscard]] stream::Partition& partition() { return *partition_; }
  [[nodiscard]] const stream::Partition& partition() const { return *partition_; }
  [[nodiscard]] journal::LogStorage& log() { return *log_; }
  // Returns the log of a copy that shares it.
  [[nodiscard]] testing::LedLog::Copy& led_log() { return *led_log_; }

  // Commits appended frames. On a shared log a frame may arrive later, or arrive without the
  // leader's knowledge, unless `is_kind`.
  void commit(bool is_kind);
  // The power will fail at the n-th call to the disk from now.
  void lose_power_at_call(std::uint64_t n) { disk_.fail_call(n, 5 /* EIO */); }
  // The power fails now, and comes back. Nobody may hold a reader of the log.
  void lose_power();

  // From now on the disk has room for this many more segments; the checkpoints may have no room.
  void fill_disk(std::uint64_t segments, bool fills_checkpoints);
  void empty_disk();
  [[nodiscard]] bool is_disk_full() const { return is_disk_full_; }

  // The log must keep the records after `position` for an observer beside the partition.
  void set_read(Position position);
  // Throws Broken if a state of this copy differs from the book. The book must contain all
  // committed frames.
  void compare(const DigestBook& book);
  // Call it once a turn. Throws Broken if no checkpoint is taken although there is much to store,
  // or if the log of a single copy keeps records that checkpoints have made superfluous.
  void expect_checkpoints();

 private:
  void open();
  void open_log();
  void note_digest(const engine::Engine& engine);

  const Surroundings around_;
  testing::FaultyDisk disk_;
  testing::LedLog* const shared_ = nullptr;
  const std::size_t index_ = 0;
  state::MemoryStore store_;
  std::unique_ptr<journal::LogStorage> log_;
  testing::LedLog::Copy* led_log_ = nullptr;
  std::unique_ptr<stream::Partition> partition_;
  Position read_{0};
  bool is_disk_full_ = false;

  // The states of this copy after frames that were not compared yet; some frames may never be
  // committed.
  struct Seen {
    Position position;
    std::uint64_t digest = 0;
  };
  std::deque<Seen> seen_;

  Position last_{0};                        // at the last call of expect_checkpoints
  std::int64_t checkpoint_ = 0;             // the last checkpoint that was seen
  std::size_t turns_since_checkpoint_ = 0;  // turns since a checkpoint was due
};

}  // namespace beeline::sim
