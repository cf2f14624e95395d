#include "engine/behaviors/element_context.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"

namespace beeline::engine {

const ElementInstanceRow& row_of(const Step& step, Key key) {
  return step.state().element_instances().get(key);
}

const bpmn::Element& catch_event_of(const ElementContext& host, std::string_view event_id,
                                    std::string_view definition_id) {
  const bpmn::Element* event = host.model().find_catch_event(*host.element, event_id);
  if (event != nullptr) event = event->find_definition(definition_id);
  BEELINE_ENSURE(event != nullptr, "no catch event '{}' with definition '{}' for element '{}'",
                 event_id, definition_id, host.element->id);
  return *event;
}

std::string described(const bpmn::Element& event) {
  const std::string& definition = event.parts().definition_id;
  if (definition.empty()) return fmt::format("element '{}'", event.id);
  return fmt::format("event definition '{}' of element '{}'", definition, event.id);
}

void borrow_names(ElementContext& context) {
  context.value.bpmn_process_id = context.definition->bpmn_process_id;
  set_element(context.value, *context.element);
  context.value.tenant_id = context.definition->tenant_id;
}

ElementContext context_of(const Step& step, Key key) {
  const ElementInstanceRow& row = row_of(step, key);
  ElementContext context;
  context.key = key;
  context.definition = &step.state().definitions().get(row.process_definition_key);
  context.element = &context.definition->model->element(bpmn::ElementIndex{row.element});
  record::ProcessInstanceView& value = context.value;
  borrow_names(context);
  value.version = context.definition->version;
  value.process_definition_key = row.process_definition_key;
  value.process_instance_key = row.process_instance_key;
  value.flow_scope_key = row.flow_scope_key;
  value.parent_process_instance_key = row.parent_process_instance_key;
  value.parent_element_instance_key = row.parent_element_instance_key;
  value.root_process_instance_key = row.root_process_instance_key;
  return context;
}

ElementContext child_context(const ElementContext& scope, const bpmn::Element& element) {
  ElementContext child;
  child.definition = scope.definition;
  child.element = &element;
  child.value = scope.value;
  set_element(child.value, element);
  child.value.flow_scope_key = scope.key;
  return child;
}

record::ProcessInstanceView process_value(const Definition& definition, Key instance) {
  record::ProcessInstanceView value;
  fill_owner(value, definition);
  value.version = definition.version;
  value.process_instance_key = instance;
  set_element(value, definition.model->root());
  value.root_process_instance_key = instance;
  return value;
}

void fill_paths(const Step& step, const ElementContext& context, record::ActivationPart& part) {
  const record::ProcessInstanceView& value = context.value;
  record::KeyPath path;
  path.keys.push_back(context.key);
  Key scope = value.flow_scope_key;
  Key caller = value.parent_element_instance_key;
  part.process_definition_path.push_back(value.process_definition_key);
  while (true) {
    while (scope.is_set()) {
      path.keys.push_back(scope);
      scope = row_of(step, scope).flow_scope_key;
    }
    std::reverse(path.keys.begin(), path.keys.end());
    part.element_instance_path.push_back(std::move(path));
    if (!caller.is_set()) break;
    const ElementContext calling = context_of(step, caller);
    part.process_definition_path.push_back(calling.value.process_definition_key);
    part.calling_element_path.push_back(calling.element->parts().called_element->rank);
    path = record::KeyPath{.keys = {caller}};
    scope = calling.value.flow_scope_key;
    caller = calling.value.parent_element_instance_key;
  }
  std::reverse(part.element_instance_path.begin(), part.element_instance_path.end());
  std::reverse(part.process_definition_path.begin(), part.process_definition_path.end());
  std::reverse(part.calling_element_path.begin(), part.calling_element_path.end());
}

const bpmn::Element& scope_element(const Step& step, const ElementContext& child) {
  return child.element_at(bpmn::ElementIndex{row_of(step, child.value.flow_scope_key).element});
}

ElementContext scope_context(const Step& step, const ElementContext& child) {
  return context_of(step, child.value.flow_scope_key);
}

}  // namespace beeline::engine
