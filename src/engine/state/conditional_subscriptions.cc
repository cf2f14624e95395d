#include "engine/state/conditional_subscriptions.h"

#include <optional>

#include "base/check.h"

namespace beeline::engine {
namespace {

Key condition_owner(const record::ConditionalSubscriptionRecord& subscription) {
  return subscription.element_instance_key.is_set() ? subscription.element_instance_key
                                                    : subscription.process_definition_key;
}

}  // namespace

void ConditionReaders::insert(Key key, const record::ConditionalSubscriptionRecord& subscription) {
  const std::pair entry{subscription.scope_key, key};
  for (const std::string& name : subscription.variable_names) by_variable_[name].insert(entry);
  if (subscription.variable_names.empty()) of_any_.insert(entry);
}

void ConditionReaders::erase(Key key, const record::ConditionalSubscriptionRecord& subscription) {
  const std::pair entry{subscription.scope_key, key};
  for (const std::string& name : subscription.variable_names) {
    const auto it = by_variable_.find(name);
    BEELINE_CHECK(it != by_variable_.end() && it->second.erase(entry) == 1,
                  "subscription {} is no reader of '{}'", key.value(), name);
    if (it->second.empty()) by_variable_.erase(it);
  }
  of_any_.erase(entry);
}

ConditionalSubscriptions::ConditionalSubscriptions(state::Database& database) : rows_(database) {
  state::keep_index(rows_, by_owner_, [](Key key, const ConditionalSubscriptionRow& row) {
    return std::optional{std::pair{condition_owner(row.record), key}};
  });
  rows_.observe_presence([this](const auto& entry, state::Presence presence) {
    const record::ConditionalSubscriptionRecord& subscription = entry.row.record;
    const Key instance = subscription.process_instance_key;
    if (presence == state::Presence::Appears) {
      return readers_[instance].insert(entry.key, subscription);
    }
    const auto it = readers_.find(instance);
    BEELINE_CHECK(it != readers_.end(), "process instance {} has no conditions", instance.value());
    it->second.erase(entry.key, subscription);
    if (it->second.empty()) readers_.erase(it);
  });
}

ConditionalSubscriptions::~ConditionalSubscriptions() = default;

std::vector<Key> ConditionalSubscriptions::of_element_instance(Key element_instance) const {
  std::vector<Key> keys;
  for (auto it = by_owner_.from({element_instance, Key{}});
       it != by_owner_.end() && it->first == element_instance; ++it) {
    keys.push_back(it->second);
  }
  return keys;
}

std::vector<Key> ConditionalSubscriptions::of_definition(Key definition) const {
  return of_element_instance(definition);
}

void ConditionalSubscriptions::insert(Key key,
                                      const record::ConditionalSubscriptionRecord& subscription) {
  rows_.insert(key, ConditionalSubscriptionRow{subscription});
}

void ConditionalSubscriptions::erase(Key key) {
  rows_.erase(key);
}

}  // namespace beeline::engine
