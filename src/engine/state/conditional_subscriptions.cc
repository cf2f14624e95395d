#include "engine/state/conditional_subscriptions.h"

namespace beeline::engine {
namespace {

Key condition_owner(const record::ConditionalSubscriptionRecord& subscription) {
  return subscription.element_instance_key.is_set() ? subscription.element_instance_key
                                                    : subscription.process_definition_key;
}

}  // namespace

ConditionalSubscriptions::ConditionalSubscriptions(state::Database& database) : rows_(database) {
  rows_.observe_presence([this](const auto& entry, state::Presence presence) {
    index(entry.key, entry.row.record, presence == state::Presence::Appears);
  });
}

ConditionalSubscriptions::~ConditionalSubscriptions() = default;

void ConditionalSubscriptions::index(Key key,
                                     const record::ConditionalSubscriptionRecord& subscription,
                                     bool appears) {
  const auto change = [appears](auto& entries, const auto& entry) {
    appears ? entries.insert(entry) : entries.erase(entry);
  };
  const Key instance = subscription.process_instance_key;
  change(by_owner_, std::pair{condition_owner(subscription), key});
  const Key scope = subscription.scope_key;
  for (const std::string& name : subscription.variable_names) {
    change(by_variable_, Reader{instance, name, scope, key});
  }
  if (subscription.variable_names.empty()) change(by_variable_, Reader{instance, "", scope, key});
  if (appears) {
    ++counts_[instance];
  } else if (const auto it = counts_.find(instance); --it->second == 0) {
    counts_.erase(it);
  }
}

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

void ConditionalSubscriptions::add_readers(Key process_instance, std::string_view variable,
                                           std::vector<Key>& readers) const {
  for (auto it = by_variable_.from({process_instance, std::string{variable}, Key{}, Key{}});
       it != by_variable_.end(); ++it) {
    const auto& [its_instance, its_variable, its_scope, key] = *it;
    if (its_instance != process_instance || its_variable != variable) break;
    readers.push_back(key);
  }
}

void ConditionalSubscriptions::add_readers_in(Key scope, Key process_instance,
                                              std::string_view variable,
                                              std::vector<Key>& readers) const {
  for (auto it = by_variable_.from({process_instance, std::string{variable}, scope, Key{}});
       it != by_variable_.end(); ++it) {
    const auto& [its_instance, its_variable, its_scope, key] = *it;
    if (its_instance != process_instance || its_variable != variable || its_scope != scope) break;
    readers.push_back(key);
  }
}

void ConditionalSubscriptions::insert(Key key,
                                      const record::ConditionalSubscriptionRecord& subscription) {
  rows_.insert(key, ConditionalSubscriptionRow{subscription});
}

void ConditionalSubscriptions::erase(Key key) {
  rows_.erase(key);
}

}  // namespace beeline::engine
