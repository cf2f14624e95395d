#pragma once

#include <absl/container/flat_hash_map.h>

#include <functional>
#include <vector>

#include "engine/state/rows.h"
#include "state/ordered_index.h"
#include "state/table.h"

namespace beeline::engine {

// Element instances as a tree: each knows its flow scope, and the children of a scope can be walked
// in the order of their keys.
class ElementInstances {
 public:
  explicit ElementInstances(state::Database& database);
  ~ElementInstances();

  [[nodiscard]] const ElementInstanceRow* find(Key key) const { return rows_.find(key); }
  // The children of a scope with a key not below `from`, at most `limit` of them, in key order.
  [[nodiscard]] std::vector<Key> children_of(Key scope, Key from, std::size_t limit) const;
  [[nodiscard]] std::size_t count() const { return rows_.size(); }
  // How many of them are process instances.
  [[nodiscard]] std::int64_t process_instance_count() const { return process_instances_; }
  [[nodiscard]] std::int64_t process_instance_count(Key definition) const;

  void insert(Key key, ElementInstanceRow&& row);
  template <typename Change>
  void update(Key key, Change&& change) {
    rows_.update(key, std::forward<Change>(change));
  }
  void erase(Key key);

  // For dumps and `inspect`; in key order.
  void for_each(const std::function<void(Key, const ElementInstanceRow&)>& visit) const;

 private:
  using Row = ElementInstanceRow;
  state::Table<Key, Row, RowCodec<Row>> rows_;
  state::OrderedIndex<std::pair<Key, Key>> children_;
  std::int64_t process_instances_ = 0;
  absl::flat_hash_map<Key, std::int64_t> by_definition_;  // process instances
};

}  // namespace beeline::engine
