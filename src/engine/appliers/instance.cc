#include <algorithm>

#include "base/check.h"
#include "engine/appliers/appliers.h"

// Appliers of instance creation, variables, and errors that ban an instance.
namespace beeline::engine {

using record::AsyncRequestIntent;
using record::ErrorIntent;
using record::MultiInstanceIntent;
using record::ProcessInstanceBatchIntent;
using record::ProcessInstanceCreationIntent;
using record::ProcessInstanceResultIntent;
using record::RuntimeInstructionIntent;
using record::VariableDocumentIntent;
using record::VariableIntent;

void apply(EngineState& state, const record::Metadata& metadata,
           const record::VariableView& value) {
  check_version(metadata, 1);
  switch (static_cast<VariableIntent>(metadata.intent)) {
    case VariableIntent::Created:
    case VariableIntent::Updated:
      return state.variables().set(value.scope_key, value.name, value.value,
                                   VariableKey{metadata.key});
  }
  no_applier(metadata);
}

void apply(EngineState&, const record::Metadata& metadata, const record::VariableDocumentRecord&) {
  check_version(metadata, 1);
  switch (static_cast<VariableDocumentIntent>(metadata.intent)) {
    case VariableDocumentIntent::Updated:
      return;  // the variables have their own events, all written before this one
    case VariableDocumentIntent::Update:
      break;  // a command
  }
  no_applier(metadata);
}

namespace {

void created_v1(EngineState& state, const record::ProcessInstanceCreationView& value) {
  if (!value.tags.empty()) state.set_tags(value.process_instance_key, value.tags);
  if (value.awaited_by != 0) {
    state.await_result(value.process_instance_key, {value.awaited_by, value.fetch_variables});
  }
}

void created_v2(EngineState& state, const record::ProcessInstanceCreationView& value) {
  created_v1(state, value);
  if (!value.start_instructions.empty()) add_start_tokens(state, value);
  if (value.runtime_instructions.empty()) return;
  std::vector<std::string> elements;
  for (const record::RuntimeInstruction& instruction : value.runtime_instructions) {
    elements.push_back(instruction.after_element_id);
  }
  std::ranges::sort(elements);  // they are looked up whenever an element ends
  state.set_runtime_instructions(value.process_instance_key, std::move(elements));
}

}  // namespace

void apply(EngineState& state, const record::Metadata& metadata,
           const record::ProcessInstanceCreationView& value) {
  const auto intent = static_cast<ProcessInstanceCreationIntent>(metadata.intent);
  check_version(metadata, record::latest_version<record::ProcessInstanceCreationView>(intent));
  switch (intent) {
    case ProcessInstanceCreationIntent::Created:
      BEELINE_CHECK(value.process_instance_key.is_set(),
                    "a creation at position {} without instance", metadata.position.value());
      return metadata.version == 1 ? created_v1(state, value) : created_v2(state, value);
    case ProcessInstanceCreationIntent::Create:
    case ProcessInstanceCreationIntent::CreateWithAwaitingResult:
      break;  // commands
  }
  no_applier(metadata);
}

void apply(EngineState& state, const record::Metadata& metadata, const record::ErrorRecord& value) {
  check_version(metadata, 1);
  switch (static_cast<ErrorIntent>(metadata.intent)) {
    case ErrorIntent::Created:
      if (value.process_instance_key.is_set()) {
        state.ban(value.process_instance_key, metadata.position);
      }
      return;
  }
  no_applier(metadata);
}

void apply(EngineState&, const record::Metadata& metadata,
           const record::ProcessInstanceResultRecord&) {
  switch (static_cast<ProcessInstanceResultIntent>(metadata.intent)) {
    case ProcessInstanceResultIntent::Completed:
      break;  // a response, never on the log
  }
  no_applier(metadata);
}

void apply(EngineState& state, const record::Metadata& metadata,
           const record::ProcessInstanceBatchRecord& value) {
  check_version(metadata, 1);
  switch (static_cast<ProcessInstanceBatchIntent>(metadata.intent)) {
    case ProcessInstanceBatchIntent::Terminated:
      return;  // marks the end of a series of commands
    case ProcessInstanceBatchIntent::Activated:
      // It also marks the end of a series. Index 0 means that the series ended early: the
      // multi-instance body fulfilled its completion condition and takes no more instances.
      if (value.index != 0) return;
      state.element_instances().update(
          value.batch_element_instance_key,
          [](ElementInstanceRow& body) { body.interrupted_by = body.element; });
      return;
    case ProcessInstanceBatchIntent::Terminate:
    case ProcessInstanceBatchIntent::Activate:
      break;  // commands
  }
  no_applier(metadata);
}

void apply(EngineState&, const record::Metadata& metadata, const record::AsyncRequestRecord&) {
  check_version(metadata, 1);
  switch (static_cast<AsyncRequestIntent>(metadata.intent)) {
    case AsyncRequestIntent::Received:
    case AsyncRequestIntent::Processed:
      return;  // only reports when a request began and ended
  }
  no_applier(metadata);
}

void apply(EngineState& state, const record::Metadata& metadata,
           const record::MultiInstanceRecord& value) {
  check_version(metadata, 1);
  switch (static_cast<MultiInstanceIntent>(metadata.intent)) {
    case MultiInstanceIntent::InputCollectionEvaluated:
      return state.set_input_collection(metadata.key, value.input_collection);
    case MultiInstanceIntent::OutputCollected:
      BEELINE_CHECK(value.index >= 1, "item {} of body {}: items count from 1", value.index,
                    metadata.key.value());
      return state.set_output_item(metadata.key, value.index, value.value);
    case MultiInstanceIntent::LoopMaximumEvaluated:
      if (value.loop_maximum < 0) return state.forget_loop_maximum(metadata.key);
      return state.set_loop_maximum(metadata.key, value.loop_maximum);
  }
  no_applier(metadata);
}

void apply(EngineState& state, const record::Metadata& metadata,
           const record::RuntimeInstructionRecord& value) {
  check_version(metadata, 1);
  switch (static_cast<RuntimeInstructionIntent>(metadata.intent)) {
    case RuntimeInstructionIntent::Interrupted:
      return state.interrupt_by_runtime_instruction(value.process_instance_key);
  }
  no_applier(metadata);
}

}  // namespace beeline::engine
