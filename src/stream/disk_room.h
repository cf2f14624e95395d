#pragma once

#include <atomic>

#include "base/ids.h"
#include "stream/stats.h"

namespace beeline::stream {

// Tracks whether the disk has room for a partition's log and for its checkpoints. Commands are
// refused while either has no room.
//
// Threading: the partition's thread sets it, any thread may read it.
class DiskRoom {
 public:
  // `stats` must outlive this object.
  DiskRoom(PartitionId id, PartitionStats& stats) : id_(id), stats_(stats) {}

  // Each function logs a change; setting the present value does nothing.
  void set_log_full(bool is_full);
  void set_checkpoint_full(bool is_full, const char* reason = "");

  [[nodiscard]] bool is_log_full() const { return is_log_full_.load(); }
  [[nodiscard]] bool is_checkpoint_full() const { return is_checkpoint_full_.load(); }
  [[nodiscard]] bool is_full() const { return is_log_full() || is_checkpoint_full(); }

 private:
  const PartitionId id_;
  PartitionStats& stats_;
  std::atomic<bool> is_log_full_{false};
  std::atomic<bool> is_checkpoint_full_{false};
};

}  // namespace beeline::stream
