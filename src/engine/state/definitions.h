#pragma once

#include <absl/container/flat_hash_map.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bpmn/model.h"
#include "engine/state/existing.h"
#include "engine/state/tables.h"
#include "engine/state/version_index.h"
#include "state/slot_index.h"

namespace beeline::engine {

// A deployed version of a process: its record and the graph parsed from it. It is borrowed from the
// state: valid until the command is done.
struct Definition {
  Key key;
  std::string bpmn_process_id;
  std::int32_t version = 0;
  std::string version_tag;
  std::string tenant_id;
  std::string checksum;
  std::string resource_name;
  Key deployment_key;
  DefinitionState state = DefinitionState::Active;
  // Shared because the graph is parsed once per resource and kept while rows are added and removed.
  std::shared_ptr<const bpmn::Process> model;

  [[nodiscard]] bool is_active() const { return state == DefinitionState::Active; }
};

// The deployed processes. A search by name returns the newest version that is active, otherwise the
// newest that is being deleted; a deleted version is found by its key only, for its remaining
// instances.
class Definitions {
 public:
  explicit Definitions(state::Database& database);
  ~Definitions();

  [[nodiscard]] const Definition* find(Key key) const { return index_.find(key); }
  // For a row that must exist.
  [[nodiscard]] const Definition& get(Key key) const {
    return existing(find(key), "process definition", key);
  }
  [[nodiscard]] const Definition* find_latest(std::string_view tenant, std::string_view id) const;
  [[nodiscard]] const Definition* find_version(std::string_view tenant, std::string_view id,
                                               std::int32_t version) const;
  [[nodiscard]] const Definition* find_tagged(std::string_view tenant, std::string_view id,
                                              std::string_view tag) const;
  [[nodiscard]] const Definition* find_deployed_with(std::string_view tenant, std::string_view id,
                                                     Key deployment) const;
  // Returns the number of the next version of this process.
  [[nodiscard]] std::int32_t next_version(const std::string& tenant, const std::string& id) const {
    return versions_.next_version(tenant, id);
  }
  // Returns where a process that is being deleted still exists, or null.
  [[nodiscard]] const ProcessDeletionRow* find_deletion(Key key) const {
    return deletions_.find(key);
  }

  // For readers from outside; see state::Table::walk.
  template <typename Visit, typename Enough>
  [[nodiscard]] std::optional<std::uint64_t> walk(std::uint64_t from, std::size_t places_max,
                                                  Visit&& visit, Enough&& enough) const {
    return rows_.walk(from, places_max, visit, enough);
  }

  void insert(const record::ProcessRecord& process);
  void drain(Key key);
  // Releases its name. The definition stays as long as its instances; then erase() removes it.
  void remove(Key key);
  void erase(Key key);
  void begin_deletion(Key key, std::vector<std::int32_t> partitions);
  void finish_deletion_on(Key key, std::int32_t partition);
  void end_deletion(Key key);

 private:
  void on_change(Key key, const ProcessRow* before, const ProcessRow* after);
  template <typename Fits>
  [[nodiscard]] const Definition* find_newest(std::string_view tenant, std::string_view id,
                                              Fits&& fits) const;

  state::Database& database_;
  TableOf<TableNumber::Processes> rows_;
  TableOf<TableNumber::ProcessDeletions> deletions_;
  absl::flat_hash_map<Key, std::unique_ptr<Definition>> definitions_;
  // Finds the same definitions quickly, because every record needs one.
  state::SlotIndex<Key, Definition> index_;
  VersionIndex versions_;
  // Definitions that a batch erased stay until a later batch erases others, because code that
  // borrowed them may still read them.
  std::vector<std::unique_ptr<Definition>> erased_;
  std::uint64_t erased_in_ = 0;  // the undo epoch
};

}  // namespace beeline::engine
