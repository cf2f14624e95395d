#include "stream/disk_room.h"

#include "base/log.h"

namespace beeline::stream {

void DiskRoom::set_log_full(bool is_full) {
  if (is_log_full_.exchange(is_full) == is_full) return;
  stats_.disk_full.store(this->is_full() ? 1 : 0);
  if (is_full) {
    log::warn(
        "partition {}: the disk is full; commands are refused until there is room, nothing "
        "committed is lost",
        id_.value());
  } else {
    log::info("partition {}: there is room on the disk again", id_.value());
  }
}

void DiskRoom::set_checkpoint_full(bool is_full, const char* reason) {
  if (is_checkpoint_full_.exchange(is_full) == is_full) return;
  stats_.disk_full.store(this->is_full() ? 1 : 0);
  if (is_full) {
    log::warn(
        "partition {}: the disk is full; commands are refused until there is room for a "
        "checkpoint, nothing committed is lost: {}",
        id_.value(), reason);
  } else {
    log::info("partition {}: the checkpoint found room on the disk", id_.value());
  }
}

}  // namespace beeline::stream
