#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "engine/state/tables.h"

namespace beeline::engine {

// The versions of each entity that has a tenant and an id, with their keys. The number of a deleted
// version is not used again, so the highest deleted number is stored in a row.
class VersionIndex {
 public:
  using Versions = std::map<std::int32_t, Key>;

  VersionIndex(state::Database& database, TableNumber retired);
  ~VersionIndex();

  // Called by the observer of the table that holds the versions.
  void add(std::string_view tenant, std::string_view id, std::int32_t version, Key key);
  void remove(std::string_view tenant, std::string_view id, std::int32_t version);
  // Called by appliers when this version is deleted.
  void retire(const std::string& tenant, const std::string& id, std::int32_t version);

  // Returns an empty list if there are no versions.
  [[nodiscard]] const Versions& versions_of(std::string_view tenant, std::string_view id) const;
  [[nodiscard]] Key latest(std::string_view tenant, std::string_view id) const;
  [[nodiscard]] std::int32_t next_version(const std::string& tenant, const std::string& id) const;

 private:
  struct NameView {
    std::string_view tenant;
    std::string_view id;
    bool operator==(const NameView&) const = default;
  };
  struct Name {
    std::string tenant;
    std::string id;
    operator NameView() const { return {tenant, id}; }  // NOLINT: as a std::string is a view
  };
  // The hash covers only the id, because tenants rarely share an id.
  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(const NameView& name) const {
      return std::hash<std::string_view>{}(name.id);
    }
  };
  struct NameEqual {
    using is_transparent = void;
    bool operator()(const NameView& a, const NameView& b) const { return a == b; }
  };
  absl::flat_hash_map<Name, Versions, NameHash, NameEqual> versions_;
  state::Table<TenantAndId, CounterRow, RowCodec<CounterRow>> retired_;
};

}  // namespace beeline::engine
