#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_set.h>

#include <optional>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "engine/state/engine_state.h"
#include "record/value_type.h"

namespace beeline::engine {

// A command that the clock gives.
struct DueCommand {
  record::ValueType value_type = record::ValueType::Job;
  record::IntentNumber intent = 0;
  Key key;
};

// Offers what is due to the log. What is still due after it was offered was refused, as a timer
// whose host is completing and has an incident, or stands on the log behind others. It rests for a
// while: offered at every turn, it would fill the log. That it rests does not follow from the state
// and is kept in memory only.
//
// Threading: belongs to the partition's thread.
class DueCommands {
 public:
  static constexpr Milliseconds kRest{10'000};

  // What is due at `now`, at most `limit`; timers first, the earliest due date first.
  [[nodiscard]] std::vector<DueCommand> take(const EngineState& state, Timestamp now,
                                             std::size_t limit);
  // When take() should be asked next; nothing when nothing waits.
  [[nodiscard]] std::optional<Timestamp> next(const EngineState& state) const;

 private:
  absl::flat_hash_set<Key> offered_;         // by the last take()
  absl::btree_map<Key, Timestamp> resting_;  // until when
  Timestamp taken_at_{0};
  bool is_more_due_ = false;  // than the last take() gave
};

}  // namespace beeline::engine
