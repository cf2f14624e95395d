#include "engine/state/signals.h"

namespace beeline::engine {
namespace {

Key owner_of(const SignalSubscriptionRow& row) {
  return row.record.element_instance_key.is_set() ? row.record.element_instance_key
                                                  : row.record.process_definition_key;
}

}  // namespace

Signals::Signals(state::Database& database) : rows_(database), broadcasts_(database) {
  state::keep_index(rows_, by_name_, [](Key key, const SignalSubscriptionRow& row) {
    return std::optional{std::tuple{row.record.tenant_id, row.record.signal_name, key}};
  });
  state::keep_index(rows_, by_owner_, [](Key key, const SignalSubscriptionRow& row) {
    return std::optional{std::pair{owner_of(row), key}};
  });
}

Signals::~Signals() = default;

std::vector<Key> Signals::of_name(std::string_view tenant, std::string_view name, Key after,
                                  Key before, std::size_t limit) const {
  std::vector<Key> keys;
  for (auto it = by_name_.from({std::string{tenant}, std::string{name}, after});
       it != by_name_.end() && keys.size() < limit; ++it) {
    const auto& [its_tenant, its_name, key] = *it;
    if (its_tenant != tenant || its_name != name || key >= before) break;
    if (key > after) keys.push_back(key);
  }
  return keys;
}

std::vector<Key> Signals::of_element_instance(Key element_instance) const {
  std::vector<Key> keys;
  for (auto it = by_owner_.from({element_instance, Key{}});
       it != by_owner_.end() && it->first == element_instance; ++it) {
    keys.push_back(it->second);
  }
  return keys;
}

std::vector<Key> Signals::of_definition(Key definition) const {
  return of_element_instance(definition);
}

void Signals::insert(Key key, const record::SignalSubscriptionRecord& subscription) {
  rows_.insert(key, SignalSubscriptionRow{subscription});
}

void Signals::erase(Key key) {
  rows_.erase(key);
}

void Signals::pause_broadcast(Key key, const record::SignalRecord& step) {
  if (broadcasts_.find(key) == nullptr) {
    broadcasts_.insert(key, SignalBroadcastRow{step});
    return;
  }
  broadcasts_.update(key, [&](SignalBroadcastRow& row) {
    row.record.cursor = step.cursor;
    row.record.delivered_count += step.delivered_count;
    row.record.started_instances.insert(row.record.started_instances.end(),
                                        step.started_instances.begin(),
                                        step.started_instances.end());
  });
}

void Signals::complete_broadcast(Key key) {
  broadcasts_.erase(key);
}

}  // namespace beeline::engine
