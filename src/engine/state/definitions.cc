#include "engine/state/definitions.h"

#include "base/check.h"
#include "bpmn/parse.h"
#include "engine/state/name_key.h"
#include "engine/state/table_ids.h"

namespace beeline::engine {
namespace {

std::shared_ptr<const bpmn::Process> parse_model(const record::ProcessRecord& process) {
  auto parsed = bpmn::parse_bpmn(process.resource_name, process.resource);
  // It was accepted when it was deployed; a version that no longer reads it must not run on.
  BEELINE_CHECK(parsed.has_value(), "the deployed process '{}' (key {}) is not readable: {}",
                process.bpmn_process_id, process.key.value(), parsed.error().text());
  for (auto& model : *parsed) {
    if (model->id == process.bpmn_process_id) return std::move(model);
  }
  BEELINE_CHECK(false, "the resource of process '{}' does not contain it", process.bpmn_process_id);
  return nullptr;
}

}  // namespace

Definitions::Definitions(state::Database& database)
    : rows_(database, table_id(TableNumber::Processes), "processes") {
  rows_.observe([this](const Key& key, const ProcessRow* before, const ProcessRow* after) {
    on_change(key, before, after);
  });
}

Definitions::~Definitions() = default;

void Definitions::on_change(Key key, const ProcessRow* before, const ProcessRow* after) {
  if (before != nullptr) {
    definitions_.erase(key);
    versions_[name_key(before->record.tenant_id, before->record.bpmn_process_id)].erase(
        before->record.version);
  }
  if (after == nullptr) return;
  const record::ProcessRecord& process = after->record;
  auto definition = std::make_unique<Definition>();
  definition->key = key;
  definition->bpmn_process_id = process.bpmn_process_id;
  definition->version = process.version;
  definition->version_tag = process.version_tag;
  definition->tenant_id = process.tenant_id;
  definition->checksum = process.checksum;
  definition->resource_name = process.resource_name;
  definition->deployment_key = process.deployment_key;
  definition->model = parse_model(process);
  definitions_[key] = std::move(definition);
  versions_[name_key(process.tenant_id, process.bpmn_process_id)][process.version] = key;
}

const Definition* Definitions::find(Key key) const {
  const auto it = definitions_.find(key);
  return it != definitions_.end() ? it->second.get() : nullptr;
}

const Definitions::Versions* Definitions::versions_of(std::string_view tenant,
                                                      std::string_view id) const {
  const auto it = versions_.find(name_key(tenant, id));
  return it != versions_.end() && !it->second.empty() ? &it->second : nullptr;
}

const Definition* Definitions::find_latest(std::string_view tenant, std::string_view id) const {
  const Versions* versions = versions_of(tenant, id);
  return versions != nullptr ? find(versions->rbegin()->second) : nullptr;
}

const Definition* Definitions::find_version(std::string_view tenant, std::string_view id,
                                            std::int32_t version) const {
  const Versions* versions = versions_of(tenant, id);
  if (versions == nullptr) return nullptr;
  const auto it = versions->find(version);
  return it != versions->end() ? find(it->second) : nullptr;
}

const Definition* Definitions::find_tagged(std::string_view tenant, std::string_view id,
                                           std::string_view tag) const {
  const Versions* versions = versions_of(tenant, id);
  if (versions == nullptr) return nullptr;
  for (auto it = versions->rbegin(); it != versions->rend(); ++it) {
    const Definition* definition = find(it->second);
    if (definition->version_tag == tag) return definition;
  }
  return nullptr;
}

const Definition* Definitions::find_deployed_with(std::string_view tenant, std::string_view id,
                                                  Key deployment) const {
  const Versions* versions = versions_of(tenant, id);
  if (versions == nullptr) return nullptr;
  for (const auto& [version, key] : *versions) {
    const Definition* definition = find(key);
    if (definition->deployment_key == deployment) return definition;
  }
  return nullptr;
}

std::int32_t Definitions::next_version(std::string_view tenant, std::string_view id) const {
  const Versions* versions = versions_of(tenant, id);
  return versions != nullptr ? versions->rbegin()->first + 1 : 1;
}

void Definitions::insert(const record::ProcessRecord& process) {
  rows_.insert(process.key, ProcessRow{process});
}

}  // namespace beeline::engine
