#include "engine/behaviors/instance_start.h"

#include "base/check.h"
#include "engine/behaviors/element_context.h"

namespace beeline::engine {

const bpmn::Element& start_event_of(const Definition& definition, std::string_view event_id,
                                    std::string_view definition_id) {
  const bpmn::Element* event = definition.model->find(event_id);
  if (event != nullptr) event = event->find_definition(definition_id);
  BEELINE_ENSURE(event != nullptr, "no start event '{}' with definition '{}'", event_id,
                 definition_id);
  return *event;
}

void start_by_event(Step& step, Key instance, const Definition& definition,
                    const bpmn::Element& start_event, const record::DocumentView& variables) {
  record::ProcessEventView started;
  started.scope_key = instance;
  started.target_element_id = start_event.id;
  started.event_definition_id = start_event.parts().definition_id;
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
