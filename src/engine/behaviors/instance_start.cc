#include "engine/behaviors/instance_start.h"

namespace beeline::engine {

void start_by_event(Step& step, Key instance, const Definition& definition,
                    const bpmn::Element& start_event, const record::Document& variables) {
  record::ProcessEventRecord started;
  started.scope_key = instance;
  started.target_element_id = start_event.id;
  started.variables = variables;
  started.process_definition_key = definition.key;
  started.process_instance_key = instance;
  started.tenant_id = definition.tenant_id;
  step.event(record::ProcessEventIntent::Triggering, step.next_key(), started);

  record::ProcessInstanceRecord process;
  process.bpmn_process_id = definition.bpmn_process_id;
  process.version = definition.version;
  process.process_definition_key = definition.key;
  process.process_instance_key = instance;
  process.element_id = definition.bpmn_process_id;
  process.element_type = record::ElementType::Process;
  process.event_type = definition.model->root().event_type;
  process.tenant_id = definition.tenant_id;
  process.root_process_instance_key = instance;
  step.command(record::ProcessInstanceIntent::ActivateElement, instance, process);

  record::ProcessInstanceCreationRecord created;
  created.bpmn_process_id = definition.bpmn_process_id;
  created.version = definition.version;
  created.process_definition_key = definition.key;
  created.process_instance_key = instance;
  created.tenant_id = definition.tenant_id;
  step.event(record::ProcessInstanceCreationIntent::Created, step.next_key(), created);
}

}  // namespace beeline::engine
