#include <iterator>
#include <map>

#include "bpmn/draft.h"

// Converts references by id into indices, and reports ids that lead nowhere.
namespace beeline::bpmn {
namespace {

bool is_node(ElementType type) {
  return type != ElementType::SequenceFlow && type != ElementType::Process;
}

void link_flow(Draft& draft, Element& flow, Findings& findings) {
  const XmlNode& node = draft.node(flow.index);
  const auto resolve = [&](const char* attribute) {
    const std::string_view reference = node.attribute(attribute);
    const ElementIndex found = draft.find(reference);
    if (reference.empty()) {
      findings.error(flow.id, fmt::format("must have a {}", attribute));
    } else if (!found.is_set() || !is_node(draft.at(found).type)) {
      findings.error(
          flow.id,
          fmt::format("must have a flow node as {}, but '{}' is not a flow node of this process",
                      attribute, reference));
    } else if (draft.at(found).flow_scope != flow.flow_scope) {
      findings.error(flow.id, fmt::format("must have a {} in its own scope '{}', but '{}' is in "
                                          "'{}'",
                                          attribute, draft.at(flow.flow_scope).id, reference,
                                          draft.at(draft.at(found).flow_scope).id));
    } else {
      return found;
    }
    return ElementIndex{};
  };
  const ElementIndex source = resolve("sourceRef");
  const ElementIndex target = resolve("targetRef");
  if (!source.is_set() || !target.is_set()) return;
  flow.source = source;
  flow.target = target;
  draft.at(source).outgoing.push_back(flow.index);
  draft.at(target).incoming.push_back(flow.index);
}

void link_default(Draft& draft, Element& gateway, Findings& findings) {
  const std::string_view reference = draft.node(gateway.index).attribute("default");
  if (reference.empty()) return;
  const ElementIndex found = draft.find(reference);
  if (!found.is_set() || draft.at(found).source != gateway.index) {
    findings.error(gateway.id, fmt::format("must have a default flow that starts at it, but '{}' "
                                           "does not",
                                           reference));
    return;
  }
  gateway.default_flow = found;
}

void link_boundary(Draft& draft, Element& boundary, Findings& findings) {
  const std::string_view reference = draft.node(boundary.index).attribute("attachedToRef");
  const ElementIndex found = draft.find(reference);
  if (reference.empty()) {
    findings.error(boundary.id, "must be attached to an activity");
    return;
  }
  if (!found.is_set() || !is_activity(draft.at(found).type) ||
      draft.at(found).flow_scope != boundary.flow_scope) {
    findings.error(
        boundary.id,
        fmt::format("must be attached to an activity, but '{}' is not an activity of its scope",
                    reference));
    return;
  }
  boundary.attached_to = found;
  draft.at(found).boundary_events.push_back(boundary.index);
}

void link_scope(Draft& draft, Element& scope) {
  for (const ElementIndex index : scope.children) {
    const Element& child = draft.at(index);
    if (child.type == ElementType::StartEvent) {
      scope.start_events.push_back(index);
      if (child.event_type == EventType::None && !scope.none_start.is_set()) {
        scope.none_start = index;
      }
    } else if (child.type == ElementType::EventSubProcess) {
      scope.event_subprocesses.push_back(index);
    }
  }
  if (scope.type == ElementType::EventSubProcess && !scope.start_events.empty()) {
    scope.interrupting = draft.at(scope.start_events.front()).interrupting;
  }
}

bool is_link(const Element& element, ElementType type) {
  return element.type == type && element.parts().link.has_value();
}

// Links lead to a catch event of the same name in the same scope; names are unique in the process.
void link_links(Draft& draft, Findings& findings) {
  std::map<std::string, ElementIndex> catches;
  for (const Element& element : draft.process.elements) {
    if (!is_link(element, ElementType::IntermediateCatchEvent)) continue;
    const std::string& name = element.parts().link->name;
    const auto [other, is_new] = catches.emplace(name, element.index);
    if (!is_new && !name.empty()) {
      findings.error(
          element.id,
          fmt::format("must have a link name of its own, but '{}' is also the link name of '{}'",
                      name, draft.at(other->second).id));
    }
  }
  for (Element& element : draft.process.elements) {
    if (!is_link(element, ElementType::IntermediateThrowEvent)) continue;
    Link& link = *element.mutable_parts().link;
    const auto found = catches.find(link.name);
    if (found != catches.end() && draft.at(found->second).flow_scope == element.flow_scope) {
      link.catch_event = found->second;
    } else if (!link.name.empty()) {
      findings.error(element.id, fmt::format("must have a link catch event named '{}' in its "
                                             "scope, but there is none",
                                             link.name));
    }
  }
}

// Returns the targets of all associations by their source; a target is unset if it is not an
// element.
std::multimap<ElementIndex, ElementIndex> associations_of(const Draft& draft) {
  std::multimap<ElementIndex, ElementIndex> all;
  for (const Element& scope : draft.process.elements) {
    if (!is_scope(scope.type)) continue;
    for (const XmlNode& child : draft.node(scope.index).children) {
      if (!child.is(Namespace::Bpmn, "association")) continue;
      const ElementIndex source = draft.find(child.attribute("sourceRef"));
      if (source.is_set()) all.emplace(source, draft.find(child.attribute("targetRef")));
    }
  }
  return all;
}

void link_compensation(Draft& draft, Findings& findings) {
  const std::multimap<ElementIndex, ElementIndex> associations = associations_of(draft);
  for (Element& element : draft.process.elements) {
    if (element.for_compensation) element.event_type = EventType::Compensation;
    if (!element.parts().compensation) continue;
    Compensation& compensation = *element.mutable_parts().compensation;
    if (element.type == ElementType::BoundaryEvent) {
      const auto [first, last] = associations.equal_range(element.index);
      for (auto it = first; it != last; ++it) {
        if (!it->second.is_set() || !draft.at(it->second).for_compensation) {
          findings.error(element.id,
                         "must be associated with an activity that is for compensation");
        } else {
          compensation.handler = it->second;
        }
      }
      const auto count = std::distance(first, last);
      if (count != 1) {
        findings.error(element.id, fmt::format("must have exactly one association with a "
                                               "compensation handler, but has {}",
                                               count));
      }
      continue;
    }
    const XmlNode* definition =
        draft.node(element.index).child(Namespace::Bpmn, "compensateEventDefinition");
    const std::string_view reference =
        definition == nullptr ? std::string_view{} : definition->attribute("activityRef");
    if (reference.empty()) continue;
    compensation.activity = draft.find(reference);
    if (!compensation.activity.is_set() || !is_activity(draft.at(compensation.activity).type)) {
      findings.error(
          element.id,
          fmt::format("must compensate an activity, but '{}' is not an activity", reference));
      compensation.activity = {};
    }
  }
}

}  // namespace

void link_draft(Draft& draft, Findings& findings) {
  // Flows are linked before the elements that look at flows.
  std::vector<Element>& elements = draft.process.elements;
  for (Element& element : elements) {
    if (element.type == ElementType::SequenceFlow) link_flow(draft, element, findings);
  }
  for (Element& element : elements) {
    if (element.type == ElementType::ExclusiveGateway ||
        element.type == ElementType::InclusiveGateway) {
      link_default(draft, element, findings);
    }
    if (element.type == ElementType::BoundaryEvent) link_boundary(draft, element, findings);
    if (is_scope(element.type)) link_scope(draft, element);
  }
  link_links(draft, findings);
  link_compensation(draft, findings);
}

}  // namespace beeline::bpmn
