#pragma once

#include "engine/state/engine_state.h"
#include "record/record.h"
#include "record/values.h"

// What each event does to the state. An applier decides nothing: no expression, no clock, no new
// key. Processing and replay call the same functions, which is why replay gives the same state.
// There is one file per value type and in it one function per event; a change of meaning takes a
// new record version with a function of its own beside the old one, kept as long as journals live.
namespace beeline::engine {

void apply(EngineState& state, const record::Metadata& metadata, const record::JobView& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::DeploymentRecord& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::ProcessInstanceView& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::IncidentRecord& value);
void apply(EngineState& state, const record::Metadata& metadata, const record::JobBatchView& value);
void apply(EngineState& state, const record::Metadata& metadata, const record::TimerRecord& value);
void apply(EngineState& state, const record::Metadata& metadata, const record::VariableView& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::VariableDocumentRecord& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::ProcessInstanceCreationView& value);
void apply(EngineState& state, const record::Metadata& metadata, const record::ErrorRecord& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::ProcessInstanceResultRecord& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::ProcessRecord& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::ProcessEventView& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::DecisionRecord& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::DecisionRequirementsRecord& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::DecisionEvaluationRecord& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::ProcessInstanceBatchRecord& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::CommandDistributionRecord& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::AsyncRequestRecord& value);

void apply(EngineState& state, const record::Metadata& metadata,
           const record::MessageRecord& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::MessageSubscriptionRecord& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::ProcessMessageSubscriptionRecord& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::MessageStartEventSubscriptionRecord& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::MessageBatchRecord& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::MessageCorrelationRecord& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::MultiInstanceRecord& value);
void apply(EngineState& state, const record::Metadata& metadata,
           const record::ResourceDeletionRecord& value);

// Forgets a definition that was deleted, unless an instance is left of it.
void forget_deleted_definition(EngineState& state, Key key);

// For replay: decodes the event's value and applies it. Aborts on an event that this version does
// not know: going on without it would make wrong state durable.
void apply_event(EngineState& state, const record::RecordView& event);

[[noreturn]] void no_applier(const record::Metadata& metadata);
[[noreturn]] void no_version(const record::Metadata& metadata);
// Aborts on a record version that has no applier.
inline void check_version(const record::Metadata& metadata, std::uint16_t latest) {
  if (metadata.version < 1 || metadata.version > latest) no_version(metadata);
}

}  // namespace beeline::engine
