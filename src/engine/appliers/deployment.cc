#include "engine/appliers/appliers.h"

// What is deployed, and what is deleted again. Evaluations of decisions are told, not kept.
namespace beeline::engine {

using record::DecisionIntent;
using record::DecisionRequirementsIntent;
using record::ProcessIntent;

void apply(EngineState&, const record::Metadata& metadata, const record::DeploymentRecord&) {
  check_version(metadata, 1);  // its processes have events of their own
}

void apply(EngineState&, const record::Metadata& metadata, const record::ResourceDeletionRecord&) {
  check_version(metadata, 1);  // what is deleted has events of its own
}

void apply(EngineState& state, const record::Metadata& metadata,
           const record::ProcessRecord& value) {
  check_version(metadata, 1);
  Definitions& definitions = state.definitions();
  switch (static_cast<ProcessIntent>(metadata.intent)) {
    case ProcessIntent::Created:
      return definitions.insert(value);
    case ProcessIntent::Draining:
      definitions.drain(value.key);
      if (!value.drain_partitions.empty()) {
        definitions.begin_deletion(value.key, value.drain_partitions);
      }
      return;
    case ProcessIntent::Deleting:
      return;  // says that no instance needs it any more
    case ProcessIntent::Deleted:
      definitions.remove(value.key);
      return forget_deleted_definition(state, value.key);
    case ProcessIntent::DeleteCompleted:
      for (const std::int32_t partition : value.drain_partitions) {
        definitions.finish_deletion_on(value.key, partition);
      }
      return;
    case ProcessIntent::FullyDeleted:
      return definitions.end_deletion(value.key);
    case ProcessIntent::DeleteComplete:
      break;  // a command
  }
  no_applier(metadata);
}

void apply(EngineState& state, const record::Metadata& metadata,
           const record::DecisionRecord& value) {
  check_version(metadata, 1);
  switch (static_cast<DecisionIntent>(metadata.intent)) {
    case DecisionIntent::Created:
      return state.decisions().insert(value);
    case DecisionIntent::Deleted:
      return state.decisions().erase(value);
  }
  no_applier(metadata);
}

void apply(EngineState& state, const record::Metadata& metadata,
           const record::DecisionRequirementsRecord& value) {
  check_version(metadata, 1);
  switch (static_cast<DecisionRequirementsIntent>(metadata.intent)) {
    case DecisionRequirementsIntent::Created:
      return state.decisions().insert(value);
    case DecisionRequirementsIntent::Deleted:
      return state.decisions().erase(value);
  }
  no_applier(metadata);
}

void apply(EngineState&, const record::Metadata& metadata,
           const record::DecisionEvaluationRecord&) {
  check_version(metadata, 1);  // what it gives a process is in an event of its own
}

void forget_deleted_definition(EngineState& state, Key key) {
  const Definition* definition = state.definitions().find(key);
  if (definition == nullptr || definition->state != DefinitionState::Deleted) return;
  if (state.element_instances().process_instance_count(key) > 0) return;
  state.definitions().erase(key);
}

}  // namespace beeline::engine
