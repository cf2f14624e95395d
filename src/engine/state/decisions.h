#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dmn/dmn.h"
#include "engine/state/existing.h"
#include "engine/state/tables.h"
#include "engine/state/version_index.h"

namespace beeline::engine {

// The deployed decisions and the files they come from, called requirements. Results are borrowed
// from the state: they are valid until the command is done. A file is compiled when its row is
// created, at deployment or recovery, and not for an evaluation. A file that imports others is
// compiled when it is first needed, since at recovery their rows may come later.
class Decisions {
 public:
  explicit Decisions(state::Database& database);
  ~Decisions();

  [[nodiscard]] const record::DecisionRecord* find(Key key) const;
  // For a row that must exist.
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
  // Returns the decision with this id in a file, or null.
  [[nodiscard]] const record::DecisionRecord* find_in(Key requirements, std::string_view id) const;
  // Returns all decisions of a file, by id.
  [[nodiscard]] std::vector<Key> all_in(Key requirements) const;
  // Returns the number of the next version of this decision.
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
  // Returns the file of this namespace that an importer refers to: the one deployed together with
  // it, otherwise the last one deployed before it. The key is unset if there is no such file.
  [[nodiscard]] Key find_import(const record::DecisionRequirementsRecord& importer,
                                std::string_view model_namespace) const;
  // Returns the file of this namespace that was deployed last, or null.
  [[nodiscard]] const record::DecisionRequirementsRecord* find_by_namespace(
      std::string_view tenant, std::string_view model_namespace) const;
  // Returns the texts that a deployed file imports, directly and indirectly.
  [[nodiscard]] std::vector<std::string_view> imports_of(
      const record::DecisionRequirementsRecord& requirements) const;
  // Returns a file that imports this one; null if there is none.
  [[nodiscard]] const record::DecisionRequirementsRecord* find_importer(
      const record::DecisionRequirementsRecord& requirements) const;
  // Returns the compiled file with this key, or null.
  [[nodiscard]] const dmn::Definitions* find_model(Key requirements) const;

  // For readers from outside; see state::Table::walk.
  template <typename Visit, typename Enough>
  [[nodiscard]] std::optional<std::uint64_t> walk(std::uint64_t from, std::size_t places_max,
                                                  Visit&& visit, Enough&& enough) const {
    return decisions_.walk(from, places_max, visit, enough);
  }

  void insert(const record::DecisionRecord& decision);
  void insert(const record::DecisionRequirementsRecord& requirements);
  // Erase a decision or a file. Its version number is not used again. The decisions of a file must
  // be erased before the file.
  void erase(const record::DecisionRecord& decision);
  void erase(const record::DecisionRequirementsRecord& requirements);

 private:
  [[nodiscard]] dmn::Definitions compile(
      const record::DecisionRequirementsRecord& requirements) const;
  void on_requirements(Key key, const DecisionRequirementsRow* before,
                       const DecisionRequirementsRow* after);
  void on_decision(Key key, const DecisionRow* before, const DecisionRow* after);

  TableOf<TableNumber::DecisionRequirements> requirements_;
  TableOf<TableNumber::Decisions> decisions_;
  mutable std::map<Key, dmn::Definitions> models_;                   // by key of the requirements
  absl::flat_hash_map<std::string, std::map<Key, Key>> namespaces_;  // deployment by file
  // The decisions of each file, by id.
  absl::flat_hash_map<Key, std::map<std::string, Key, std::less<>>> members_;
  VersionIndex requirements_versions_;
  VersionIndex decision_versions_;
};

}  // namespace beeline::engine
