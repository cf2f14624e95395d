#include "base/check.h"
#include "engine/appliers/appliers.h"
#include "engine/appliers/markers.h"

namespace beeline::engine {
namespace {

using record::JobBatchIntent;
using record::JobBatchView;
using record::JobIntent;
using record::JobView;

void job_created(EngineState& state, Key key, const JobView& value) {
  JobRow row;
  row.type = value.type;
  row.element_instance_key = value.element_instance_key;
  row.retries = value.retries;
  row.priority = value.priority;
  row.headers = value.custom_headers;
  row.tags = value.tags;
  row.tenant_id = value.tenant_id;
  state.jobs().insert(key, std::move(row));
  state.element_instances().update(value.element_instance_key, [&](ElementInstanceRow& element) {
    BEELINE_CHECK(!element.job_key.is_set(), "element instance {} has job {} already",
                  value.element_instance_key.value(), element.job_key.value());
    element.job_key = key;
  });
}

void job_removed(EngineState& state, Key key, const JobView& value) {
  state.jobs().erase(key);
  if (state.element_instances().find(value.element_instance_key) == nullptr) return;
  state.element_instances().update(value.element_instance_key, [&](ElementInstanceRow& element) {
    BEELINE_CHECK(element.job_key == key, "job {} of element instance {}, which has job {}",
                  key.value(), value.element_instance_key.value(), element.job_key.value());
    element.job_key = Key{};
  });
}

void make_activatable(JobRow& row) {
  BEELINE_CHECK(row.state == JobState::Activated || row.state == JobState::Failed,
                "a job in state {} cannot come back", name_of(row.state));
  row.state = JobState::Activatable;
  row.deadline = Timestamp{-1};
  row.recurring_time = Timestamp{-1};
  row.worker.clear();
}

void job_failed(EngineState& state, Key key, const JobView& value) {
  state.jobs().update(key, [&](JobRow& row) {
    row.retries = value.retries;
    row.error_message = value.error_message;
    row.deadline = Timestamp{-1};
    row.worker.clear();
    const bool waits = value.retries > 0 && value.retry_backoff.count() > 0;
    row.recurring_time = waits ? value.recurring_time : Timestamp{-1};
    row.state = value.retries > 0 && !waits ? JobState::Activatable : JobState::Failed;
  });
}

void keep_for_incident(EngineState& state, Key key, const JobView& value) {
  state.jobs().update(key, [&](JobRow& row) {
    row.state = JobState::ErrorThrown;
    row.error_code = value.error_code;
    row.error_message = value.error_message;
    row.deadline = Timestamp{-1};
    row.worker.clear();
  });
}

void error_thrown_v1(EngineState& state, Key key, const JobView& value) {
  if (value.element_id != kNoCatchEventFound) return job_removed(state, key, value);
  keep_for_incident(state, key, value);
}

void error_thrown_v2(EngineState& state, Key key, const JobView& value) {
  if (value.error_caught) return job_removed(state, key, value);
  keep_for_incident(state, key, value);
}

void jobs_activated(EngineState& state, const JobBatchView& value) {
  BEELINE_CHECK(value.job_keys.size() == value.jobs.size(), "a batch of {} keys and {} jobs",
                value.job_keys.size(), value.jobs.size());
  for (std::size_t i = 0; i < value.job_keys.size(); ++i) {
    state.jobs().update(value.job_keys[i], [&](JobRow& row) {
      BEELINE_CHECK(row.state == JobState::Activatable, "a job in state {} is handed out",
                    name_of(row.state));
      row.state = JobState::Activated;
      row.deadline = value.jobs[i].deadline;
      row.worker = value.worker;
    });
  }
}

}  // namespace

void apply(EngineState& state, const record::Metadata& metadata, const record::JobView& value) {
  const auto intent = static_cast<JobIntent>(metadata.intent);
  check_version(metadata, record::latest_version<JobView>(intent));
  const Key key = metadata.key;
  switch (intent) {
    case JobIntent::Created:
      return job_created(state, key, value);
    case JobIntent::Completed:
    case JobIntent::Canceled:
      return job_removed(state, key, value);
    case JobIntent::Failed:
      return job_failed(state, key, value);
    case JobIntent::ErrorThrown:
      return metadata.version == 1 ? error_thrown_v1(state, key, value)
                                   : error_thrown_v2(state, key, value);
    case JobIntent::TimedOut:
    case JobIntent::Yielded:
    case JobIntent::RecurredAfterBackoff:
      return state.jobs().update(key, make_activatable);
    case JobIntent::RetriesUpdated:
      return state.jobs().update(key, [&](JobRow& row) { row.retries = value.retries; });
    case JobIntent::TimeoutUpdated:
      return state.jobs().update(key, [&](JobRow& row) { row.deadline = value.deadline; });
    case JobIntent::Complete:
    case JobIntent::TimeOut:
    case JobIntent::Fail:
    case JobIntent::UpdateRetries:
    case JobIntent::Cancel:
    case JobIntent::ThrowError:
    case JobIntent::RecurAfterBackoff:
    case JobIntent::Yield:
    case JobIntent::UpdateTimeout:
      break;  // commands
  }
  no_applier(metadata);
}

void apply(EngineState& state, const record::Metadata& metadata,
           const record::JobBatchView& value) {
  check_version(metadata, 1);
  switch (static_cast<JobBatchIntent>(metadata.intent)) {
    case JobBatchIntent::Activated:
      return jobs_activated(state, value);
    case JobBatchIntent::Activate:
      break;  // a command
  }
  no_applier(metadata);
}

}  // namespace beeline::engine
