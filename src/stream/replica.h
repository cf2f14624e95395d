#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "base/time.h"
#include "engine/engine.h"
#include "journal/log_storage.h"
#include "state/checkpointer.h"
#include "state/key_value_store.h"
#include "stream/activity.h"
#include "stream/disk_room.h"
#include "stream/partition_options.h"
#include "stream/stats.h"

namespace beeline::stream {

// One copy of a partition's state: the engine, and the checkpoints that are taken of it. This is
// the part of a partition that every copy has, whether the copy leads or follows.
//
//     checkpoint ──load──▶ engine ◀──replay── committed frames of the log
//                            │
//                            └──capture, after commit──▶ checkpoint ──▶ the log is released
//
// A follower only replays. A leader's engine is ahead of the committed log, by the batches whose
// frames are on their way; when another copy takes over, these may never count. Undoing reaches one
// batch back, so a deposed leader drops its state and begins again at its last checkpoint, which
// never holds more than was committed.
//
// Who owns what: the replica owns the engine and the checkpointer. Whoever leads processes commands
// with the engine and appends to the log; the replica never appends.
//
// Failure: a log and a checkpoint that do not fit together are a std::runtime_error; a log or store
// that cannot be read throws its own error. A store that has no room is no failure: see DiskRoom.
//
// Threading: belongs to the partition's thread.
class Replica {
 public:
  // What a replica works with. All of it must outlive the replica.
  struct Surroundings {
    const PartitionOptions& options;
    journal::LogStorage& log;
    state::KeyValueStore& store;
    const Clock& clock;
    DiskRoom& room;
    PartitionStats& stats;
    Activity& activity;
  };
  explicit Replica(const Surroundings& surroundings);

  // Loads the checkpoint and replays the log behind it, up to its committed end.
  struct Recovery {
    Position checkpoint{0};
    std::int64_t replayed_records = 0;
  };
  Recovery recover();
  // Replays up to `frames_max` committed frames that the engine has not seen. False when there were
  // none. Only for a copy that does not lead.
  bool follow(std::size_t frames_max);
  // The copy begins to lead: it has replayed everything, and adds frames of its own from now on.
  void begin_to_lead();
  // The copy leads no more. Forgets the state, which may rest on frames that were never committed,
  // and loads the last checkpoint. follow() goes on from there.
  void drop_to_checkpoint();
  [[nodiscard]] bool is_recovered() const { return checkpointer_ != nullptr; }

  // Goes on with a checkpoint that is under way, releases what the log need not keep, and begins
  // the next checkpoint when it is due. `exported` is the last position that all exporters have.
  // Call it between batches. Throws the IoError of a store that has failed.
  void advance_checkpoint(Position exported);
  // Begins a checkpoint at once, whatever the interval. None may be under way.
  void begin_checkpoint();
  [[nodiscard]] bool is_checkpointing() const { return !checkpointer_->is_idle(); }
  // Stops the log and takes a checkpoint of everything, if the log has committed it.
  void take_last_checkpoint();

  [[nodiscard]] const engine::Engine& engine() const { return engine_; }
  [[nodiscard]] engine::Engine& engine() { return engine_; }

 private:
  void load();
  void open_reader();
  [[nodiscard]] bool step_checkpoint(const std::function<void()>& step);

  const Surroundings around_;
  journal::LogStorage& log_;
  engine::Engine engine_;
  std::unique_ptr<journal::FrameReader> reader_;  // at the frame behind the engine; null: open it
  std::unique_ptr<state::Checkpointer> checkpointer_;
  Timestamp last_checkpoint_at_;
  Position last_checkpoint_{0};
  Position checkpoint_under_way_{0};
  Timestamp checkpoint_retry_at_;  // while the store has no room
};

}  // namespace beeline::stream
