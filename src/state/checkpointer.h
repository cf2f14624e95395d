#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/ids.h"
#include "state/database.h"

namespace beeline::state {

// Brings checkpoints of a database to a store: captures in slices on the thread of the partition,
// then writes and flushes on a thread of its own, so that processing never waits for the disk.
//
//     if (checkpointer.is_idle() && enough_happened) checkpointer.start(position);
//     ... between any two batches: checkpointer.step(rows);
//     journal.release_before(checkpointer.durable_position() + 1)
//
//     Idle ──start──▶ Capturing ──step, all captured──▶ Writing ──step, written──▶ Idle
//
// A checkpoint that the log has not committed must not reach the store: a log that then fails would
// end before the checkpoint. Whoever calls step() and finish() sees to that, and the checkpointer
// aborts the process rather than write such a checkpoint.
//
// A checkpoint that could not be written is given back to the database; the next one includes it.
//
// Threading: belongs to the thread of the database; only its own thread is elsewhere.
class Checkpointer {
 public:
  enum class Writes {
    InBackground,
    InStep,  // on the calling thread, for tests and the simulator: same calls, same run
  };

  // How far the log is committed. Called on the thread of the database.
  using Committed = std::function<Position()>;

  // `durable` is what Database::load said. Both references must outlive this.
  Checkpointer(Database& database, KeyValueStore& store, Position durable, Writes writes,
               Committed committed);
  // Waits for a write that is under way. A checkpoint that is still being captured is dropped.
  ~Checkpointer();
  Checkpointer(const Checkpointer&) = delete;
  Checkpointer& operator=(const Checkpointer&) = delete;

  [[nodiscard]] bool is_idle() const { return phase_ == Phase::Idle; }
  // Begins the checkpoint at `position`, which must be the one that the state is at. Only when
  // idle, and not within a batch.
  void start(Position position);
  // Goes on, by up to `rows` rows. Cheap when there is nothing to do. Not within a batch. Throws
  // the IoError of a write that failed, once; after that the checkpointer is idle again.
  void step(std::size_t rows);
  // Drives a checkpoint that was started to its end, waiting for the disk: at shutdown.
  void finish();
  // The position of the checkpoint under way.
  [[nodiscard]] Position position() const { return position_; }
  // The position of the last checkpoint that is on disk.
  [[nodiscard]] Position durable_position() const { return durable_; }

 private:
  enum class Phase { Idle, Capturing, Writing };

  void run();
  void write();
  void hand_over();
  void collect();
  [[nodiscard]] bool is_written() const;

  Database& database_;
  KeyValueStore& store_;
  const Writes writes_;
  const Committed committed_;
  Phase phase_ = Phase::Idle;
  Position durable_;
  Position position_{0};

  // Between the two threads. The batch belongs to the writer while has_work_ is set.
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  WriteBatch batch_;
  bool has_work_ = false;
  bool is_stopping_ = false;
  std::exception_ptr error_;
  std::thread writer_;
};

}  // namespace beeline::state
