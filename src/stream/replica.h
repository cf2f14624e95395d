#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "base/time.h"
#include "engine/engine.h"
#include "journal/log_storage.h"
#include "state/checkpointer.h"
#include "stream/surroundings.h"

namespace beeline::stream {

// One copy of a partition's state: the engine and its checkpoints. Every copy of a partition has
// this part, whether it leads or follows.
//
//     checkpoint ──load──▶ engine ◀──replay── committed frames of the log
//                            │
//                            └──capture, after commit──▶ checkpoint ──▶ the log is released
//
// A follower only replays. A leader's engine is ahead of the committed log by the batches whose
// frames are on their way; when another copy takes over, these frames may never be committed. Only
// one batch can be undone, so a deposed leader drops its state and begins again at its last
// checkpoint, which never contains uncommitted records.
//
// Ownership: the replica owns the engine and the checkpointer. The leader processes commands with
// the engine and appends to the log; the replica never appends.
//
// Failure: a log and a checkpoint that do not match cause a std::runtime_error; a log or store that
// cannot be read throws its own error. A store without room is not a failure: see DiskRoom.
//
// Threading: it belongs to the partition's thread.
class Replica {
 public:
  explicit Replica(const Surroundings& surroundings);

  // Loads the checkpoint and replays the log after it, up to its committed end.
  struct Recovery {
    Position checkpoint{0};
    std::int64_t replayed_records = 0;
  };
  Recovery recover();
  // Replays up to `frames_max` committed frames that the engine has not seen. Returns false if
  // there were none. Only for a copy that does not lead.
  bool follow(std::size_t frames_max);
  // The copy begins to lead: it has replayed everything, and appends frames of its own from now on.
  void begin_to_lead();
  // The copy no longer leads. Drops the state, which may contain frames that were never committed,
  // and loads the last checkpoint. follow() continues from there.
  void drop_to_checkpoint();
  [[nodiscard]] bool is_recovered() const { return checkpointer_ != nullptr; }

  // Continues a checkpoint in progress, releases what the log need not keep, and begins the next
  // checkpoint when it is due. `exported` is the last position that all exporters have exported.
  // Call it between batches. Throws the IoError of a store that has failed.
  void advance_checkpoint(Position exported);
  // Begins a checkpoint at once, regardless of the interval. No checkpoint may be in progress.
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
  std::unique_ptr<journal::FrameReader>
      reader_;  // at the frame after the engine; null if it must be opened
  std::unique_ptr<state::Checkpointer> checkpointer_;
  Timestamp last_checkpoint_at_;
  Position last_checkpoint_{0};
  Position checkpoint_under_way_{0};
  Timestamp checkpoint_retry_at_;  // while the store has no room
};

}  // namespace beeline::stream
