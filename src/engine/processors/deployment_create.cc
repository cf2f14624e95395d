#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "base/md5.h"
#include "bpmn/parse.h"
#include "engine/behaviors/decision_resources.h"
#include "engine/behaviors/distribution.h"
#include "engine/behaviors/start_subscriptions.h"
#include "engine/elements/element_behavior.h"
#include "engine/failure.h"
#include "engine/processors/processors.h"

namespace beeline::engine {
namespace {

using record::DeploymentIntent;
using record::DeploymentRecord;
using record::DeploymentResource;
using record::ProcessMetadata;
using record::RejectionType;

struct ParsedProcess {
  const DeploymentResource* resource = nullptr;
  std::string checksum;
  std::shared_ptr<const bpmn::Process> model;
};

struct ParsedResources {
  std::vector<ParsedProcess> processes;
  DecisionResources decisions;
};

bool is_process_resource(std::string_view name) {
  return name.ends_with(".bpmn") || name.ends_with(".xml");
}

// Returns advice on what to use instead of an element that beeline cannot execute.
std::string_view alternative_to(const bpmn::Element& element) {
  switch (element.event_type) {
    case record::EventType::Unspecified:  // an ad-hoc subprocess
      return "use an embedded subprocess with gateways";
    case record::EventType::None:
    case record::EventType::Message:
    case record::EventType::Timer:
    case record::EventType::Error:
    case record::EventType::Escalation:
    case record::EventType::Terminate:
    case record::EventType::Link:
    case record::EventType::Signal:
    case record::EventType::Compensation:
    case record::EventType::Conditional:
    case record::EventType::Cancel:
    case record::EventType::Multiple:
    case record::EventType::ParallelMultiple:
      break;
  }
  return "use another element";
}

// Lists the elements that this version cannot execute, so that the deployment is rejected with
// their names and no instance fails on them later.
std::string unsupported_elements(const bpmn::Process& process) {
  std::string text;
  const auto add = [&](std::string_view id, std::string_view problem) {
    text += fmt::format("- Element: {}\n    - ERROR: {}\n", id, problem);
  };
  for (const bpmn::Diagnostic& refusal : process.refusals) {
    add(refusal.element_id, refusal.message);
  }
  for (const bpmn::Element& element : process.elements) {
    using enum record::ElementType;
    const bool is_told = element.type == AdHocSubProcessInnerInstance ||
                         std::ranges::find(process.refusals, element.id,
                                           &bpmn::Diagnostic::element_id) != process.refusals.end();
    if (element.type == SequenceFlow || find_behavior(element) != nullptr || is_told) continue;
    const std::string event = element.event_type == record::EventType::Unspecified
                                  ? std::string{}
                                  : fmt::format("{} ", record::name_of(element.event_type));
    add(element.id, fmt::format("{}{} is not supported by this version of beeline; {}", event,
                                record::name_of(element.type), alternative_to(element)));
  }
  return text;
}

std::string unsupported_resource(std::string_view name) {
  if (name.ends_with(".form")) {
    return fmt::format(
        "'{}': forms are not built yet; leave the file out of the deployment, and refer to the "
        "form by 'formKey' instead of 'formId' in 'zeebe:formDefinition'\n",
        name);
  }
  return fmt::format(
      "'{}': resources of this type are not supported; deploy BPMN as '.bpmn' or '.xml' and DMN "
      "as '.dmn', and leave other files out of the deployment\n",
      name);
}

// Lists the references with binding 'deployment' whose target is not part of the deployment.
// References whose id is an expression are not known yet.
std::string missing_references(const ParsedResources& parsed) {
  std::string text;
  for (const ParsedProcess& process : parsed.processes) {
    for (const bpmn::DeploymentReference& reference : bpmn::deployment_references(*process.model)) {
      const auto has_process = [&](const ParsedProcess& each) {
        return each.model->id == reference.id;
      };
      const bool is_process = reference.kind == bpmn::ReferenceKind::Process;
      const bool is_decision = reference.kind == bpmn::ReferenceKind::Decision;
      if (!is_process && !is_decision) continue;
      const bool is_there =
          is_process ? std::any_of(parsed.processes.begin(), parsed.processes.end(), has_process)
                     : parsed.decisions.has_decision(reference.id);
      if (is_there) continue;
      text += fmt::format(
          "'{}': - Element: {}\n    - ERROR: Expected to find {} '{}' in the same deployment, but "
          "it is not part of it\n",
          process.resource->resource_name, process.model->element(reference.element).id,
          is_process ? "process" : "decision", reference.id);
    }
  }
  return text;
}

// Parses all resources and collects the problems of all of them.
Result<ParsedResources, Rejection> parse_all(const EngineState& state,
                                             const DeploymentRecord& command) {
  if (command.resources.empty()) {
    return failure(Rejection{RejectionType::InvalidArgument,
                             "Expected to deploy at least one resource, but none given"});
  }
  ParsedResources resources;
  std::map<std::string, std::string> resource_of;  // by process id
  std::string problems;
  for (const DeploymentResource& resource : command.resources) {
    if (resource.resource_name.size() > bpmn::kTextCharsMax) {
      problems += "A resource name is too long\n";
      continue;
    }
    if (is_decision_resource(resource.resource_name)) {
      resources.decisions.add(resource);
      continue;
    }
    if (!is_process_resource(resource.resource_name)) {
      problems += unsupported_resource(resource.resource_name);
      continue;
    }
    auto parsed = bpmn::parse_bpmn(resource.resource_name, resource.resource);
    if (!parsed) {
      problems += parsed.error().text() + "\n";
      continue;
    }
    const std::string checksum = md5_hex(resource.resource);
    for (auto& model : *parsed) {
      if (const std::string text = unsupported_elements(*model); !text.empty()) {
        problems += fmt::format("'{}': {}", resource.resource_name, text);
      }
      const auto [known, is_new] = resource_of.emplace(model->id, resource.resource_name);
      if (!is_new) {
        problems += fmt::format("Duplicated process id '{}' in resources '{}' and '{}'\n",
                                model->id, known->second, resource.resource_name);
      }
      resources.processes.push_back({&resource, checksum, std::move(model)});
    }
  }
  resources.decisions.read(state, command.tenant_id, problems);
  if (problems.empty()) problems = missing_references(resources);
  if (problems.empty()) return resources;
  if (problems.size() > bpmn::kDiagnosticsBytesMax) {
    problems.resize(bpmn::kDiagnosticsBytesMax);
    problems += "...";
  }
  return failure(Rejection{
      RejectionType::InvalidArgument,
      "Expected to deploy new resources, but encountered the following errors:\n" + problems});
}

bool is_duplicate(const Definition* latest, const ParsedProcess& process) {
  return latest != nullptr && latest->is_active() && latest->checksum == process.checksum &&
         latest->resource_name == process.resource->resource_name;
}

ProcessMetadata metadata_of(const Definition& definition) {
  return {definition.bpmn_process_id,
          definition.version,
          definition.version_tag,
          definition.key,
          definition.resource_name,
          definition.checksum,
          true,
          definition.deployment_key,
          definition.tenant_id};
}

// The identity of a process. Partition 1 chooses it, and the other partitions use the same.
struct Identity {
  Key key;
  std::int32_t version = 0;
  Key deployment;
};

ProcessMetadata create_process(Step& step, const ParsedProcess& process, const Identity& identity,
                               const std::string& tenant) {
  record::ProcessRecord value;
  value.bpmn_process_id = process.model->id;
  value.version = identity.version;
  value.version_tag = process.model->version_tag;
  value.key = identity.key;
  value.resource_name = process.resource->resource_name;
  value.checksum = process.checksum;
  value.resource = process.resource->resource;
  value.deployment_key = identity.deployment;
  value.tenant_id = tenant;
  step.event(record::ProcessIntent::Created, value.key, value);
  return {
      value.bpmn_process_id, value.version, value.version_tag,    value.key, value.resource_name,
      value.checksum,        false,         value.deployment_key, tenant};
}

// A new definition and its predecessor. The predecessor's key is unset if there was none.
struct Replacement {
  Key created;
  Key previous;
};

// Opens the start events of a new definition and closes those of its predecessor.
void take_over_starts(Step& step, StartsOn where, const Replacement& definition) {
  const Definitions& definitions = step.state().definitions();
  const Outcome replaced =
      replace_starts(step, where, definitions.find(definition.previous),
                     definitions.find(definition.created), Takeover::NewVersion);
  if (!replaced) throw CommandRefused{RejectionType::ProcessingError, replaced.error().message};
}

bool distribute_deployment(Step& step, const DeploymentRecord& command,
                           const DeploymentRecord& created) {
  DeploymentRecord sent = created;
  sent.resources = command.resources;
  return distribute(step, distributed(DeploymentIntent::Create, sent), kDeploymentQueue);
}

// Takes over a deployment from partition 1 with its keys and versions. It opens no timers, because
// timers start instances on partition 1 only.
void receive_deployment(Step& step, const DeploymentRecord& command,
                        const ParsedResources& resources) {
  const std::vector<ParsedProcess>& parsed = resources.processes;
  std::vector<const ParsedProcess*> processes;
  for (const ProcessMetadata& metadata : command.processes) {
    const auto it = std::ranges::find_if(parsed, [&](const ParsedProcess& process) {
      return process.model->id == metadata.bpmn_process_id;
    });
    if (it == parsed.end() || step.state().definitions().find(metadata.key) != nullptr) {
      return step.reject(
          RejectionType::InvalidArgument,
          fmt::format("Expected to receive new process '{}' with key '{}', but {}",
                      metadata.bpmn_process_id, metadata.key.value(),
                      it == parsed.end() ? "no resource holds it" : "the key is in use"));
    }
    processes.push_back(&*it);
  }
  if (std::string reason = resources.decisions.refusal(step.state(), command); !reason.empty()) {
    return step.reject(RejectionType::InvalidArgument, std::move(reason));
  }
  const Definitions& definitions = step.state().definitions();
  DeploymentRecord created = command;
  created.resources.clear();
  std::vector<Replacement> replaced;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const ProcessMetadata& metadata = command.processes[i];
    const Definition* latest = definitions.find_latest(command.tenant_id, metadata.bpmn_process_id);
    // A late deployment must not take over from a newer version.
    if (latest == nullptr || latest->version < metadata.version) {
      replaced.push_back({metadata.key, latest != nullptr ? latest->key : Key{}});
    }
    create_process(step, *processes[i], {metadata.key, metadata.version, command.deployment_key},
                   command.tenant_id);
  }
  resources.decisions.write(step, command);
  step.event(DeploymentIntent::Created, command.deployment_key, created);
  for (const Replacement& each : replaced) {
    take_over_starts(step, StartsOn::EveryPartition, each);
  }
}

}  // namespace

