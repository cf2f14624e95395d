#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/state/existing.h"
#include "engine/state/tables.h"
#include "state/ordered_index.h"

namespace beeline::engine {

// The subscriptions to signals, by name and by their owner: an element instance or, for start
// events, a process definition. And the signals that have more receivers than one step serves.
class Signals {
 public:
  explicit Signals(state::Database& database);
  ~Signals();

  [[nodiscard]] const SignalSubscriptionRow* find(Key key) const { return rows_.find(key); }
  // For a row that must exist.
  [[nodiscard]] const SignalSubscriptionRow& get(Key key) const {
    return existing(find(key), "signal subscription", key);
  }
  // Returns at most `limit` subscriptions to a signal between two keys, without the keys
  // themselves; the oldest first.
  [[nodiscard]] std::vector<Key> of_name(std::string_view tenant, std::string_view name, Key after,
                                         Key before, std::size_t limit) const;
  [[nodiscard]] std::vector<Key> of_element_instance(Key element_instance) const;
  [[nodiscard]] std::vector<Key> of_definition(Key definition) const;
  [[nodiscard]] std::size_t count() const { return rows_.size(); }

  // Returns a signal that has receivers left, or null. The key is the signal's on the partition
  // that took it, and the distribution's on the others.
  [[nodiscard]] const SignalBroadcastRow* find_broadcast(Key key) const {
    return broadcasts_.find(key);
  }
  [[nodiscard]] std::size_t broadcast_count() const { return broadcasts_.size(); }

  // For readers from outside; see state::Table::walk.
  template <typename Visit, typename Enough>
  [[nodiscard]] std::optional<std::uint64_t> walk(std::uint64_t from, std::size_t places_max,
                                                  Visit&& visit, Enough&& enough) const {
    return rows_.walk(from, places_max, visit, enough);
  }

  void insert(Key key, const record::SignalSubscriptionRecord& subscription);
  void erase(Key key);
  // Notes what a step has served of a signal.
  void pause_broadcast(Key key, const record::SignalRecord& step);
  void complete_broadcast(Key key);

 private:
  TableOf<TableNumber::SignalSubscriptions> rows_;
  TableOf<TableNumber::SignalBroadcasts> broadcasts_;
  state::OrderedIndex<std::tuple<std::string, std::string, Key>> by_name_;  // tenant, name
  state::OrderedIndex<std::pair<Key, Key>> by_owner_;
};

}  // namespace beeline::engine
