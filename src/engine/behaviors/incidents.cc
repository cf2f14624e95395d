#include "engine/behaviors/incidents.h"

namespace beeline::engine {

using record::IncidentIntent;

void raise_incident(Step& step, const ElementContext& context, const Failure& failure, Key job) {
  record::IncidentRecord value;
  value.error_type = failure.type;
  value.error_message = failure.message;
  fill_owner(value, context);
  value.element_id = context.value.element_id;
  value.job_key = job;
  value.variable_scope_key =
      failure.variable_scope_key.is_set() ? failure.variable_scope_key : context.key;
  record::ActivationPart paths;
  fill_paths(step, context, paths);
  value.element_instance_path.assign(paths.element_instance_path.begin(),
                                     paths.element_instance_path.end());
  value.process_definition_path.assign(paths.process_definition_path.begin(),
                                       paths.process_definition_path.end());
  value.calling_element_path.assign(paths.calling_element_path.begin(),
                                    paths.calling_element_path.end());
  step.event(IncidentIntent::Created, step.next_key(), value);
}

void resolve_incidents(Step& step, const ElementContext& context) {
  for (const Key key : step.state().incidents().of_element_instance(context.key)) {
    // Copy the record, because the event removes the row.
    const record::IncidentRecord value = step.state().incidents().get(key).record;
    step.event(IncidentIntent::Resolved, key, value);
  }
}

}  // namespace beeline::engine
