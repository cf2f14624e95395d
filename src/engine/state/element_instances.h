#pragma once

#include <absl/container/flat_hash_map.h>

#include <functional>
#include <optional>
#include <utility>

#include "engine/state/existing.h"
#include "engine/state/keys.h"
#include "engine/state/tables.h"

namespace beeline::engine {

// Element instances as a tree: each knows its flow scope, and the children of a scope can be walked
// in the order of their keys. A scope is created before its children, has a lower key, and is
// removed after them.
class ElementInstances {
 public:
  explicit ElementInstances(state::Database& database);
  ~ElementInstances();

  [[nodiscard]] const ElementInstanceRow* find(Key key) const { return rows_.find(key); }
  // For a row that must exist.
  [[nodiscard]] const ElementInstanceRow& get(Key key) const {
    return existing(find(key), "element instance", key);
  }
  // Calls `visit(key, row)` for the children of a scope with a key not below `from`, in key order,
  // as long as it returns true. `from` is found at once if it is a child itself or below all of
  // them, so a walk can be split into slices; otherwise the children below it are passed one by
  // one.
  template <typename Visit>
  void for_each_child(Key scope, ChildKey from, Visit&& visit) const {
    for (const Entry* child = find_child(scope, from); child != nullptr;
         child = child->attachment.next) {
      if (!visit(child->key, child->row)) return;
    }
  }
  [[nodiscard]] std::size_t count() const { return rows_.size(); }
  // Returns how many element instances are process instances.
  [[nodiscard]] std::int64_t process_instance_count() const { return process_instances_; }
  [[nodiscard]] std::int64_t process_instance_count(Key definition) const;

  // For readers from outside; see state::Table::walk.
  template <typename Visit, typename Enough>
  [[nodiscard]] std::optional<std::uint64_t> walk(std::uint64_t from, std::size_t places_max,
                                                  Visit&& visit, Enough&& enough) const {
    return rows_.walk(from, places_max, visit, enough);
  }

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
  struct Links;
  using Entry = state::TableEntry<Key, Row, Links>;
  // The tree, kept beside the rows: most instances have a sibling or two, for which an index of all
  // children is too much. Siblings are in key order; the last has no next, but the first has the
  // last as its previous, so a new child, whose key is the highest, finds its place at once.
  struct Links {
    const Entry* first_child = nullptr;
    const Entry* previous = nullptr;
    const Entry* next = nullptr;
  };

  // Returns the first child with a key not below `from`, or null.
  [[nodiscard]] const Entry* find_child(Key scope, ChildKey from) const;
  [[nodiscard]] const Entry& scope_of(const Entry& child) const;
  // Returns the sibling before which a new child is inserted, or null; searches from the last one
  // backwards.
  [[nodiscard]] static const Entry* next_of(const Entry& child, const Entry& first);
  void link(const Entry& child);
  void unlink(const Entry& child);

  TableOf<TableNumber::ElementInstances, Links> rows_;
  std::int64_t process_instances_ = 0;
  absl::flat_hash_map<Key, std::int64_t> by_definition_;  // process instances
};

}  // namespace beeline::engine
