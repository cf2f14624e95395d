#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/state/existing.h"
#include "engine/state/keys.h"
#include "engine/state/tables.h"
#include "state/ordered_index.h"

namespace beeline::engine {

// The message's side of subscriptions. Waiting subscriptions are found by what they wait for and
// then by process, so a message finds the first of each process without looking at the others,
// however many there are.
class MessageSubscriptions {
 public:
  MessageSubscriptions(state::Database& database, PartitionId partition);
  ~MessageSubscriptions();

  [[nodiscard]] const MessageSubscriptionRow* find(Key key) const { return rows_.find(key); }
  // For a row that must exist.
  [[nodiscard]] const MessageSubscriptionRow& get(Key key) const {
    return existing(find(key), "message subscription", key);
  }
  // Returns the subscription of an element instance to a message name; there is at most one. The
  // key is unset if there is no such subscription.
  [[nodiscard]] SubscriptionKey find_of(Key element_instance, std::string_view name) const;
  // Returns the longest-waiting subscription of each process, by process id.
  [[nodiscard]] std::vector<SubscriptionKey> longest_waiting(
      std::string_view tenant, std::string_view name, std::string_view correlation_key) const;
  // Returns the first of those whose process comes after `process` and whose key is lower than
  // `before`; unset if there is none. An empty `process` comes before all.
  [[nodiscard]] SubscriptionKey next_waiting(std::string_view tenant, std::string_view name,
                                             std::string_view correlation_key,
                                             std::string_view process, Key before) const;
  // Returns the longest-waiting subscription of this process; unset if no subscription waits.
  [[nodiscard]] SubscriptionKey longest_waiting_of(std::string_view tenant, std::string_view name,
                                                   std::string_view correlation_key,
                                                   std::string_view bpmn_process_id) const;
  // Returns the same for a process instance.
  [[nodiscard]] SubscriptionKey longest_waiting_in(Key process_instance, std::string_view name,
                                                   std::string_view correlation_key) const;
  // Attempts whose message is on its way to another partition, with their subscriptions.
  using Attempts = state::OrderedIndex<std::pair<Key, Key>>;
  [[nodiscard]] const Attempts& unacknowledged() const { return unacknowledged_; }
  [[nodiscard]] std::size_t count() const { return rows_.size(); }

  void insert(Key key, const record::MessageSubscriptionRecord& subscription);
  template <typename Change>
  void update(Key key, Change&& change) {
    rows_.update(key, std::forward<Change>(change));
  }
  void erase(Key key);

 private:
  // Correlation key, name, tenant, process, subscription: the part that differs most comes first,
  // so most comparisons end with it.
  using WaitingEntry = std::tuple<std::string, std::string, std::string, std::string, Key>;

  TableOf<TableNumber::MessageSubscriptions> rows_;
  state::OrderedIndex<WaitingEntry> waiting_;
  state::OrderedIndex<std::tuple<Key, std::string, Key>> by_element_;
  state::OrderedIndex<std::pair<Key, Key>> by_instance_;
  Attempts unacknowledged_;
};

}  // namespace beeline::engine
