#include "engine/state/message_subscriptions.h"

#include <limits>

namespace beeline::engine {
namespace {

constexpr Key kAfterAllKeys{std::numeric_limits<std::int64_t>::max()};

}  // namespace

MessageSubscriptions::MessageSubscriptions(state::Database& database, PartitionId partition)
    : rows_(database) {
  state::keep_index(
      rows_, waiting_,
      [](Key key, const MessageSubscriptionRow& row) -> std::optional<WaitingEntry> {
        if (row.is_correlating) return std::nullopt;
        const record::MessageSubscriptionRecord& r = row.record;
        return WaitingEntry{r.correlation_key, r.message_name, r.tenant_id, r.bpmn_process_id, key};
      });
  state::keep_index(rows_, by_element_, [](Key key, const MessageSubscriptionRow& row) {
    return std::optional{std::tuple{row.record.element_instance_key, row.record.message_name, key}};
  });
  state::keep_index(rows_, by_instance_, [](Key key, const MessageSubscriptionRow& row) {
    return std::optional{std::pair{row.record.process_instance_key, key}};
  });
  state::keep_index(
      rows_, unacknowledged_,
      [partition](Key key,
                  const MessageSubscriptionRow& row) -> std::optional<std::pair<Key, Key>> {
        const bool is_remote = partition_of(row.record.process_instance_key) != partition;
        if (!row.is_correlating || !is_remote) return std::nullopt;
        return std::pair{row.record.attempt, key};
      });
}

MessageSubscriptions::~MessageSubscriptions() = default;

SubscriptionKey MessageSubscriptions::find_of(Key element_instance, std::string_view name) const {
  const auto it = by_element_.from({element_instance, std::string{name}, Key{}});
  if (it == by_element_.end()) return SubscriptionKey{};
  const auto& [its_element, its_name, key] = *it;
  return its_element == element_instance && its_name == name ? SubscriptionKey{key}
                                                             : SubscriptionKey{};
}

std::vector<SubscriptionKey> MessageSubscriptions::longest_waiting(
    std::string_view tenant, std::string_view name, std::string_view correlation_key) const {
  std::vector<SubscriptionKey> keys;
  SubscriptionKey key = next_waiting(tenant, name, correlation_key, "", kAfterAllKeys);
  while (key.is_set()) {
    keys.push_back(key);
    key =
        next_waiting(tenant, name, correlation_key, get(key).record.bpmn_process_id, kAfterAllKeys);
  }
  return keys;
}

SubscriptionKey MessageSubscriptions::next_waiting(std::string_view tenant, std::string_view name,
                                                   std::string_view correlation_key,
                                                   std::string_view process, Key before) const {
  // Start behind all subscriptions of `process`.
  WaitingEntry next{correlation_key, name, tenant, process,
                    process.empty() ? Key{} : kAfterAllKeys};
  while (true) {
    const auto it = waiting_.from(next);
    if (it == waiting_.end()) return SubscriptionKey{};
    const auto& [its_key, its_name, its_tenant, its_process, key] = *it;
    if (its_tenant != tenant || its_name != name || its_key != correlation_key)
      return SubscriptionKey{};
    if (key < before) return SubscriptionKey{key};
    std::get<3>(next) = its_process;
    std::get<4>(next) = kAfterAllKeys;
  }
}

SubscriptionKey MessageSubscriptions::longest_waiting_of(std::string_view tenant,
                                                         std::string_view name,
                                                         std::string_view correlation_key,
                                                         std::string_view bpmn_process_id) const {
  const auto it =
      waiting_.from(WaitingEntry{correlation_key, name, tenant, bpmn_process_id, Key{}});
  if (it == waiting_.end()) return SubscriptionKey{};
  const auto& [its_key, its_name, its_tenant, process, key] = *it;
  const bool fits = its_tenant == tenant && its_name == name && its_key == correlation_key &&
                    process == bpmn_process_id;
  return fits ? SubscriptionKey{key} : SubscriptionKey{};
}

SubscriptionKey MessageSubscriptions::longest_waiting_in(Key process_instance,
                                                         std::string_view name,
                                                         std::string_view correlation_key) const {
  for (auto it = by_instance_.from({process_instance, Key{}});
       it != by_instance_.end() && it->first == process_instance; ++it) {
    const MessageSubscriptionRow& row = get(it->second);
    if (!row.is_correlating && row.record.message_name == name &&
        row.record.correlation_key == correlation_key) {
      return SubscriptionKey{it->second};
    }
  }
  return SubscriptionKey{};
}

void MessageSubscriptions::insert(Key key, const record::MessageSubscriptionRecord& subscription) {
  rows_.insert(key, MessageSubscriptionRow{subscription, false});
}

void MessageSubscriptions::erase(Key key) {
  rows_.erase(key);
}

}  // namespace beeline::engine
