#include "engine/behaviors/decision_resources.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/md5.h"
#include "bpmn/parse.h"

namespace beeline::engine {
namespace {

using record::DecisionMetadata;
using record::DecisionRecord;
using record::DecisionRequirementsMetadata;
using record::DecisionRequirementsRecord;
using record::DeploymentRecord;
using record::DeploymentResource;

// Formats a problem in the same way as the problems of a process.
std::string problem_text(const DeploymentResource& resource, std::string_view element,
                         std::string_view message) {
  if (element.empty()) return fmt::format("'{}': {}\n", resource.resource_name, message);
  return fmt::format("'{}': - Element: {}\n    - ERROR: {}\n", resource.resource_name, element,
                     message);
}

std::string id_problems(const DeploymentResource& resource, const dmn::Definitions& definitions) {
  std::string problems;
  if (definitions.id().empty()) {
    problems += problem_text(resource, "", "The definitions must have an id");
  }
  const auto is_too_long = [](std::string_view text) { return text.size() > bpmn::kTextCharsMax; };
  if (is_too_long(definitions.id()) || is_too_long(definitions.name())) {
    problems += problem_text(resource, "", "The id or the name of the definitions is too long");
  }
  for (const dmn::DecisionInfo& decision : definitions.decisions()) {
    if (is_too_long(decision.id) || is_too_long(decision.name)) {
      problems += problem_text(resource, "", "The id or the name of a decision is too long");
    }
  }
  return problems;
}

std::string duplicate_problem(std::map<std::string, std::string>& resource_of,
                              std::string_view kind, const std::string& id,
                              const std::string& resource_name) {
  const auto [known, is_new] = resource_of.emplace(id, resource_name);
  if (is_new) return "";
  return fmt::format("Duplicated {} id '{}' in resources '{}' and '{}'\n", kind, id, known->second,
                     resource_name);
}

DecisionMetadata duplicate_of(const DecisionRecord& decision) {
  return {decision.decision_id,
          decision.decision_name,
          decision.version,
          decision.version_tag,
          decision.key,
          decision.requirements_id,
          decision.requirements_key,
          true,
          decision.deployment_key,
          decision.tenant_id};
}

DecisionRequirementsMetadata duplicate_of(const DecisionRequirementsRecord& requirements) {
  return {requirements.requirements_id, requirements.requirements_name,
          requirements.version,         requirements.key,
          requirements.model_namespace, requirements.resource_name,
          requirements.checksum,        true,
          requirements.deployment_key,  requirements.tenant_id};
}

void write_requirements(Step& step, const DecisionRequirementsMetadata& metadata,
                        const std::string& resource) {
  DecisionRequirementsRecord value;
  value.requirements_id = metadata.requirements_id;
  value.requirements_name = metadata.requirements_name;
  value.version = metadata.version;
  value.key = metadata.key;
  value.model_namespace = metadata.model_namespace;
  value.resource_name = metadata.resource_name;
  value.checksum = metadata.checksum;
  value.resource = resource;
  value.deployment_key = metadata.deployment_key;
  value.tenant_id = metadata.tenant_id;
  step.event(record::DecisionRequirementsIntent::Created, value.key, value);
}

void write_decision(Step& step, const DecisionMetadata& metadata) {
  DecisionRecord value;
  value.decision_id = metadata.decision_id;
  value.decision_name = metadata.decision_name;
  value.version = metadata.version;
  value.version_tag = metadata.version_tag;
  value.key = metadata.key;
  value.requirements_id = metadata.requirements_id;
  value.requirements_key = metadata.requirements_key;
  value.deployment_key = metadata.deployment_key;
  value.tenant_id = metadata.tenant_id;
  step.event(record::DecisionIntent::Created, value.key, value);
}

}  // namespace

bool is_decision_resource(std::string_view resource_name) {
  return resource_name.ends_with(".dmn");
}

void DecisionResources::read(const EngineState& state, const std::string& tenant,
                             std::string& problems) {
  for (const DeploymentResource* resource : resources_) {
    if (const auto info = dmn::look_into(resource->resource)) {
      by_namespace_.emplace(info->model_namespace, resource);
    }
  }
  for (const DeploymentResource* resource : resources_) {
    read_file(*resource, state, tenant, problems);
  }
}

void DecisionResources::read_file(const DeploymentResource& resource, const EngineState& state,
                                  const std::string& tenant, std::string& problems) {
  std::vector<std::string_view> imports = dmn::collect_imports(
      resource.resource,
      [&](const std::string& model_namespace) -> std::optional<std::string_view> {
        const auto [first, last] = by_namespace_.equal_range(model_namespace);
        if (std::distance(first, last) > 1) {
          problems +=
              problem_text(resource, "",
                           fmt::format("It imports namespace '{}', which '{}' and '{}' both have",
                                       model_namespace, first->second->resource_name,
                                       std::next(first)->second->resource_name));
        }
        if (first != last) return first->second->resource;
        const auto* deployed = state.decisions().find_by_namespace(tenant, model_namespace);
        if (deployed == nullptr) return std::nullopt;
        return deployed->resource;
      });
  auto parsed = dmn::parse_definitions(resource.resource, dmn::Reading::Workflow, imports);
  if (!parsed) {
    for (const dmn::Problem& problem : parsed.error().problems) {
      problems += problem_text(resource, problem.element_id, problem.message);
    }
    return;
  }
  if (const std::string found = id_problems(resource, *parsed); !found.empty()) {
    problems += found;
    return;
  }
  problems += duplicate_problem(resource_of_requirements_, "decision requirements", parsed->id(),
                                resource.resource_name);
  for (const dmn::DecisionInfo& decision : parsed->decisions()) {
    problems +=
        duplicate_problem(resource_of_decision_, "decision", decision.id, resource.resource_name);
  }
  files_.push_back({&resource, md5_hex(resource.resource), *std::move(parsed), std::move(imports)});
}

// Returns true if deploying the file would change nothing. A file is not a duplicate if another
// file has deployed a newer version of one of its decisions: deploying the file again makes its
// versions the latest. Nor is it a duplicate if a file that it imports has changed.
bool DecisionResources::is_duplicate(const EngineState& state, const std::string& tenant,
                                     const File& file) {
  const Decisions& decisions = state.decisions();
  const DecisionRequirementsRecord* latest =
      decisions.find_latest_requirements(tenant, file.definitions.id());
  if (latest == nullptr || latest->checksum != file.checksum ||
      latest->resource_name != file.resource->resource_name ||
      decisions.imports_of(*latest) != file.imports) {
    return false;
  }
  const auto infos = file.definitions.decisions();
  return std::all_of(infos.begin(), infos.end(), [&](const dmn::DecisionInfo& info) {
    const DecisionRecord* decision = decisions.find_latest(tenant, info.id);
    return decision != nullptr && decision->requirements_key == latest->key;
  });
}

bool DecisionResources::has_new(const EngineState& state, const std::string& tenant) const {
  return std::any_of(files_.begin(), files_.end(),
                     [&](const File& file) { return !is_duplicate(state, tenant, file); });
}

void DecisionResources::identify(Step& step, DeploymentRecord& created) const {
  const Decisions& decisions = step.state().decisions();
  for (const File& file : files_) {
    DecisionRequirementsMetadata requirements;
    requirements.requirements_id = file.definitions.id();
    requirements.requirements_name = file.definitions.name();
    requirements.version =
        decisions.next_requirements_version(created.tenant_id, requirements.requirements_id);
    requirements.key = step.next_key();
    requirements.model_namespace = file.definitions.model_namespace();
    requirements.resource_name = file.resource->resource_name;
    requirements.checksum = file.checksum;
    requirements.deployment_key = created.deployment_key;
    requirements.tenant_id = created.tenant_id;
    for (dmn::DecisionInfo& info : file.definitions.decisions()) {
      DecisionMetadata decision;
      decision.version = decisions.next_version(created.tenant_id, info.id);
      decision.decision_id = std::move(info.id);
      decision.decision_name = std::move(info.name);
      decision.version_tag = std::move(info.version_tag);
      decision.key = step.next_key();
      decision.requirements_id = requirements.requirements_id;
      decision.requirements_key = requirements.key;
      decision.deployment_key = created.deployment_key;
      decision.tenant_id = created.tenant_id;
      created.decisions.push_back(std::move(decision));
    }
    created.requirements.push_back(std::move(requirements));
  }
}

const DecisionResources::File* DecisionResources::find_file(
    std::string_view requirements_id) const {
  const auto file = std::find_if(files_.begin(), files_.end(), [&](const File& each) {
    return each.definitions.id() == requirements_id;
  });
  return file != files_.end() ? &*file : nullptr;
}

std::string DecisionResources::refusal(const EngineState& state,
                                       const DeploymentRecord& deployment) const {
  const auto refuse = [](std::string_view kind, const std::string& id, Key key, bool is_there) {
    return fmt::format("Expected to receive new {} '{}' with key '{}', but {}", kind, id,
                       key.value(), is_there ? "the key is in use" : "no resource holds it");
  };
  for (const DecisionRequirementsMetadata& each : deployment.requirements) {
    const bool is_there = find_file(each.requirements_id) != nullptr;
    if (!is_there || state.decisions().find_requirements(each.key) != nullptr) {
      return refuse("decision requirements", each.requirements_id, each.key, is_there);
    }
  }
  for (const DecisionMetadata& each : deployment.decisions) {
    const bool is_there = has_decision(each.decision_id);
    if (!is_there || state.decisions().find(each.key) != nullptr) {
      return refuse("decision", each.decision_id, each.key, is_there);
    }
  }
  return "";
}

void DecisionResources::write(Step& step, const DeploymentRecord& deployment) const {
  for (const DecisionRequirementsMetadata& requirements : deployment.requirements) {
    const File* file = find_file(requirements.requirements_id);
    BEELINE_ENSURE(file != nullptr, "no resource holds the decision requirements '{}'",
                   requirements.requirements_id);
    write_requirements(step, requirements, file->resource->resource);
    for (const DecisionMetadata& decision : deployment.decisions) {
      if (decision.requirements_key == requirements.key) write_decision(step, decision);
    }
  }
}

void DecisionResources::list_duplicates(const EngineState& state, DeploymentRecord& created) const {
  const Decisions& decisions = state.decisions();
  for (const File& file : files_) {
    const DecisionRequirementsRecord* requirements =
        decisions.find_latest_requirements(created.tenant_id, file.definitions.id());
    BEELINE_ENSURE(requirements != nullptr, "a duplicate of nothing: '{}'", file.definitions.id());
    created.requirements.push_back(duplicate_of(*requirements));
    for (const dmn::DecisionInfo& info : file.definitions.decisions()) {
      const DecisionRecord* decision = decisions.find_in(requirements->key, info.id);
      BEELINE_ENSURE(decision != nullptr, "a duplicate without its decision '{}'", info.id);
      created.decisions.push_back(duplicate_of(*decision));
    }
  }
}

}  // namespace beeline::engine
