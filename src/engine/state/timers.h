#pragma once

#include <optional>
#include <vector>

#include "engine/state/existing.h"
#include "engine/state/tables.h"
#include "state/ordered_index.h"

namespace beeline::engine {

// Waiting timers, by due date and by their owner: an element instance or, for start events, a
// process definition.
class Timers {
 public:
  explicit Timers(state::Database& database);
  ~Timers();

  [[nodiscard]] const TimerRow* find(Key key) const { return rows_.find(key); }
  // For a row that must exist.
  [[nodiscard]] const TimerRow& get(Key key) const { return existing(find(key), "timer", key); }
  // Returns the timers that are due at `now`, the earliest first, then by key.
  [[nodiscard]] std::vector<Key> due(Timestamp now, std::size_t limit) const;
  [[nodiscard]] std::optional<Timestamp> next_due() const;
  [[nodiscard]] std::vector<Key> of_element_instance(Key element_instance) const;
  [[nodiscard]] std::vector<Key> of_definition(Key definition) const;

  // For readers from outside; see state::Table::walk.
  template <typename Visit, typename Enough>
  [[nodiscard]] std::optional<std::uint64_t> walk(std::uint64_t from, std::size_t places_max,
                                                  Visit&& visit, Enough&& enough) const {
    return rows_.walk(from, places_max, visit, enough);
  }

  void insert(Key key, const record::TimerRecord& timer);
  void erase(Key key);

 private:
  TableOf<TableNumber::Timers> rows_;
  state::OrderedIndex<std::pair<Timestamp, Key>> by_due_date_;
  state::OrderedIndex<std::pair<Key, Key>> by_owner_;
};

}  // namespace beeline::engine
