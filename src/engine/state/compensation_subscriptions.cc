#include "engine/state/compensation_subscriptions.h"

#include <iterator>

namespace beeline::engine {
namespace {

using IndexEntry = std::pair<Key, Key>;

// Returns the subscription of the first entry of `owner`; unset if there is none.
Key first_of(const state::OrderedIndex<IndexEntry>& index, Key owner) {
  const auto it = index.from({owner, Key{}});
  return it != index.end() && it->first == owner ? it->second : Key{};
}

}  // namespace

CompensationSubscriptions::CompensationSubscriptions(state::Database& database) : rows_(database) {
  using Row = CompensationSubscriptionRow;
  state::keep_index(rows_, by_scope_, [](Key key, const Row& row) {
    return std::optional{IndexEntry{row.record.compensable_activity_scope_key, key}};
  });
  state::keep_index(rows_, by_throw_event_,
                    [](Key key, const Row& row) -> std::optional<std::tuple<Key, Key, Key>> {
                      if (!row.record.throw_event_instance_key.is_set()) return std::nullopt;
                      return std::tuple{row.record.throw_event_instance_key,
                                        row.record.compensable_activity_scope_key, key};
                    });
  state::keep_index(rows_, by_handler_, [](Key key, const Row& row) -> std::optional<IndexEntry> {
    if (!row.record.compensation_handler_instance_key.is_set()) return std::nullopt;
    return IndexEntry{row.record.compensation_handler_instance_key, key};
  });
  state::keep_index(rows_, by_activity_, [](Key key, const Row& row) {
    return std::optional{IndexEntry{row.record.compensable_activity_instance_key, key}};
  });
}

CompensationSubscriptions::~CompensationSubscriptions() = default;

Key CompensationSubscriptions::last_in_scope(Key scope, Key before) const {
  auto it = before.is_set() ? by_scope_.from({scope, before})
                            : by_scope_.from({Key{scope.value() + 1}, Key{}});
  if (it == by_scope_.begin()) return Key{};
  it = std::prev(it);
  return it->first == scope ? it->second : Key{};
}

Key CompensationSubscriptions::any_of_throw_event(Key throw_event_instance) const {
  const auto it = by_throw_event_.from({throw_event_instance, Key{}, Key{}});
  const bool found = it != by_throw_event_.end() && std::get<0>(*it) == throw_event_instance;
  return found ? std::get<2>(*it) : Key{};
}

Key CompensationSubscriptions::any_triggered_in_scope(Key scope, Key throw_event_instance) const {
  const auto it = by_throw_event_.from({throw_event_instance, scope, Key{}});
  const bool found = it != by_throw_event_.end() && std::get<0>(*it) == throw_event_instance &&
                     std::get<1>(*it) == scope;
  return found ? std::get<2>(*it) : Key{};
}

Key CompensationSubscriptions::of_handler(Key handler_instance) const {
  return first_of(by_handler_, handler_instance);
}

Key CompensationSubscriptions::of_activity(Key activity_instance) const {
  return first_of(by_activity_, activity_instance);
}

void CompensationSubscriptions::insert(Key key,
                                       const record::CompensationSubscriptionRecord& subscription) {
  rows_.insert(key, CompensationSubscriptionRow{subscription});
}

void CompensationSubscriptions::replace(
    Key key, const record::CompensationSubscriptionRecord& subscription) {
  rows_.update(key, [&](CompensationSubscriptionRow& row) { row.record = subscription; });
}

void CompensationSubscriptions::erase(Key key) {
  rows_.erase(key);
}

}  // namespace beeline::engine
