#include "engine/state/messages.h"

#include <algorithm>

namespace beeline::engine {

Messages::Messages(state::Database& database)
    : rows_(database), marks_(database), requests_(database) {
  state::keep_index(rows_, by_name_, [](Key key, const MessageRow& row) {
    const record::MessageRecord& message = row.record;
    return std::optional{NameEntry{message.tenant_id, message.name, message.correlation_key, key}};
  });
  state::keep_index(rows_, by_id_, [](Key key, const MessageRow& row) -> std::optional<IdEntry> {
    const record::MessageRecord& message = row.record;
    if (message.message_id.empty()) return std::nullopt;
    return IdEntry{message.tenant_id, message.name, message.correlation_key, message.message_id,
                   key};
  });
  state::keep_index(rows_, by_deadline_,
                    [](Key key, const MessageRow& row) -> std::optional<std::pair<Timestamp, Key>> {
                      // A message that is not buffered exists only until the step that serves its
                      // last receiver removes it.
                      if (row.record.time_to_live.count() <= 0) return std::nullopt;
                      return std::pair{row.record.deadline, key};
                    });
}

Messages::~Messages() = default;

MessageKey Messages::find_by_id(const record::MessageRecord& message) const {
  if (message.message_id.empty()) return MessageKey{};
  const IdEntry first{message.tenant_id, message.name, message.correlation_key, message.message_id,
                      Key{}};
  const auto it = by_id_.from(first);
  if (it == by_id_.end()) return MessageKey{};
  const auto& [tenant, name, correlation_key, id, key] = *it;
  const bool is_same = tenant == message.tenant_id && name == message.name &&
                       correlation_key == message.correlation_key && id == message.message_id;
  return is_same ? MessageKey{key} : MessageKey{};
}

MessageKey Messages::oldest_for(std::string_view tenant, std::string_view name,
                                std::string_view correlation_key, std::string_view bpmn_process_id,
                                Timestamp now) const {
  for (auto it = by_name_.from(
           {std::string{tenant}, std::string{name}, std::string{correlation_key}, Key{}});
       it != by_name_.end(); ++it) {
    const auto& [its_tenant, its_name, its_key, message] = *it;
    if (its_tenant != tenant || its_name != name || its_key != correlation_key) break;
    if (get(message).record.deadline <= now) continue;
    if (!is_marked(message, bpmn_process_id)) return MessageKey{message};
  }
  return MessageKey{};
}

bool Messages::is_marked(Key message, std::string_view bpmn_process_id) const {
  const MessageMarksRow* row = marks_.find(message);
  return row != nullptr &&
         std::ranges::find(row->bpmn_process_ids, bpmn_process_id) != row->bpmn_process_ids.end();
}

std::vector<MessageKey> Messages::overdue(Timestamp now, std::size_t limit) const {
  std::vector<MessageKey> keys;
  for (const auto& [deadline, key] : by_deadline_) {
    if (deadline > now || keys.size() >= limit) break;
    keys.emplace_back(key);
  }
  return keys;
}

std::optional<Timestamp> Messages::next_deadline() const {
  if (by_deadline_.empty()) return std::nullopt;
  return by_deadline_.begin()->first;
}

void Messages::insert(Key key, const record::MessageRecord& message) {
  rows_.insert(key, MessageRow{message});
}

void Messages::erase(Key key) {
  if (rows_.find(key) == nullptr) return;
  rows_.erase(key);
  marks_.erase_any(key);
}

void Messages::mark(Key message, const std::string& bpmn_process_id) {
  marks_.update_or_insert(
      message, [&](MessageMarksRow& row) { row.bpmn_process_ids.push_back(bpmn_process_id); });
}

void Messages::unmark(Key message, const std::string& bpmn_process_id) {
  const MessageMarksRow* row = marks_.find(message);
  if (row == nullptr) return;
  if (row->bpmn_process_ids.size() == 1 && row->bpmn_process_ids.front() == bpmn_process_id) {
    marks_.erase(message);
    return;
  }
  marks_.update(message,
                [&](MessageMarksRow& left) { std::erase(left.bpmn_process_ids, bpmn_process_id); });
}

void Messages::insert_request(Key message, const record::MessageCorrelationRecord& request) {
  requests_.insert(message, MessageCorrelationRow{request});
}

void Messages::erase_request(Key message) {
  requests_.erase_any(message);
}

void Messages::change_candidates(Key message, std::int32_t by) {
  if (requests_.find(message) == nullptr) return;
  requests_.update(message, [&](MessageCorrelationRow& row) { row.record.candidates += by; });
}

}  // namespace beeline::engine
