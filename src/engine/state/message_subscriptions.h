#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/state/existing.h"
#include "engine/state/keys.h"
#include "engine/state/rows.h"
#include "state/ordered_index.h"
#include "state/table.h"

namespace beeline::engine {

// The message's side of subscriptions. Those that wait are found by what they wait for and then by
// process, so that a message finds the first of each process without looking at the others,
// however many there are.
class MessageSubscriptions {
 public:
  MessageSubscriptions(state::Database& database, PartitionId partition);
  ~MessageSubscriptions();

  [[nodiscard]] const MessageSubscriptionRow* find(Key key) const { return rows_.find(key); }
  // For a row that must be there.
  [[nodiscard]] const MessageSubscriptionRow& get(Key key) const {
    return existing(find(key), "message subscription", key);
  }
  // The subscription of an element instance to a message name, of which it has one at most; unset
  // when there is no such subscription.
  [[nodiscard]] SubscriptionKey find_of(Key element_instance, std::string_view name) const;
  // The subscription of each process that waits longest, by process id.
  [[nodiscard]] std::vector<SubscriptionKey> longest_waiting(
      std::string_view tenant, std::string_view name, std::string_view correlation_key) const;
  // The first of those whose process comes after `process` and whose key is lower than `before`;
  // unset when there is no such subscription. An empty `process` is before all.
  [[nodiscard]] SubscriptionKey next_waiting(std::string_view tenant, std::string_view name,
                                             std::string_view correlation_key,
                                             std::string_view process, Key before) const;
  // The subscription of this process that waits longest; unset when no subscription waits.
  [[nodiscard]] SubscriptionKey longest_waiting_of(std::string_view tenant, std::string_view name,
                                                   std::string_view correlation_key,
                                                   std::string_view bpmn_process_id) const;
  // The same for a process instance.
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
  // Correlation key, name, tenant, process, subscription: what differs most comes first, so that
  // most comparisons end with the first part.
  using WaitingEntry = std::tuple<std::string, std::string, std::string, std::string, Key>;

  state::Table<Key, MessageSubscriptionRow, RowCodec<MessageSubscriptionRow>> rows_;
  state::OrderedIndex<WaitingEntry> waiting_;
  state::OrderedIndex<std::tuple<Key, std::string, Key>> by_element_;
  state::OrderedIndex<std::pair<Key, Key>> by_instance_;
  Attempts unacknowledged_;
};

}  // namespace beeline::engine
