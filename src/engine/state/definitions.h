#pragma once

#include <absl/container/flat_hash_map.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bpmn/model.h"
#include "engine/state/existing.h"
#include "engine/state/rows.h"
#include "engine/state/version_index.h"
#include "state/slot_index.h"
#include "state/table.h"

namespace beeline::engine {

// A deployed version of a process: what was recorded of it and the graph parsed from it. Borrowed
// from the state: good until the command is done.
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
  // Shared because the graph is parsed once per resource and kept while rows come and go.
  std::shared_ptr<const bpmn::Process> model;

  [[nodiscard]] bool is_active() const { return state == DefinitionState::Active; }
};

// The deployed processes. What is asked for by a name gives the newest version that is active, else
// the newest that is being deleted; one that is deleted is found by its key alone, by the instances
// that are left of it.
class Definitions {
 public:
  explicit Definitions(state::Database& database);
  ~Definitions();

  [[nodiscard]] const Definition* find(Key key) const { return index_.find(key); }
  // For a row that must be there.
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
  // The number of the next version of this process.
  [[nodiscard]] std::int32_t next_version(const std::string& tenant, const std::string& id) const {
    return versions_.next_version(tenant, id);
  }
  // Where a process that is being deleted still is, or null.
  [[nodiscard]] const ProcessDeletionRow* find_deletion(Key key) const {
    return deletions_.find(key);
  }

  // For those who look at the state from outside; see state::Table::walk.
  template <typename Visit, typename Enough>
  [[nodiscard]] std::optional<std::uint64_t> walk(std::uint64_t from, std::size_t places_max,
                                                  Visit&& visit, Enough&& enough) const {
    return rows_.walk(from, places_max, visit, enough);
  }

  void insert(const record::ProcessRecord& process);
  void drain(Key key);
  // Gives its name away. It stays as long as instances do; erase() ends it then.
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
  state::Table<Key, ProcessRow, RowCodec<ProcessRow>> rows_;
  state::Table<Key, ProcessDeletionRow, RowCodec<ProcessDeletionRow>> deletions_;
  absl::flat_hash_map<Key, std::unique_ptr<Definition>> definitions_;
  // The same definitions once more, for quick lookups: every record asks for one.
  state::SlotIndex<Key, Definition> index_;
  VersionIndex versions_;
  // Definitions that a batch erased stay until a later batch erases others: whoever borrowed them
  // may still read them.
  std::vector<std::unique_ptr<Definition>> erased_;
  std::uint64_t erased_in_ = 0;  // the undo epoch
};

}  // namespace beeline::engine
