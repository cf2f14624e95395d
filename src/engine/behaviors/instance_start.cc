#include "engine/behaviors/instance_start.h"

#include "engine/behaviors/element_context.h"

namespace beeline::engine {

void start_by_event(Step& step, Key instance, const Definition& definition,
                    const bpmn::Element& start_event, const record::DocumentView& variables) {
  record::ProcessEventView started;
  started.scope_key = instance;
  started.target_element_id = start_event.id;
  started.variables = variables;
  started.process_definition_key = definition.key;
  started.process_instance_key = instance;
  started.tenant_id = definition.tenant_id;
  step.event(record::ProcessEventIntent::Triggering, step.next_key(), started);

  step.command(record::ProcessInstanceIntent::ActivateElement, instance,
               process_value(definition, instance));

  record::ProcessInstanceCreationView created;
  created.bpmn_process_id = definition.bpmn_process_id;
  created.version = definition.version;
  created.process_definition_key = definition.key;
  created.process_instance_key = instance;
  created.tenant_id = definition.tenant_id;
  step.event(record::ProcessInstanceCreationIntent::Created, step.next_key(), created);
}

}  // namespace beeline::engine
