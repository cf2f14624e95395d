#include "engine/state/element_instances.h"

#include <optional>
#include <utility>

#include "engine/state/table_ids.h"

namespace beeline::engine {

ElementInstances::ElementInstances(state::Database& database)
    : rows_(database, table_id(TableNumber::ElementInstances), "element_instances") {
  // Where an instance stands in the tree never changes, so an update is of no interest here.
  rows_.observe_presence([this](const Key& key, const Row* before, const Row* after) {
    const Row& row = after != nullptr ? *after : *before;
    if (!row.flow_scope_key.is_set()) {
      const int change = after != nullptr ? 1 : -1;
      process_instances_ += change;
      by_definition_[row.process_definition_key] += change;
    } else if (after != nullptr) {
      children_.insert({row.flow_scope_key, key});
    } else {
      children_.erase({row.flow_scope_key, key});
    }
  });
}

std::int64_t ElementInstances::process_instance_count(Key definition) const {
  const auto it = by_definition_.find(definition);
  return it != by_definition_.end() ? it->second : 0;
}

ElementInstances::~ElementInstances() = default;

std::vector<Key> ElementInstances::children_of(Key scope, Key from, std::size_t limit) const {
  std::vector<Key> keys;
  for (auto it = children_.from({scope, from});
       it != children_.end() && it->first == scope && keys.size() < limit; ++it) {
    keys.push_back(it->second);
  }
  return keys;
}

void ElementInstances::insert(Key key, ElementInstanceRow&& row) {
  rows_.insert(key, std::move(row));
}

void ElementInstances::erase(Key key) {
  rows_.erase(key);
}

void ElementInstances::for_each(
    const std::function<void(Key, const ElementInstanceRow&)>& visit) const {
  rows_.for_each_sorted(visit);
}

}  // namespace beeline::engine
