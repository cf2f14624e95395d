#include "engine/state/process_message_subscriptions.h"

namespace beeline::engine {

ProcessMessageSubscriptions::ProcessMessageSubscriptions(state::Database& database,
                                                         PartitionId partition)
    : rows_(database) {
  state::keep_index(rows_, by_element_, [](Key key, const ProcessMessageSubscriptionRow& row) {
    return std::optional{std::tuple{row.record.element_instance_key, row.record.message_name, key}};
  });
  const auto in_state = [partition](SubscriptionState state) {
    return [partition, state](Key key,
                              const ProcessMessageSubscriptionRow& row) -> std::optional<Key> {
      const bool is_remote = row.record.subscription_partition_id != partition;
      if (row.state != state || !is_remote) return std::nullopt;
      return key;
    };
  };
  state::keep_index(rows_, opening_, in_state(SubscriptionState::Opening));
  state::keep_index(rows_, closing_, in_state(SubscriptionState::Closing));
}

ProcessMessageSubscriptions::~ProcessMessageSubscriptions() = default;

Key ProcessMessageSubscriptions::find_of(Key element_instance, std::string_view name) const {
  const auto it = by_element_.from({element_instance, std::string{name}, Key{}});
  if (it == by_element_.end()) return Key{};
  const auto& [its_element, its_name, key] = *it;
  return its_element == element_instance && its_name == name ? key : Key{};
}

std::vector<Key> ProcessMessageSubscriptions::of_element_instance(Key element_instance) const {
  std::vector<Key> keys;
  for (auto it = by_element_.from({element_instance, "", Key{}});
       it != by_element_.end() && std::get<0>(*it) == element_instance; ++it) {
    keys.push_back(std::get<2>(*it));
  }
  return keys;
}

void ProcessMessageSubscriptions::insert(
    Key key, const record::ProcessMessageSubscriptionRecord& subscription) {
  rows_.insert(key, ProcessMessageSubscriptionRow{subscription, SubscriptionState::Opening});
}

void ProcessMessageSubscriptions::erase(Key key) {
  rows_.erase(key);
}

}  // namespace beeline::engine
