#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "engine/state/existing.h"
#include "engine/state/keys.h"
#include "engine/state/tables.h"
#include "record/values.h"
#include "state/ordered_index.h"

namespace beeline::engine {

// Commands that this partition distributes to others, and commands that it has received from them.
//
// As the origin it keeps each command until every target has acknowledged it. As a target it
// remembers received commands until the origin will not send them again, so a command that arrives
// twice is carried out once.
class Distributions {
 public:
  explicit Distributions(state::Database& database);
  ~Distributions();

  // --- as the origin ---
  [[nodiscard]] const DistributionRow* find(Key key) const { return commands_.find(key); }
  // For a row that must exist.
  [[nodiscard]] const DistributionRow& get(Key key) const {
    return existing(find(key), "distribution", key);
  }
  // Returns null if the target has acknowledged, or never was one.
  [[nodiscard]] const DistributionTargetRow* find_target(Key key, PartitionId target) const {
    return targets_.find({key, target});
  }
  // True if a target has not yet acknowledged.
  [[nodiscard]] bool has_targets(Key key) const;
  // Returns the oldest command of this queue that the target has not acknowledged.
  [[nodiscard]] std::optional<Key> first_in_queue(std::string_view queue, PartitionId target) const;
  // Returns the lowest key that the target has not acknowledged, sent or not.
  [[nodiscard]] std::optional<Key> min_pending(PartitionId target) const;
  // Returns the commands that were sent and not acknowledged, with their targets.
  [[nodiscard]] const state::OrderedIndex<std::pair<Key, PartitionId>>& sent() const {
    return sent_;
  }
  // Returns the distributions whose client has waited long enough, the earliest first, then by key.
  [[nodiscard]] std::vector<Key> overdue_answers(Timestamp now, std::size_t limit) const;
  [[nodiscard]] std::optional<Timestamp> next_due() const;
  [[nodiscard]] std::size_t count() const { return commands_.size(); }

  void start(Key key, DistributionRow row);
  void enqueue(Key key, PartitionId target, std::string_view queue);
  void mark_sent(Key key, PartitionId target);
  void acknowledge(Key key, PartitionId target, std::int64_t result);
  void finish(Key key);
  void forget_answer(Key key);

  // --- as a target ---
  [[nodiscard]] bool is_received(Key key) const;
  // Returns the result of a command that was received; 0 if it is no longer known.
  [[nodiscard]] std::int64_t received_result(Key key) const;
  [[nodiscard]] std::size_t received_count() const { return received_.size(); }

  // Remembers a command that was received. The same origin will not send commands below
  // `min_pending` again, so they are forgotten.
  void receive(Key key, MinPendingKey min_pending, std::int64_t result);

 private:
  using Target = DistributionTargetKey;
  [[nodiscard]] Key floor_of(PartitionId origin) const;

  TableOf<TableNumber::Distributions> commands_;
  state::OrderedIndex<std::pair<Timestamp, Key>> by_answer_date_;
  TableOf<TableNumber::DistributionTargets> targets_;
  state::OrderedIndex<Target> all_targets_;
  state::OrderedIndex<Target> sent_;
  state::OrderedIndex<std::pair<PartitionId, Key>> by_target_;
  state::OrderedIndex<std::tuple<std::string, PartitionId, Key>> queues_;
  TableOf<TableNumber::ReceivedDistributions> received_;
  state::OrderedIndex<Key> received_order_;  // a key begins with its origin
  TableOf<TableNumber::DistributionFloors> floors_;
};

}  // namespace beeline::engine
