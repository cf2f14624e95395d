#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "base/ids.h"
#include "base/mutex.h"
#include "state/database.h"

namespace beeline::state {

// Writes checkpoints of a database to a store: it captures in slices on the thread of the
// partition, then writes and flushes on a thread of its own, so processing never waits for the
// disk.
//
//     if (checkpointer.is_idle() && enough_happened) checkpointer.start(position);
//     ... between any two batches: checkpointer.step(rows);
//     journal.release_before(checkpointer.durable_position() + 1)
//
//     Idle ──start──▶ Capturing ──step, all captured──▶ Writing ──step, written──▶ Idle
//
// A checkpoint that the log has not committed must not reach the store: a log that then fails would
// end before the checkpoint. The caller of step() and finish() ensures that, and the checkpointer
// aborts the process rather than write such a checkpoint.
//
// A checkpoint that could not be written is given back to the database; the next one includes it.
//
// Threading: it belongs to the thread of the database; only its own writer runs elsewhere.
class Checkpointer {
 public:
  enum class Writes {
    InBackground,
    InStep,  // on the calling thread, for tests and the simulator: the same calls give the same run
  };

  // Returns how far the log is committed. Called on the thread of the database.
  using Committed = std::function<Position()>;

  // `durable` is the result of Database::load. Both references must outlive this object.
  Checkpointer(Database& database, KeyValueStore& store, Position durable, Writes writes,
               Committed committed);
  // Waits for a running write. A checkpoint that is still being captured is dropped.
  ~Checkpointer();
  Checkpointer(const Checkpointer&) = delete;
  Checkpointer& operator=(const Checkpointer&) = delete;

  [[nodiscard]] bool is_idle() const { return phase_ == Phase::Idle; }
  // Begins the checkpoint at `position`, which must be the position of the state. Call it only when
  // idle, and not within a batch.
  void start(Position position);
  // Continues by up to `rows` rows. It is cheap if there is nothing to do. Do not call it within a
  // batch. Throws the IoError of a write that failed, once; after that the checkpointer is idle
  // again.
  void step(std::size_t rows);
  // Completes a checkpoint that was started, waiting for the disk: at shutdown.
  void finish();
  // The position of the current checkpoint.
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

  // Shared between the two threads. The batch belongs to the writer while has_work_ is set.
  mutable Mutex mutex_;
  CondVar changed_;
  WriteBatch batch_;
  bool has_work_ BEELINE_GUARDED_BY(mutex_) = false;
  bool is_stopping_ BEELINE_GUARDED_BY(mutex_) = false;
  std::exception_ptr error_ BEELINE_GUARDED_BY(mutex_);
  std::thread writer_;
};

}  // namespace beeline::state
