#include "engine/state/message_starts.h"

namespace beeline::engine {

MessageStarts::MessageStarts(state::Database& database) : rows_(database), locks_(database) {
  state::keep_index(rows_, by_name_, [](Key key, const MessageStartSubscriptionRow& row) {
    return std::optional{std::tuple{row.record.tenant_id, row.record.message_name, key}};
  });
  state::keep_index(rows_, by_definition_, [](Key key, const MessageStartSubscriptionRow& row) {
    return std::optional{std::pair{row.record.process_definition_key, key}};
  });
  state::keep_index(locks_, locked_, [](Key, const MessageStartLockRow& row) {
    return std::optional{std::tuple{row.tenant_id, row.bpmn_process_id, row.correlation_key}};
  });
}

MessageStarts::~MessageStarts() = default;

std::vector<StartSubscriptionKey> MessageStarts::of_name(std::string_view tenant,
                                                         std::string_view name) const {
  std::vector<StartSubscriptionKey> keys;
  for (auto it = by_name_.from({std::string{tenant}, std::string{name}, Key{}});
       it != by_name_.end() && std::get<0>(*it) == tenant && std::get<1>(*it) == name; ++it) {
    keys.emplace_back(std::get<2>(*it));
  }
  return keys;
}

std::vector<StartSubscriptionKey> MessageStarts::of_definition(Key definition) const {
  std::vector<StartSubscriptionKey> keys;
  for (auto it = by_definition_.from({definition, Key{}});
       it != by_definition_.end() && it->first == definition; ++it) {
    keys.emplace_back(it->second);
  }
  return keys;
}

bool MessageStarts::is_locked(const std::string& tenant, const std::string& bpmn_process_id,
                              const std::string& correlation_key) const {
  const std::tuple wanted{tenant, bpmn_process_id, correlation_key};
  const auto it = locked_.from(wanted);
  return it != locked_.end() && *it == wanted;
}

void MessageStarts::insert(Key key,
                           const record::MessageStartEventSubscriptionRecord& subscription) {
  rows_.insert(key, MessageStartSubscriptionRow{subscription});
}

void MessageStarts::erase(Key key) {
  rows_.erase(key);
}

void MessageStarts::lock(Key process_instance, MessageStartLockRow row) {
  locks_.insert(process_instance, std::move(row));
}

void MessageStarts::unlock(Key process_instance) {
  locks_.erase_any(process_instance);
}

}  // namespace beeline::engine
