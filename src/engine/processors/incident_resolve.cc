#include <fmt/format.h>

#include "engine/behaviors/jobs.h"
#include "engine/behaviors/open_scopes.h"
#include "engine/processors/processors.h"

namespace beeline::engine {
namespace {

using record::IncidentIntent;
using record::RejectionType;

// Repeats the transition that the incident stopped.
void try_again(Step& step, const record::IncidentRecord& incident) {
  const ElementInstanceRow* row =
      step.state().element_instances().find(incident.element_instance_key);
  if (row == nullptr) return;
  // A scope around the element is about to terminate it. If the element ended before that, nothing
  // would tell the scope that its last child is gone.
  if (row->state != ElementState::Terminating &&
      find_closed_scope_around(step, incident.element_instance_key)) {
    return;
  }
  const ElementContext context = context_of(step, incident.element_instance_key);
  switch (row->state) {
    case ElementState::Activating:
      return process_instance_activate_element(step, context.key, context.value);
    case ElementState::Completing:
      return process_instance_complete_element(step, context.key, context.value);
    case ElementState::Terminating:
      return process_instance_terminate_element(step, context.key, context.value);
    case ElementState::Activated:
    case ElementState::Completed:
    case ElementState::Terminated:
      return;
  }
}

}  // namespace

void incident_resolve(Step& step, Key key, const record::IncidentRecord&) {
  const IncidentRow* row = step.state().incidents().find(key);
  if (row == nullptr) {
    return step.reject(RejectionType::NotFound,
                       fmt::format("Expected to resolve incident with key '{}', but no such "
                                   "incident was found",
                                   key.value()));
  }
  const record::IncidentRecord incident = row->record;
  const JobRow* job = step.state().jobs().find(incident.job_key);
  if (job != nullptr && job->state == JobState::Failed && job->retries <= 0) {
    return step.reject(RejectionType::InvalidState,
                       fmt::format("Expected to resolve incident with key '{}', but job with key "
                                   "'{}' has no retries left. Please update the job retries and "
                                   "retry resolving the incident",
                                   key.value(), incident.job_key.value()));
  }
  step.event(IncidentIntent::Resolved, key, incident);
  step.respond(IncidentIntent::Resolved, key, incident);
  if (incident.job_key.is_set()) {
    if (job != nullptr) {
      const JobRow& resolved = step.state().jobs().get(incident.job_key);
      step.job_available({resolved.tenant_id, resolved.type}, incident.job_key);
    }
    return;
  }
  try_again(step, incident);
}

}  // namespace beeline::engine
