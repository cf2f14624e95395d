#pragma once

#include <absl/container/flat_hash_map.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "bpmn/model.h"
#include "engine/state/rows.h"
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
  // Shared because the graph is parsed once per resource and kept while rows come and go.
  std::shared_ptr<const bpmn::Process> model;
};

// The deployed processes.
class Definitions {
 public:
  explicit Definitions(state::Database& database);
  ~Definitions();

  [[nodiscard]] const Definition* find(Key key) const;
  [[nodiscard]] const Definition* find_latest(std::string_view tenant, std::string_view id) const;
  [[nodiscard]] const Definition* find_version(std::string_view tenant, std::string_view id,
                                               std::int32_t version) const;
  [[nodiscard]] const Definition* find_tagged(std::string_view tenant, std::string_view id,
                                              std::string_view tag) const;
  [[nodiscard]] const Definition* find_deployed_with(std::string_view tenant, std::string_view id,
                                                     Key deployment) const;
  // What the next version of this process is called.
  [[nodiscard]] std::int32_t next_version(std::string_view tenant, std::string_view id) const;

  void insert(const record::ProcessRecord& process);

 private:
  using Versions = std::map<std::int32_t, Key>;
  void on_change(Key key, const ProcessRow* before, const ProcessRow* after);
  [[nodiscard]] const Versions* versions_of(std::string_view tenant, std::string_view id) const;

  state::Table<Key, ProcessRow, RowCodec<ProcessRow>> rows_;
  absl::flat_hash_map<Key, std::unique_ptr<Definition>> definitions_;
  absl::flat_hash_map<std::string, Versions> versions_;  // by tenant and id
};

}  // namespace beeline::engine
