#pragma once

#include <absl/container/btree_set.h>
#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/state/existing.h"
#include "engine/state/tables.h"
#include "state/ordered_index.h"

namespace beeline::engine {

// The subscriptions of one process instance by the variables that their conditions read.
class ConditionReaders {
 public:
  using Set = absl::btree_set<std::pair<Key, Key>>;  // the scope, the subscription

  // Returns the readers of a variable, or null.
  [[nodiscard]] const Set* of(std::string_view variable) const {
    const auto it = by_variable_.find(absl::string_view(variable.data(), variable.size()));
    return it != by_variable_.end() ? &it->second : nullptr;
  }
  // Returns those that read no variable: every change concerns them.
  [[nodiscard]] const Set& of_any() const { return of_any_; }
  [[nodiscard]] bool are_concerned_by(std::string_view variable) const {
    return !of_any_.empty() || of(variable) != nullptr;
  }
  [[nodiscard]] bool empty() const { return by_variable_.empty() && of_any_.empty(); }

  void insert(Key key, const record::ConditionalSubscriptionRecord& subscription);
  void erase(Key key, const record::ConditionalSubscriptionRecord& subscription);

 private:
  absl::flat_hash_map<std::string, Set> by_variable_;  // no set is empty
  Set of_any_;
};

// The subscriptions of conditional events: by their owner, which is an element instance or, for
// start events, a process definition; and by the variables that their conditions read, so that a
// change of a variable costs nothing for the conditions that do not read it.
class ConditionalSubscriptions {
 public:
  explicit ConditionalSubscriptions(state::Database& database);
  ~ConditionalSubscriptions();

  [[nodiscard]] const ConditionalSubscriptionRow* find(Key key) const { return rows_.find(key); }
  // For a row that must exist.
  [[nodiscard]] const ConditionalSubscriptionRow& get(Key key) const {
    return existing(find(key), "conditional subscription", key);
  }
  [[nodiscard]] std::vector<Key> of_element_instance(Key element_instance) const;
  [[nodiscard]] std::vector<Key> of_definition(Key definition) const;
  // Returns the readers of a process instance, or null if no condition waits there. The key is
  // unset for the conditions of start events. Almost free while there are none at all; the result
  // is valid until a subscription is opened or closed.
  [[nodiscard]] const ConditionReaders* readers_in(Key process_instance) const {
    if (rows_.size() == 0) return nullptr;
    const auto it = readers_.find(process_instance);
    return it != readers_.end() ? &it->second : nullptr;
  }
  [[nodiscard]] std::size_t count() const { return rows_.size(); }

  // For readers from outside; see state::Table::walk.
  template <typename Visit, typename Enough>
  [[nodiscard]] std::optional<std::uint64_t> walk(std::uint64_t from, std::size_t places_max,
                                                  Visit&& visit, Enough&& enough) const {
    return rows_.walk(from, places_max, visit, enough);
  }

  void insert(Key key, const record::ConditionalSubscriptionRecord& subscription);
  void erase(Key key);

 private:
  TableOf<TableNumber::ConditionalSubscriptions> rows_;
  state::OrderedIndex<std::pair<Key, Key>> by_owner_;
  absl::flat_hash_map<Key, ConditionReaders> readers_;  // by process instance; none is empty
};

}  // namespace beeline::engine
