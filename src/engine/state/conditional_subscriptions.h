#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/state/existing.h"
#include "engine/state/tables.h"
#include "state/ordered_index.h"

namespace beeline::engine {

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
  // True if a condition waits in this process instance. Almost free while there are none at all.
  [[nodiscard]] bool has_any_in(Key process_instance) const {
    return rows_.size() > 0 && counts_.contains(process_instance);
  }
  // Appends the subscriptions of a process instance whose conditions read this variable, or those
  // that read none if the name is empty. The key is unset for those of start events.
  void add_readers(Key process_instance, std::string_view variable,
                   std::vector<Key>& readers) const;
  // Does the same for those in one scope of the process instance.
  void add_readers_in(Key scope, Key process_instance, std::string_view variable,
                      std::vector<Key>& readers) const;
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
  // The process instance, a variable that the condition reads, the scope, the subscription.
  using Reader = std::tuple<Key, std::string, Key, Key>;
  void index(Key key, const record::ConditionalSubscriptionRecord& subscription, bool appears);

  TableOf<TableNumber::ConditionalSubscriptions> rows_;
  state::OrderedIndex<std::pair<Key, Key>> by_owner_;
  state::OrderedIndex<Reader> by_variable_;
  absl::flat_hash_map<Key, std::size_t> counts_;  // by process instance; there are no zeros
};

}  // namespace beeline::engine
