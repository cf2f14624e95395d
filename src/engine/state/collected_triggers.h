#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "engine/state/keys.h"
#include "engine/state/rows.h"

// The triggers that parallel-multiple events have collected (spec: elements/multiple_events 3).
// When all definitions of an event were triggered, the oldest trigger of each makes a round; what
// else was collected waits for the next rounds.
namespace beeline::engine {

// Calls `visit(trigger)` for each trigger that an event has collected, the oldest first.
template <typename Visit>
inline void for_each_collected(const TriggersRow* row, std::string_view event_id, Visit&& visit) {
  if (row == nullptr) return;
  for (const Trigger& trigger : row->collected) {
    if (trigger.target_element_id == event_id) visit(trigger);
  }
}

// Returns the oldest trigger of each definition of an event, the oldest first. The pointers are
// valid until the row changes.
[[nodiscard]] inline std::vector<const Trigger*> collected_round(const TriggersRow* row,
                                                                 std::string_view event_id) {
  std::vector<const Trigger*> round;
  for_each_collected(row, event_id, [&](const Trigger& trigger) {
    const auto is_same = [&](const Trigger* other) {
      return other->event_definition_id == trigger.event_definition_id;
    };
    if (std::ranges::none_of(round, is_same)) round.push_back(&trigger);
  });
  return round;
}

}  // namespace beeline::engine
