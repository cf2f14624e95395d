#include <fmt/format.h>

#include "engine/behaviors/definition_deletion.h"
#include "engine/behaviors/distribution.h"
#include "engine/processors/processors.h"

namespace beeline::engine {
namespace {

using record::DecisionRequirementsRecord;
using record::RejectionType;
using record::ResourceDeletionIntent;
using record::ResourceDeletionRecord;

// Ends the deletion: distributes it to the other partitions and answers the client.
void finish_deletion(Step& step, Key key, const ResourceDeletionRecord& value) {
  step.event(ResourceDeletionIntent::Deleted, key, value);
  if (is_distributed(step.command_metadata())) return;
  if (distribute(step, distributed(ResourceDeletionIntent::Delete, value), kDeploymentQueue)) {
    return;  // the client is answered when the other partitions have it
  }
  step.respond(ResourceDeletionIntent::Deleted, value.resource_key, value);
}

void delete_process(Step& step, const Definition& definition) {
  if (!definition.is_active()) {
    return step.reject(RejectionType::InvalidState,
                       fmt::format("Expected to delete process definition with key `{}`, but it is "
                                   "already being deleted.",
                                   definition.key.value()));
  }
  const Key key = step.next_key();
  const ResourceDeletionRecord value{definition.key, "PROCESS_DEFINITION",
                                     definition.bpmn_process_id, definition.tenant_id};
  step.event(ResourceDeletionIntent::Deleting, key, value);
  drain_definition(step, definition);
  delete_drained(step, value.resource_key);
  finish_deletion(step, key, value);
}

void delete_decisions(Step& step, const DecisionRequirementsRecord& requirements) {
  const Decisions& decisions = step.state().decisions();
  if (const DecisionRequirementsRecord* importer = decisions.find_importer(requirements)) {
    return step.reject(
        RejectionType::InvalidState,
        fmt::format("Expected to delete decision requirements '{}' with key '{}', but '{}' with "
                    "key '{}' imports them. Delete that first",
                    requirements.requirements_id, requirements.key.value(),
                    importer->requirements_id, importer->key.value()));
  }
  const Key key = step.next_key();
  const ResourceDeletionRecord value{requirements.key, "DECISION_REQUIREMENTS",
                                     requirements.requirements_id, requirements.tenant_id};
  step.event(ResourceDeletionIntent::Deleting, key, value);
  for (const Key each : decisions.all_in(requirements.key)) {
    const record::DecisionRecord decision = decisions.get(each);
    step.event(record::DecisionIntent::Deleted, each, decision);
  }
  DecisionRequirementsRecord deleted = requirements;
  deleted.resource.clear();  // the resource is on the log since the deployment
  step.event(record::DecisionRequirementsIntent::Deleted, deleted.key, deleted);
  finish_deletion(step, key, value);
}

}  // namespace

void resource_deletion_delete(Step& step, Key, const ResourceDeletionRecord& command) {
  const Definition* definition = step.state().definitions().find(command.resource_key);
  if (definition != nullptr && definition->state != DefinitionState::Deleted) {
    return delete_process(step, *definition);
  }
  const DecisionRequirementsRecord* requirements =
      step.state().decisions().find_requirements(command.resource_key);
  if (requirements != nullptr) return delete_decisions(step, *requirements);
  step.reject(RejectionType::NotFound,
              fmt::format("Expected to delete resource but no resource found with key `{}`",
                          command.resource_key.value()));
}

}  // namespace beeline::engine
