#include "engine/behaviors/element_context.h"

#include "base/check.h"

namespace beeline::engine {

const ElementInstanceRow& row_of(const Step& step, Key key) {
  const ElementInstanceRow* row = step.state().element_instances().find(key);
  BEELINE_ENSURE(row != nullptr, "no element instance with key {}", key.value());
  return *row;
}

ElementContext context_of(const Step& step, Key key) {
  const ElementInstanceRow& row = row_of(step, key);
  ElementContext context;
  context.key = key;
  context.definition = step.state().definitions().find(row.process_definition_key);
  BEELINE_ENSURE(context.definition != nullptr, "no process definition with key {}",
                 row.process_definition_key.value());
  context.element = &context.definition->model->element(bpmn::ElementIndex{row.element});
  record::ProcessInstanceRecord& value = context.value;
  value.bpmn_process_id = context.definition->bpmn_process_id;
  value.version = context.definition->version;
  value.process_definition_key = row.process_definition_key;
  value.process_instance_key = row.process_instance_key;
  value.element_id = context.element->id;
  value.element_type = context.element->type;
  value.event_type = context.element->event_type;
  value.flow_scope_key = row.flow_scope_key;
  value.parent_process_instance_key = row.parent_process_instance_key;
  value.parent_element_instance_key = row.parent_element_instance_key;
  value.tenant_id = context.definition->tenant_id;
  value.root_process_instance_key = row.root_process_instance_key;
  return context;
}

ElementContext child_context(const ElementContext& scope, const bpmn::Element& element) {
  ElementContext child;
  child.definition = scope.definition;
  child.element = &element;
  child.value = scope.value;
  child.value.element_id = element.id;
  child.value.element_type = element.type;
  child.value.event_type = element.event_type;
  child.value.flow_scope_key = scope.key;
  return child;
}

const bpmn::Element& scope_element(const Step& step, const ElementContext& child) {
  return child.element_at(bpmn::ElementIndex{row_of(step, child.value.flow_scope_key).element});
}

ElementContext scope_context(const Step& step, const ElementContext& child) {
  return context_of(step, child.value.flow_scope_key);
}

}  // namespace beeline::engine
