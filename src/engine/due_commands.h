#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_set.h>

#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "engine/state/engine_state.h"
#include "record/command_head.h"

namespace beeline::engine {

// Offers due timers, deadlines and the like to the log, as commands without values. If an entry is
// still due after it was offered, then either its command was rejected (for example because the
// timer's host is completing and has an incident), or its command waits on the log behind others.
// Such an entry rests for a while, because offering it at every turn would fill the log. The rest
// is not part of the state and is kept in memory only.
//
// Threading: it belongs to the partition's thread.
class DueCommands {
 public:
  static constexpr Milliseconds kRest{10'000};

  // Returns the commands that are due at `now`, at most `limit`; timers first, the earliest due
  // date first.
  [[nodiscard]] std::vector<record::CommandHead> take(const EngineState& state, Timestamp now,
                                                      std::size_t limit);
  // Takes back commands that the last take() returned and that were not processed: they do not
  // rest.
  void put_back(std::span<const record::CommandHead> commands);
  // Returns when take() should be called next; nothing if nothing waits.
  [[nodiscard]] std::optional<Timestamp> next(const EngineState& state) const;

 private:
  absl::flat_hash_set<Key> offered_;         // the entries of the last take()
  absl::btree_map<Key, Timestamp> resting_;  // the end of each entry's rest
  Timestamp taken_at_{0};
  bool is_more_due_ = false;  // true if more is due than the last take() returned
};

}  // namespace beeline::engine
