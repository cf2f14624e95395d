#include "engine/state/version_index.h"

#include <algorithm>

namespace beeline::engine {

VersionIndex::VersionIndex(state::Database& database, TableNumber retired)
    : retired_(database, table_id(retired), table_name(retired)) {}

VersionIndex::~VersionIndex() = default;

void VersionIndex::add(std::string_view tenant, std::string_view id, std::int32_t version,
                       Key key) {
  versions_.try_emplace(Name{std::string{tenant}, std::string{id}}).first->second[version] = key;
}

void VersionIndex::remove(std::string_view tenant, std::string_view id, std::int32_t version) {
  const auto it = versions_.find(NameView{tenant, id});
  if (it == versions_.end()) return;
  it->second.erase(version);
  if (it->second.empty()) versions_.erase(it);
}

void VersionIndex::retire(const std::string& tenant, const std::string& id, std::int32_t version) {
  const CounterRow* row = retired_.find({tenant, id});
  if (row == nullptr || row->value < version) retired_.put({tenant, id}, CounterRow{version});
}

const VersionIndex::Versions& VersionIndex::versions_of(std::string_view tenant,
                                                        std::string_view id) const {
  static const Versions kNone;
  const auto it = versions_.find(NameView{tenant, id});
  return it != versions_.end() ? it->second : kNone;
}

Key VersionIndex::latest(std::string_view tenant, std::string_view id) const {
  const Versions& versions = versions_of(tenant, id);
  return versions.empty() ? Key{} : versions.rbegin()->second;
}

std::int32_t VersionIndex::next_version(const std::string& tenant, const std::string& id) const {
  const Versions& versions = versions_of(tenant, id);
  const CounterRow* retired = retired_.find({tenant, id});
  return std::max(versions.empty() ? 0 : versions.rbegin()->first,
                  retired != nullptr ? static_cast<std::int32_t>(retired->value) : 0) +
         1;
}

}  // namespace beeline::engine
