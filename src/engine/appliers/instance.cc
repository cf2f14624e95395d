#include "base/check.h"
#include "engine/appliers/appliers.h"

// Creation of instances, their variables, and errors that ban them.
namespace beeline::engine {

void apply(EngineState& state, const record::Metadata& metadata,
           const record::VariableView& value) {
  check_version(metadata, 1);
  state.variables().set(value.scope_key, value.name, value.value, VariableKey{metadata.key});
}

void apply(EngineState&, const record::Metadata& metadata, const record::VariableDocumentRecord&) {
  // The variables have events of their own; this one says that all of them are written.
  check_version(metadata, 1);
}

void apply(EngineState& state, const record::Metadata& metadata,
           const record::ProcessInstanceCreationView& value) {
  check_version(metadata, 1);
  BEELINE_CHECK(value.process_instance_key.is_set(), "a creation at position {} without instance",
                metadata.position.value());
  if (!value.tags.empty()) state.set_tags(value.process_instance_key, value.tags);
  if (value.awaited_by != 0) {
    state.await_result(value.process_instance_key, {value.awaited_by, value.fetch_variables});
  }
}

void apply(EngineState& state, const record::Metadata& metadata, const record::ErrorRecord& value) {
  check_version(metadata, 1);
  if (value.process_instance_key.is_set()) {
    state.ban(value.process_instance_key, metadata.position);
  }
}

void apply(EngineState&, const record::Metadata& metadata,
           const record::ProcessInstanceResultRecord&) {
  no_applier(metadata);  // a response, never on the log
}

void apply(EngineState& state, const record::Metadata& metadata,
           const record::ProcessInstanceBatchRecord& value) {
  check_version(metadata, 1);
  // Marks the end of a series of commands. Without an index it came before the series was through:
  // a multi-instance body has seen enough and takes no more instances.
  if (static_cast<record::ProcessInstanceBatchIntent>(metadata.intent) !=
          record::ProcessInstanceBatchIntent::Activated ||
      value.index != 0) {
    return;
  }
  state.element_instances().update(value.batch_element_instance_key, [](ElementInstanceRow& body) {
    body.interrupted_by = body.element;
  });
}

void apply(EngineState&, const record::Metadata& metadata, const record::AsyncRequestRecord&) {
  check_version(metadata, 1);  // says when a request began and ended
}

void apply(EngineState& state, const record::Metadata& metadata,
           const record::MultiInstanceRecord& value) {
  check_version(metadata, 1);
  switch (static_cast<record::MultiInstanceIntent>(metadata.intent)) {
    case record::MultiInstanceIntent::InputCollectionEvaluated:
      return state.set_input_collection(metadata.key, value.input_collection);
    case record::MultiInstanceIntent::OutputCollected:
      BEELINE_CHECK(value.index >= 1, "item {} of body {}: items count from 1", value.index,
                    metadata.key.value());
      return state.set_output_item(metadata.key, value.index, value.value);
  }
}

}  // namespace beeline::engine
