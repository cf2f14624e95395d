#include "engine/state/timers.h"

namespace beeline::engine {
namespace {

Key owner_of(const TimerRow& row) {
  return row.record.element_instance_key.is_set() ? row.record.element_instance_key
                                                  : row.record.process_definition_key;
}

}  // namespace

Timers::Timers(state::Database& database) : rows_(database) {
  state::keep_index(rows_, by_due_date_, [](Key key, const TimerRow& row) {
    return std::optional{std::pair{row.record.due_date, key}};
  });
  state::keep_index(rows_, by_owner_, [](Key key, const TimerRow& row) {
    return std::optional{std::pair{owner_of(row), key}};
  });
}

Timers::~Timers() = default;

std::vector<Key> Timers::due(Timestamp now, std::size_t limit) const {
  std::vector<Key> keys;
  for (const auto& [due, key] : by_due_date_) {
    if (due > now || keys.size() >= limit) break;
    keys.push_back(key);
  }
  return keys;
}

std::optional<Timestamp> Timers::next_due() const {
  if (by_due_date_.empty()) return std::nullopt;
  return by_due_date_.begin()->first;
}

std::vector<Key> Timers::of_element_instance(Key element_instance) const {
  std::vector<Key> keys;
  for (auto it = by_owner_.from({element_instance, Key{}});
       it != by_owner_.end() && it->first == element_instance; ++it) {
    keys.push_back(it->second);
  }
  return keys;
}

std::vector<Key> Timers::of_definition(Key definition) const {
  return of_element_instance(definition);
}

void Timers::insert(Key key, const record::TimerRecord& timer) {
  rows_.insert(key, TimerRow{timer});
}

void Timers::erase(Key key) {
  rows_.erase(key);
}

}  // namespace beeline::engine