void deployment_create(Step& step, Key, const DeploymentRecord& command) {
  const auto parsed = parse_all(step.state(), command);
  if (!parsed) return step.reject(parsed.error());
  if (is_distributed(step.command_metadata())) return receive_deployment(step, command, *parsed);
  const Definitions& definitions = step.state().definitions();
  const auto latest = [&](const ParsedProcess& process) {
    return definitions.find_latest(command.tenant_id, process.model->id);
  };
  // If one resource is new, all get new versions, because the resources of one deployment belong
  // together.
  const auto& processes = parsed->processes;
  const bool is_new = std::any_of(processes.begin(), processes.end(),
                                  [&](const ParsedProcess& process) {
                                    return !is_duplicate(latest(process), process);
                                  }) ||
                      parsed->decisions.has_new(step.state(), command.tenant_id);
  const Key deployment = step.next_key();
  DeploymentRecord created;
  created.deployment_key = deployment;
  created.tenant_id = command.tenant_id;
  std::vector<Replacement> replaced;
  for (const ParsedProcess& process : processes) {
    const Definition* previous = latest(process);
    if (!is_new) {
      created.processes.push_back(metadata_of(*previous));
      continue;
    }
    const Key previous_key = previous != nullptr ? previous->key : Key{};
    const std::int32_t version = definitions.next_version(command.tenant_id, process.model->id);
    created.processes.push_back(
        create_process(step, process, {step.next_key(), version, deployment}, command.tenant_id));
    replaced.push_back({created.processes.back().key, previous_key});
  }
  if (is_new) {
    parsed->decisions.identify(step, created);
    parsed->decisions.write(step, created);
  } else {
    parsed->decisions.list_duplicates(step.state(), created);
  }
  for (const Replacement& each : replaced) {
    take_over_starts(step, StartsOn::DeployingPartition, each);
  }
  step.event(DeploymentIntent::Created, deployment, created);
  const bool is_answered_later = is_new && distribute_deployment(step, command, created);
  for (const Replacement& each : replaced) {
    take_over_starts(step, StartsOn::EveryPartition, each);
  }
  if (!is_answered_later) step.respond(DeploymentIntent::Created, deployment, created);
}

}  // namespace beeline::engine
