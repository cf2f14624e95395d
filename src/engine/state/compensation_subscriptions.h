#pragma once

#include <cstddef>
#include <optional>

#include "engine/state/existing.h"
#include "engine/state/tables.h"
#include "state/ordered_index.h"

namespace beeline::engine {

// Completed activities that can be compensated. Each is found by the scope that the activity had
// while nothing has triggered it, and by the throw event and the handler that compensate it from
// then on. The scope of an activity that a transaction has taken over is the transaction.
class CompensationSubscriptions {
 public:
  explicit CompensationSubscriptions(state::Database& database);
  ~CompensationSubscriptions();

  [[nodiscard]] bool empty() const { return rows_.size() == 0; }
  [[nodiscard]] const CompensationSubscriptionRow* find(Key key) const { return rows_.find(key); }
  // For a row that must exist.
  [[nodiscard]] const CompensationSubscriptionRow& get(Key key) const {
    return existing(find(key), "compensation subscription", key);
  }
  // Returns the subscription in this scope that was created last, triggered or not; unset if there
  // is none. With `before`, the last one below that key.
  [[nodiscard]] Key last_in_scope(Key scope, Key before = Key{}) const;
  // Returns a subscription that this throw event has triggered; unset if there is none.
  [[nodiscard]] Key any_of_throw_event(Key throw_event_instance) const;
  // Returns a subscription in this scope that this throw event has triggered; unset if there is
  // none.
  [[nodiscard]] Key any_triggered_in_scope(Key scope, Key throw_event_instance) const;
  // Returns the subscription that this handler compensates; unset if there is none.
  [[nodiscard]] Key of_handler(Key handler_instance) const;
  // Returns the subscription of this completed activity; unset if there is none.
  [[nodiscard]] Key of_activity(Key activity_instance) const;

  void insert(Key key, const record::CompensationSubscriptionRecord& subscription);
  void replace(Key key, const record::CompensationSubscriptionRecord& subscription);
  void erase(Key key);

 private:
  TableOf<TableNumber::CompensationSubscriptions> rows_;
  state::OrderedIndex<std::pair<Key, Key>> by_scope_;
  state::OrderedIndex<std::tuple<Key, Key, Key>> by_throw_event_;  // then scope and subscription
  state::OrderedIndex<std::pair<Key, Key>> by_handler_;
  state::OrderedIndex<std::pair<Key, Key>> by_activity_;
};

}  // namespace beeline::engine
