#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dmn/dmn.h"
#include "engine/state/existing.h"
#include "engine/state/rows.h"
#include "engine/state/version_index.h"
#include "state/table.h"

namespace beeline::engine {

// The deployed decisions and the files they come from, called requirements. What the questions give
// is borrowed from the state: good until the command is done. A file is compiled when its row comes
// into being, at deployment or recovery, and not for an evaluation; but one that imports others
// when it is first asked for, since at recovery their rows may come later.
class Decisions {
 public:
  explicit Decisions(state::Database& database);
  ~Decisions();

  [[nodiscard]] const record::DecisionRecord* find(Key key) const;
  // For a row that must be there.
  [[nodiscard]] const record::DecisionRecord& get(Key key) const {
    return existing(find(key), "decision", key);
  }
  [[nodiscard]] const record::DecisionRecord* find_latest(std::string_view tenant,
                                                          std::string_view id) const;
  [[nodiscard]] const record::DecisionRecord* find_tagged(std::string_view tenant,
                                                          std::string_view id,
                                                          std::string_view tag) const;
  [[nodiscard]] const record::DecisionRecord* find_deployed_with(std::string_view tenant,
                                                                 std::string_view id,
                                                                 Key deployment) const;
  // The decision with this id in a file, or null.
  [[nodiscard]] const record::DecisionRecord* find_in(Key requirements, std::string_view id) const;
  // All decisions of a file, by id.
  [[nodiscard]] std::vector<Key> all_in(Key requirements) const;
  // The number of the next version of this decision.
  [[nodiscard]] std::int32_t next_version(const std::string& tenant, const std::string& id) const {
    return decision_versions_.next_version(tenant, id);
  }

  [[nodiscard]] const record::DecisionRequirementsRecord* find_requirements(Key key) const;
  [[nodiscard]] const record::DecisionRequirementsRecord* find_latest_requirements(
      std::string_view tenant, std::string_view id) const;
  [[nodiscard]] std::int32_t next_requirements_version(const std::string& tenant,
                                                       const std::string& id) const {
    return requirements_versions_.next_version(tenant, id);
  }
  // The file of this namespace that an importer means: the one deployed together with it, else the
  // last one deployed before it. The key is unset when there is no such file.
  [[nodiscard]] Key find_import(const record::DecisionRequirementsRecord& importer,
                                std::string_view model_namespace) const;
  // The file of this namespace that was deployed last, or null.
  [[nodiscard]] const record::DecisionRequirementsRecord* find_by_namespace(
      std::string_view tenant, std::string_view model_namespace) const;
  // The texts that a deployed file imports, directly and through others.
  [[nodiscard]] std::vector<std::string_view> imports_of(
      const record::DecisionRequirementsRecord& requirements) const;
  // A file that imports this one; null when none does.
  [[nodiscard]] const record::DecisionRequirementsRecord* find_importer(
      const record::DecisionRequirementsRecord& requirements) const;
  // The compiled file with this key, or null.
  [[nodiscard]] const dmn::Definitions* find_model(Key requirements) const;

  void insert(const record::DecisionRecord& decision);
  void insert(const record::DecisionRequirementsRecord& requirements);
  // Their versions are not given again. The decisions of a file go before it.
  void erase(const record::DecisionRecord& decision);
  void erase(const record::DecisionRequirementsRecord& requirements);

 private:
  [[nodiscard]] dmn::Definitions compile(
      const record::DecisionRequirementsRecord& requirements) const;
  void on_requirements(Key key, const DecisionRequirementsRow* before,
                       const DecisionRequirementsRow* after);
  void on_decision(Key key, const DecisionRow* before, const DecisionRow* after);

  state::Table<Key, DecisionRequirementsRow, RowCodec<DecisionRequirementsRow>> requirements_;
  state::Table<Key, DecisionRow, RowCodec<DecisionRow>> decisions_;
  mutable std::map<Key, dmn::Definitions> models_;                   // by key of the requirements
  absl::flat_hash_map<std::string, std::map<Key, Key>> namespaces_;  // deployment by file
  absl::flat_hash_map<Key, std::map<std::string, Key, std::less<>>> members_;  // the same
  VersionIndex requirements_versions_;
  VersionIndex decision_versions_;
};

}  // namespace beeline::engine
