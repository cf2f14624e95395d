#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/state/existing.h"
#include "engine/state/keys.h"
#include "engine/state/tables.h"
#include "state/ordered_index.h"

namespace beeline::engine {

// The message start events of the latest versions, and the instances that prevent others with their
// correlation key from being started.
class MessageStarts {
 public:
  explicit MessageStarts(state::Database& database);
  ~MessageStarts();

  [[nodiscard]] const MessageStartSubscriptionRow* find(Key key) const { return rows_.find(key); }
  // For a row that must exist.
  [[nodiscard]] const MessageStartSubscriptionRow& get(Key key) const {
    return existing(find(key), "message start event subscription", key);
  }
  // Returns the subscriptions to a message name, the oldest first.
  [[nodiscard]] std::vector<StartSubscriptionKey> of_name(std::string_view tenant,
                                                          std::string_view name) const;
  [[nodiscard]] std::vector<StartSubscriptionKey> of_definition(Key definition) const;

  // Returns the lock that an instance holds, or null.
  [[nodiscard]] const MessageStartLockRow* find_lock(Key process_instance) const {
    return locks_.find(process_instance);
  }
  [[nodiscard]] bool is_locked(const std::string& tenant, const std::string& bpmn_process_id,
                               const std::string& correlation_key) const;

  // For readers from outside; see state::Table::walk.
  template <typename Visit, typename Enough>
  [[nodiscard]] std::optional<std::uint64_t> walk(std::uint64_t from, std::size_t places_max,
                                                  Visit&& visit, Enough&& enough) const {
    return rows_.walk(from, places_max, visit, enough);
  }

  void insert(Key key, const record::MessageStartEventSubscriptionRecord& subscription);
  void erase(Key key);
  void lock(Key process_instance, MessageStartLockRow row);
  // Does nothing if the instance holds no lock.
  void unlock(Key process_instance);

 private:
  TableOf<TableNumber::MessageStartSubscriptions> rows_;
  TableOf<TableNumber::MessageStartLocks> locks_;
  state::OrderedIndex<std::tuple<std::string, std::string, Key>> by_name_;
  state::OrderedIndex<std::pair<Key, Key>> by_definition_;
  // Tenant, process, correlation key.
  state::OrderedIndex<std::tuple<std::string, std::string, std::string>> locked_;
};

}  // namespace beeline::engine
