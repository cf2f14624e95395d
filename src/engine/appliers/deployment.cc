#include "engine/appliers/appliers.h"

// Appliers of deployments and deletions. Evaluations of decisions are only on the log and change no
// state.
namespace beeline::engine {

using record::DecisionEvaluationIntent;
using record::DecisionIntent;
using record::DecisionRequirementsIntent;
using record::DeploymentIntent;
using record::ProcessIntent;
using record::ResourceDeletionIntent;

void apply(EngineState&, const record::Metadata& metadata, const record::DeploymentRecord&) {
  check_version(metadata, 1);
  switch (static_cast<DeploymentIntent>(metadata.intent)) {
    case DeploymentIntent::Created:
      return;  // its processes and decisions have their own events
    case DeploymentIntent::Create:
      break;  // a command
  }
  no_applier(metadata);
}

void apply(EngineState&, const record::Metadata& metadata, const record::ResourceDeletionRecord&) {
  check_version(metadata, 1);
  switch (static_cast<ResourceDeletionIntent>(metadata.intent)) {
    case ResourceDeletionIntent::Deleting:
    case ResourceDeletionIntent::Deleted:
      return;  // the deleted processes and decisions have their own events
    case ResourceDeletionIntent::Delete:
      break;  // a command
  }
  no_applier(metadata);
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
      return;  // only reports that no instance needs the definition any more
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
  check_version(metadata, 1);
  switch (static_cast<DecisionEvaluationIntent>(metadata.intent)) {
    case DecisionEvaluationIntent::Evaluated:
    case DecisionEvaluationIntent::Failed:
      return;  // a process gets the result in an event of its own
    case DecisionEvaluationIntent::Evaluate:
      break;  // a command
  }
  no_applier(metadata);
}

void forget_deleted_definition(EngineState& state, Key key) {
  const Definition* definition = state.definitions().find(key);
  if (definition == nullptr || definition->state != DefinitionState::Deleted) return;
  if (state.element_instances().process_instance_count(key) > 0) return;
  state.definitions().erase(key);
}

}  // namespace beeline::engine
