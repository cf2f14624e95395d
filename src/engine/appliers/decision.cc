#include "engine/appliers/appliers.h"

// Deployed decisions. Evaluations are told, not kept.
namespace beeline::engine {

void apply(EngineState& state, const record::Metadata& metadata,
           const record::DecisionRecord& value) {
  check_version(metadata, 1);
  state.decisions().insert(value);
}

void apply(EngineState& state, const record::Metadata& metadata,
           const record::DecisionRequirementsRecord& value) {
  check_version(metadata, 1);
  state.decisions().insert(value);
}

void apply(EngineState&, const record::Metadata& metadata,
           const record::DecisionEvaluationRecord&) {
  check_version(metadata, 1);  // what it gives a process is in an event of its own
}

}  // namespace beeline::engine
