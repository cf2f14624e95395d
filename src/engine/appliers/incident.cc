#include "engine/appliers/appliers.h"

namespace beeline::engine {
namespace {

using record::ErrorType;
using record::IncidentIntent;
using record::IncidentRecord;

void incident_created(EngineState& state, Key key, const IncidentRecord& value) {
  state.incidents().insert(key, value);
  if (value.error_type == ErrorType::MessageSizeExceeded && value.job_key.is_set()) {
    state.jobs().update(value.job_key, [](JobRow& row) { row.is_too_large = true; });
  }
}

void incident_resolved(EngineState& state, Key key, const IncidentRecord& value) {
  state.incidents().erase(key);
  if (!value.job_key.is_set() || state.jobs().find(value.job_key) == nullptr) return;
  state.jobs().update(value.job_key, [](JobRow& row) {
    row.is_too_large = false;
    if (row.state == JobState::Failed || row.state == JobState::ErrorThrown) {
      row.state = JobState::Activatable;
      row.recurring_time = Timestamp{-1};
      row.error_code.clear();
    }
  });
}

}  // namespace

void apply(EngineState& state, const record::Metadata& metadata,
           const record::IncidentRecord& value) {
  check_version(metadata, 1);
  switch (static_cast<IncidentIntent>(metadata.intent)) {
    case IncidentIntent::Created:
      return incident_created(state, metadata.key, value);
    case IncidentIntent::Resolved:
      return incident_resolved(state, metadata.key, value);
    case IncidentIntent::Resolve:
      break;  // a command
  }
  no_applier(metadata);
}

}  // namespace beeline::engine
