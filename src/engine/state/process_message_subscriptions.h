#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/state/existing.h"
#include "engine/state/tables.h"
#include "state/ordered_index.h"

namespace beeline::engine {

// The instance's side of message subscriptions, by the element instance that waits.
class ProcessMessageSubscriptions {
 public:
  ProcessMessageSubscriptions(state::Database& database, PartitionId partition);
  ~ProcessMessageSubscriptions();

  [[nodiscard]] const ProcessMessageSubscriptionRow* find(Key key) const { return rows_.find(key); }
  // For a row that must exist.
  [[nodiscard]] const ProcessMessageSubscriptionRow& get(Key key) const {
    return existing(find(key), "process message subscription", key);
  }
  // An element instance has at most one per message name; unset if it has none.
  [[nodiscard]] Key find_of(Key element_instance, std::string_view name) const;
  // Returns the subscriptions by name.
  [[nodiscard]] std::vector<Key> of_element_instance(Key element_instance) const;
  // Return the subscriptions that wait until another partition opens or closes them.
  [[nodiscard]] const state::OrderedIndex<Key>& opening_elsewhere() const { return opening_; }
  [[nodiscard]] const state::OrderedIndex<Key>& closing_elsewhere() const { return closing_; }
  [[nodiscard]] std::size_t count() const { return rows_.size(); }

  // For readers from outside; see state::Table::walk.
  template <typename Visit, typename Enough>
  [[nodiscard]] std::optional<std::uint64_t> walk(std::uint64_t from, std::size_t places_max,
                                                  Visit&& visit, Enough&& enough) const {
    return rows_.walk(from, places_max, visit, enough);
  }

  void insert(Key key, const record::ProcessMessageSubscriptionRecord& subscription);
  template <typename Change>
  void update(Key key, Change&& change) {
    rows_.update(key, std::forward<Change>(change));
  }
  void erase(Key key);

 private:
  TableOf<TableNumber::ProcessMessageSubscriptions> rows_;
  state::OrderedIndex<std::tuple<Key, std::string, Key>> by_element_;
  state::OrderedIndex<Key> opening_;
  state::OrderedIndex<Key> closing_;
};

}  // namespace beeline::engine
