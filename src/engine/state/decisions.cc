#include "engine/state/decisions.h"

#include <utility>

#include "base/check.h"
#include "engine/state/name_key.h"

namespace beeline::engine {

Decisions::Decisions(state::Database& database)
    : requirements_(database),
      decisions_(database),
      requirements_versions_(database, TableNumber::RetiredRequirements),
      decision_versions_(database, TableNumber::RetiredDecisions) {
  requirements_.observe(
      [this](const Key& key, const DecisionRequirementsRow* before,
             const DecisionRequirementsRow* after) { on_requirements(key, before, after); });
  decisions_.observe([this](const Key& key, const DecisionRow* before, const DecisionRow* after) {
    on_decision(key, before, after);
  });
}

Decisions::~Decisions() = default;

dmn::Definitions Decisions::compile(const record::DecisionRequirementsRecord& requirements) const {
  const std::vector<std::string_view> imports = imports_of(requirements);
  auto parsed = dmn::parse_definitions(requirements.resource, dmn::Reading::Workflow, imports);
  // An earlier version accepted the resource. If this version cannot read it, it must not run.
  BEELINE_CHECK(parsed.has_value(), "the deployed decisions '{}' (key {}) are not readable: {}",
                requirements.requirements_id, requirements.key.value(), parsed.error().to_string());
  return *std::move(parsed);
}

void Decisions::on_requirements(Key key, const DecisionRequirementsRow* before,
                                const DecisionRequirementsRow* after) {
  if (before != nullptr) {
    const record::DecisionRequirementsRecord& old = before->record;
    models_.erase(key);
    const auto files = namespaces_.find(name_key(old.tenant_id, old.model_namespace));
    files->second.erase(key);
    if (files->second.empty()) namespaces_.erase(files);
    requirements_versions_.remove(old.tenant_id, old.requirements_id, old.version);
  }
  if (after == nullptr) return;
  const record::DecisionRequirementsRecord& now = after->record;
  namespaces_[name_key(now.tenant_id, now.model_namespace)][key] = now.deployment_key;
  const auto info = dmn::look_into(now.resource);
  if (!info || info->imports.empty()) models_.insert_or_assign(key, compile(now));
  requirements_versions_.add(now.tenant_id, now.requirements_id, now.version, key);
}

void Decisions::on_decision(Key key, const DecisionRow* before, const DecisionRow* after) {
  if (before != nullptr) {
    const record::DecisionRecord& old = before->record;
    decision_versions_.remove(old.tenant_id, old.decision_id, old.version);
    const auto members = members_.find(old.requirements_key);
    members->second.erase(old.decision_id);
    if (members->second.empty()) members_.erase(members);
  }
  if (after == nullptr) return;
  const record::DecisionRecord& now = after->record;
  decision_versions_.add(now.tenant_id, now.decision_id, now.version, key);
  members_[now.requirements_key][now.decision_id] = key;
}

const record::DecisionRecord* Decisions::find(Key key) const {
  const DecisionRow* row = decisions_.find(key);
  return row != nullptr ? &row->record : nullptr;
}

const record::DecisionRecord* Decisions::find_latest(std::string_view tenant,
                                                     std::string_view id) const {
  return find(decision_versions_.latest(tenant, id));
}

const record::DecisionRecord* Decisions::find_tagged(std::string_view tenant, std::string_view id,
                                                     std::string_view tag) const {
  const VersionIndex::Versions& versions = decision_versions_.versions_of(tenant, id);
  for (auto it = versions.rbegin(); it != versions.rend(); ++it) {
    const record::DecisionRecord* decision = find(it->second);
    if (decision->version_tag == tag) return decision;
  }
  return nullptr;
}

const record::DecisionRecord* Decisions::find_deployed_with(std::string_view tenant,
                                                            std::string_view id,
                                                            Key deployment) const {
  for (const auto& [version, key] : decision_versions_.versions_of(tenant, id)) {
    const record::DecisionRecord* decision = find(key);
    if (decision->deployment_key == deployment) return decision;
  }
  return nullptr;
}

const record::DecisionRecord* Decisions::find_in(Key requirements, std::string_view id) const {
  const auto members = members_.find(requirements);
  if (members == members_.end()) return nullptr;
  const auto it = members->second.find(id);
  return it != members->second.end() ? find(it->second) : nullptr;
}

std::vector<Key> Decisions::all_in(Key requirements) const {
  std::vector<Key> keys;
  const auto members = members_.find(requirements);
  if (members == members_.end()) return keys;
  for (const auto& [id, key] : members->second) keys.push_back(key);
  return keys;
}

const record::DecisionRequirementsRecord* Decisions::find_requirements(Key key) const {
  const DecisionRequirementsRow* row = requirements_.find(key);
  return row != nullptr ? &row->record : nullptr;
}

const record::DecisionRequirementsRecord* Decisions::find_latest_requirements(
    std::string_view tenant, std::string_view id) const {
  return find_requirements(requirements_versions_.latest(tenant, id));
}

Key Decisions::find_import(const record::DecisionRequirementsRecord& importer,
                           std::string_view model_namespace) const {
  const auto files = namespaces_.find(name_key(importer.tenant_id, model_namespace));
  if (files == namespaces_.end()) return {};
  Key before;
  for (const auto& [key, deployment] : files->second) {
    if (key == importer.key) continue;
    if (deployment == importer.deployment_key) return key;
    if (key < importer.key) before = key;
  }
  return before;
}

const record::DecisionRequirementsRecord* Decisions::find_by_namespace(
    std::string_view tenant, std::string_view model_namespace) const {
  const auto files = namespaces_.find(name_key(tenant, model_namespace));
  return files != namespaces_.end() ? find_requirements(files->second.rbegin()->first) : nullptr;
}

const record::DecisionRequirementsRecord* Decisions::find_importer(
    const record::DecisionRequirementsRecord& requirements) const {
  const record::DecisionRequirementsRecord* importer = nullptr;
  requirements_.for_each_sorted([&](Key, const DecisionRequirementsRow& row) {
    if (importer != nullptr || row.record.tenant_id != requirements.tenant_id) return;
    const auto info = dmn::look_into(row.record.resource);
    if (!info) return;
    for (const auto& import : info->imports) {
      if (import != requirements.model_namespace) continue;
      if (find_import(row.record, requirements.model_namespace) == requirements.key) {
        importer = &row.record;
      }
    }
  });
  return importer;
}

std::vector<std::string_view> Decisions::imports_of(
    const record::DecisionRequirementsRecord& requirements) const {
  return dmn::collect_imports(
      requirements.resource,
      [&](const std::string& model_namespace) -> std::optional<std::string_view> {
        const auto* file = find_requirements(find_import(requirements, model_namespace));
        if (file == nullptr) return std::nullopt;
        return file->resource;
      });
}

const dmn::Definitions* Decisions::find_model(Key requirements) const {
  if (const auto it = models_.find(requirements); it != models_.end()) return &it->second;
  const record::DecisionRequirementsRecord* file = find_requirements(requirements);
  if (file == nullptr) return nullptr;
  return &models_.emplace(requirements, compile(*file)).first->second;
}

void Decisions::insert(const record::DecisionRecord& decision) {
  decisions_.insert(decision.key, DecisionRow{decision});
}

void Decisions::insert(const record::DecisionRequirementsRecord& requirements) {
  requirements_.insert(requirements.key, DecisionRequirementsRow{requirements});
}

void Decisions::erase(const record::DecisionRecord& decision) {
  decision_versions_.retire(decision.tenant_id, decision.decision_id, decision.version);
  decisions_.erase(decision.key);
}

void Decisions::erase(const record::DecisionRequirementsRecord& requirements) {
  requirements_versions_.retire(requirements.tenant_id, requirements.requirements_id,
                                requirements.version);
  requirements_.erase(requirements.key);
}

}  // namespace beeline::engine
