#include "bpmn/model.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

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

template <typename Number>
std::uint64_t load(std::string_view id, std::size_t at) {
  Number number = 0;
  std::memcpy(&number, id.data() + at, sizeof number);
  return number;
}

// All bits of the factors influence the upper bits of a product.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t product = (a * 0x9e3779b97f4a7c15U + b) * 0xd6e8feb86659fd93U;
  return product ^ (product >> 32U);
}

// Most ids are short; they are read in two pieces, one from each end, which overlap if the id is
// shorter than both.
std::uint64_t hash_of(std::string_view id) {
  const std::size_t size = id.size();
  if (size >= 8 && size <= 16) {
    return mix(load<std::uint64_t>(id, 0) + size, load<std::uint64_t>(id, size - 8));
  }
  if (size >= 4 && size < 8) {
    return mix(load<std::uint32_t>(id, 0) + size, load<std::uint32_t>(id, size - 4));
  }
  return std::hash<std::string_view>{}(id);
}

// This is not a static inside parts(), where each call would check whether it is initialised.
const Parts kNoParts;

}  // namespace

const Parts& Element::parts() const {
  return parts_ ? *parts_ : kNoParts;
}

Parts& Element::mutable_parts() {
  if (!parts_) parts_ = std::make_unique<Parts>();
  return *parts_;
}

std::span<const Element> Element::definitions() const {
  if (is_multiple()) return parts().definitions;
  return {this, 1};
}

const Element* Element::find_definition(std::string_view definition_id) const {
  for (const Element& definition : definitions()) {
    if (definition.parts().definition_id == definition_id) return &definition;
  }
  return definition_id.empty() ? this : nullptr;
}

bool Element::has_definition(EventType wanted) const {
  return std::ranges::any_of(definitions(),
                             [wanted](const Element& each) { return each.event_type == wanted; });
}

std::size_t IdIndex::place_of(const std::vector<Element>& elements, std::string_view id,
                              std::uint64_t hash) const {
  const std::size_t mask = places_.size() - 1;
  std::size_t at = static_cast<std::size_t>(hash) & mask;
  while (true) {
    const Place& place = places_[at];
    if (!place.element.is_set()) return at;
    if (place.hash == static_cast<std::uint32_t>(hash) &&
        elements[static_cast<std::size_t>(place.element.value())].id == id) {
      return at;
    }
    at = (at + 1) & mask;
  }
}

ElementIndex IdIndex::find(const std::vector<Element>& elements, std::string_view id) const {
  if (places_.empty()) return {};
  return places_[place_of(elements, id, hash_of(id))].element;
}

void IdIndex::add(const std::vector<Element>& elements, ElementIndex element, bool replaces) {
  if (2 * (count_ + 1) > places_.size()) grow(elements);
  const std::string& id = elements[static_cast<std::size_t>(element.value())].id;
  const std::uint64_t hash = hash_of(id);
  Place& place = places_[place_of(elements, id, hash)];
  if (place.element.is_set() && !replaces) return;
  if (!place.element.is_set()) ++count_;
  place = {static_cast<std::uint32_t>(hash), element};
}

void IdIndex::grow(const std::vector<Element>& elements) {
  const std::vector<Place> former =
      std::exchange(places_, std::vector<Place>(std::max<std::size_t>(16, 2 * places_.size())));
  count_ = 0;
  for (const Place& place : former) {
    if (place.element.is_set()) add(elements, place.element, false);
  }
}

const Element* Process::find(std::string_view element_id) const {
  const ElementIndex found = by_id.find(elements, element_id);
  return found.is_set() ? &element(found) : nullptr;
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
