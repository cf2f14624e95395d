#include "engine/behaviors/instance_start.h"

#include "engine/behaviors/element_context.h"

namespace beeline::engine {

void start_by_event(Step& step, Key instance, const Definition& definition,
                    const bpmn::Element& start_event, const record::DocumentView& variables) {
  record::ProcessEventView started;
  started.scope_key = instance;
  started.target_element_id = start_event.id;
  started.variables = variables;
  fill_owner(started, definition);
  started.process_instance_key = instance;
  step.event(record::ProcessEventIntent::Triggering, step.next_key(), started);

  step.command(record::ProcessInstanceIntent::ActivateElement, instance,
               process_value(definition, instance));

  record::ProcessInstanceCreationView created;
  fill_owner(created, definition);
  created.version = definition.version;
  created.process_instance_key = instance;
  step.event(record::ProcessInstanceCreationIntent::Created, step.next_key(), created);
}

}  // namespace beeline::engine
