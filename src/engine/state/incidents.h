#pragma once

#include <optional>
#include <vector>

#include "engine/state/existing.h"
#include "engine/state/tables.h"
#include "state/ordered_index.h"

namespace beeline::engine {

// Open incidents.
class Incidents {
 public:
  explicit Incidents(state::Database& database);
  ~Incidents();

  [[nodiscard]] const IncidentRow* find(Key key) const { return rows_.find(key); }
  // For a row that must exist.
  [[nodiscard]] const IncidentRow& get(Key key) const {
    return existing(find(key), "incident", key);
  }
  // Returns the incidents of an element instance and of its job, in key order.
  [[nodiscard]] std::vector<Key> of_element_instance(Key element_instance) const;
  [[nodiscard]] std::size_t count() const { return rows_.size(); }

  // For readers from outside; see state::Table::walk.
  template <typename Visit, typename Enough>
  [[nodiscard]] std::optional<std::uint64_t> walk(std::uint64_t from, std::size_t places_max,
                                                  Visit&& visit, Enough&& enough) const {
    return rows_.walk(from, places_max, visit, enough);
  }

  void insert(Key key, const record::IncidentRecord& incident);
  void erase(Key key);

 private:
  TableOf<TableNumber::Incidents> rows_;
  state::OrderedIndex<std::pair<Key, Key>> by_element_instance_;
};

}  // namespace beeline::engine
