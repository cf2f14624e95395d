#include "engine/state/definitions.h"

#include "base/check.h"
#include "bpmn/parse.h"

namespace beeline::engine {
namespace {

std::shared_ptr<const bpmn::Process> parse_model(const record::ProcessRecord& process) {
  auto parsed = bpmn::parse_bpmn(process.resource_name, process.resource, bpmn::Origin::Log);
  // An earlier version accepted the resource. If this version cannot read it, it must not run.
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
    : database_(database),
      rows_(database),
      deletions_(database),
      versions_(database, TableNumber::RetiredProcesses) {
  rows_.observe([this](const Key& key, const ProcessRow* before, const ProcessRow* after) {
    on_change(key, before, after);
  });
}

Definitions::~Definitions() = default;

void Definitions::on_change(Key key, const ProcessRow* before, const ProcessRow* after) {
  if (before != nullptr && before->state != DefinitionState::Deleted) {
    const record::ProcessRecord& old = before->record;
    versions_.remove(old.tenant_id, old.bpmn_process_id, old.version);
  }
  if (after == nullptr) {
    if (erased_in_ != database_.undo().epoch()) erased_.clear();
    erased_in_ = database_.undo().epoch();
    const auto gone = definitions_.find(key);
    index_.erase(gone->second.get());
    erased_.push_back(std::move(gone->second));
    definitions_.erase(gone);
    return;
  }
  const record::ProcessRecord& process = after->record;
  if (after->state != DefinitionState::Deleted) {
    versions_.add(process.tenant_id, process.bpmn_process_id, process.version, key);
  }
  std::unique_ptr<Definition>& definition = definitions_[key];
  if (definition == nullptr) {
    definition = std::make_unique<Definition>();
    definition->key = key;
    definition->bpmn_process_id = process.bpmn_process_id;
    definition->version = process.version;
    definition->version_tag = process.version_tag;
    definition->tenant_id = process.tenant_id;
    definition->checksum = process.checksum;
    definition->resource_name = process.resource_name;
    definition->deployment_key = process.deployment_key;
    definition->model = parse_model(process);
    index_.insert(definition.get());
  }
  definition->state = after->state;
}

template <typename Fits>
const Definition* Definitions::find_newest(std::string_view tenant, std::string_view id,
                                           Fits&& fits) const {
  const VersionIndex::Versions& versions = versions_.versions_of(tenant, id);
  const Definition* draining = nullptr;
  for (auto it = versions.rbegin(); it != versions.rend(); ++it) {
    const Definition* definition = find(it->second);
    if (!fits(*definition)) continue;
    if (definition->is_active()) return definition;
    if (draining == nullptr) draining = definition;
  }
  return draining;
}

const Definition* Definitions::find_latest(std::string_view tenant, std::string_view id) const {
  return find_newest(tenant, id, [](const Definition&) { return true; });
}

const Definition* Definitions::find_version(std::string_view tenant, std::string_view id,
                                            std::int32_t version) const {
  const VersionIndex::Versions& versions = versions_.versions_of(tenant, id);
  const auto it = versions.find(version);
  return it != versions.end() ? find(it->second) : nullptr;
}

const Definition* Definitions::find_tagged(std::string_view tenant, std::string_view id,
                                           std::string_view tag) const {
  return find_newest(tenant, id, [&](const Definition& each) { return each.version_tag == tag; });
}

const Definition* Definitions::find_deployed_with(std::string_view tenant, std::string_view id,
                                                  Key deployment) const {
  return find_newest(tenant, id,
                     [&](const Definition& each) { return each.deployment_key == deployment; });
}

void Definitions::insert(const record::ProcessRecord& process) {
  rows_.insert(process.key, ProcessRow{process, DefinitionState::Active});
}

void Definitions::drain(Key key) {
  rows_.update(key, [](ProcessRow& row) { row.state = DefinitionState::Draining; });
}

void Definitions::remove(Key key) {
  const ProcessRow* found = rows_.find(key);
  BEELINE_CHECK(found != nullptr, "no process definition with key {} to remove", key.value());
  const record::ProcessRecord& process = found->record;
  versions_.retire(process.tenant_id, process.bpmn_process_id, process.version);
  rows_.update(key, [](ProcessRow& row) { row.state = DefinitionState::Deleted; });
}

void Definitions::erase(Key key) {
  rows_.erase(key);
}

void Definitions::begin_deletion(Key key, std::vector<std::int32_t> partitions) {
  deletions_.insert(key, ProcessDeletionRow{std::move(partitions)});
}

void Definitions::finish_deletion_on(Key key, std::int32_t partition) {
  deletions_.update(key, [&](ProcessDeletionRow& row) { std::erase(row.partitions, partition); });
}

void Definitions::end_deletion(Key key) {
  deletions_.erase(key);
}

}  // namespace beeline::engine
