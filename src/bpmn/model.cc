#include "bpmn/model.h"

#include "base/check.h"

namespace beeline::bpmn {
namespace {

void add_reference(std::vector<DeploymentReference>& out, const Element& element,
                   ReferenceKind kind, Binding binding, const Expression& id) {
  if (binding == Binding::Deployment && id.is_static) {
    out.push_back({.element = element.index, .kind = kind, .id = id.text});
  }
}

void add_form(std::vector<DeploymentReference>& out, const Element& element,
              const std::optional<Form>& form) {
  if (form && form->form_id) {
    add_reference(out, element, ReferenceKind::Form, form->binding, *form->form_id);
  }
}

}  // namespace

const Parts& Element::parts() const {
  static const Parts kNone;
  return parts_ ? *parts_ : kNone;
}

Parts& Element::mutable_parts() {
  if (!parts_) parts_ = std::make_unique<Parts>();
  return *parts_;
}

const Element& Process::element(ElementIndex index) const {
  BEELINE_CHECK(index.is_set() && static_cast<std::size_t>(index.value()) < elements.size(),
                "no element {} in process '{}'", index.value(), id);
  return elements[static_cast<std::size_t>(index.value())];
}

const Element* Process::find(std::string_view element_id) const {
  const auto found = by_id.find(element_id);
  return found == by_id.end() ? nullptr : &element(found->second);
}

const Element* Process::find(std::string_view element_id, ElementType type) const {
  const Element* found = find(element_id);
  if (found == nullptr || found->type == type) return found;
  if (found->type == ElementType::MultiInstanceBody) found = &element(found->inner);
  return found->type == type ? found : nullptr;
}

bool is_task(ElementType type) {
  using enum ElementType;
  switch (type) {
    case ServiceTask:
    case ReceiveTask:
    case UserTask:
    case ManualTask:
    case Task:
    case BusinessRuleTask:
    case ScriptTask:
    case SendTask:
      return true;
    case Unspecified:
    case Process:
    case SubProcess:
    case EventSubProcess:
    case AdHocSubProcess:
    case AdHocSubProcessInnerInstance:
    case StartEvent:
    case IntermediateCatchEvent:
    case IntermediateThrowEvent:
    case BoundaryEvent:
    case EndEvent:
    case ExclusiveGateway:
    case ParallelGateway:
    case EventBasedGateway:
    case InclusiveGateway:
    case SequenceFlow:
    case MultiInstanceBody:
    case CallActivity:
      return false;
  }
  return false;
}

bool is_activity(ElementType type) {
  using enum ElementType;
  return is_task(type) || type == SubProcess || type == AdHocSubProcess || type == CallActivity ||
         type == MultiInstanceBody;
}

bool is_scope(ElementType type) {
  using enum ElementType;
  return type == Process || type == SubProcess || type == EventSubProcess ||
         type == AdHocSubProcess;
}

bool is_gateway(ElementType type) {
  using enum ElementType;
  return type == ExclusiveGateway || type == ParallelGateway || type == EventBasedGateway ||
         type == InclusiveGateway;
}

bool is_event(ElementType type) {
  using enum ElementType;
  return type == StartEvent || type == IntermediateCatchEvent || type == IntermediateThrowEvent ||
         type == BoundaryEvent || type == EndEvent;
}

std::vector<DeploymentReference> deployment_references(const Process& process) {
  std::vector<DeploymentReference> out;
  for (const Element& element : process.elements) {
    const Parts& parts = element.parts();
    if (parts.called_element) {
      add_reference(out, element, ReferenceKind::Process, parts.called_element->binding,
                    parts.called_element->process_id);
    }
    if (parts.called_decision) {
      add_reference(out, element, ReferenceKind::Decision, parts.called_decision->binding,
                    parts.called_decision->decision_id);
    }
    if (parts.user_task) add_form(out, element, parts.user_task->form);
    add_form(out, element, parts.start_form);
    for (const LinkedResource& resource : parts.linked_resources) {
      add_reference(out, element, ReferenceKind::Resource, resource.binding, resource.resource_id);
    }
  }
  return out;
}

}  // namespace beeline::bpmn
