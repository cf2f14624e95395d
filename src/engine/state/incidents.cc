#include "engine/state/incidents.h"

#include <optional>

namespace beeline::engine {

Incidents::Incidents(state::Database& database) : rows_(database) {
  state::keep_index(rows_, by_element_instance_, [](Key key, const IncidentRow& row) {
    return std::optional{std::pair{row.record.element_instance_key, key}};
  });
}

Incidents::~Incidents() = default;

std::vector<Key> Incidents::of_element_instance(Key element_instance) const {
  std::vector<Key> keys;
  for (auto it = by_element_instance_.from({element_instance, Key{}});
       it != by_element_instance_.end() && it->first == element_instance; ++it) {
    keys.push_back(it->second);
  }
  return keys;
}

void Incidents::insert(Key key, const record::IncidentRecord& incident) {
  rows_.insert(key, IncidentRow{incident});
}

void Incidents::erase(Key key) {
  rows_.erase(key);
}

}  // namespace beeline::engine
