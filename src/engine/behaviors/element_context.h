#pragma once

#include <string>
#include <string_view>

#include "bpmn/model.h"
#include "engine/state/definitions.h"
#include "engine/state/element_of.h"
#include "engine/step.h"
#include "record/values.h"

namespace beeline::engine {

// An element instance as behaviors and elements use it: its place in the model, and the value of
// its records. It is valid while one command is processed; its state is looked up when needed,
// since events change it.
struct ElementContext {
  Key key;
  const Definition* definition = nullptr;
  const bpmn::Element* element = nullptr;
  record::ProcessInstanceView value;

  [[nodiscard]] const bpmn::Process& model() const { return *definition->model; }
  [[nodiscard]] const bpmn::Element& element_at(bpmn::ElementIndex index) const {
    return definition->model->element(index);
  }
};

// Returns the context of an element instance that exists.
[[nodiscard]] ElementContext context_of(const Step& step, Key key);
// Returns the context of an instance that is about to be activated within `scope`; its key is not
// set.
[[nodiscard]] ElementContext child_context(const ElementContext& scope,
                                           const bpmn::Element& element);
// Returns the context of the flow scope; `child` must have one.
[[nodiscard]] ElementContext scope_context(const Step& step, const ElementContext& child);

// Returns the catch event with this id that the host waits for, or its definition with this id if
// it has several; it must exist.
[[nodiscard]] const bpmn::Element& catch_event_of(const ElementContext& host,
                                                  std::string_view event_id,
                                                  std::string_view definition_id = {});
// Names an event in an incident: "element 'x'", or "event definition 'x#1' of element 'x'".
[[nodiscard]] std::string described(const bpmn::Element& event);

// Lets the value of a context borrow its names from the definition, which lasts for the batch,
// instead of the current command.
void borrow_names(ElementContext& context);

// Records in a value to which element instance it belongs: fills the fields that the value has for
// the process instance, its root, its definition, process id and tenant, and the element instance.
template <typename T>
void fill_owner(T& value, const ElementContext& context) {
  value.process_instance_key = context.value.process_instance_key;
  value.tenant_id = context.value.tenant_id;
  if constexpr (requires { value.process_definition_key; }) {
    value.process_definition_key = context.value.process_definition_key;
  }
  if constexpr (requires { value.bpmn_process_id; }) {
    value.bpmn_process_id = context.value.bpmn_process_id;
  }
  if constexpr (requires { value.root_process_instance_key; }) {
    value.root_process_instance_key = context.value.root_process_instance_key;
  }
  if constexpr (requires { value.element_instance_key; }) {
    value.element_instance_key = context.key;
  }
}
// Does the same for a value that belongs to a process definition.
template <typename T>
void fill_owner(T& value, const Definition& definition) {
  value.process_definition_key = definition.key;
  value.tenant_id = definition.tenant_id;
  if constexpr (requires { value.bpmn_process_id; }) {
    value.bpmn_process_id = definition.bpmn_process_id;
  }
}

// Returns the value of a new process instance.
[[nodiscard]] record::ProcessInstanceView process_value(const Definition& definition, Key instance);

// Adds the paths from the root down to an instance (spec: lifecycle 9), which may be about to be
// activated.
void fill_paths(const Step& step, const ElementContext& context, record::ActivationPart& part);

// Returns the element of the flow scope without making a context; `child` must have one.
[[nodiscard]] const bpmn::Element& scope_element(const Step& step, const ElementContext& child);

// Returns the row of an instance that must exist.
[[nodiscard]] const ElementInstanceRow& row_of(const Step& step, Key key);

}  // namespace beeline::engine
