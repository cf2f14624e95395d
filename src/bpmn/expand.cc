#include <algorithm>
#include <utility>

#include "bpmn/draft.h"

// The last stage, for a model without errors. It adds elements that the XML does not contain, and
// lists that the engine would otherwise compute each time.
namespace beeline::bpmn {
namespace {

ElementIndex append(Draft& draft, std::string id, std::string name, ElementType type,
                    ElementIndex scope) {
  const ElementIndex index{static_cast<std::int32_t>(draft.process.elements.size())};
  Element& element = draft.process.elements.emplace_back();
  element.id = std::move(id);
  element.name = std::move(name);
  element.type = type;
  element.index = index;
  element.flow_scope = scope;
  return index;
}

// The contents of an ad-hoc subprocess, except event subprocesses, move into its inner instance.
void expand_ad_hoc(Draft& draft, ElementIndex ad_hoc) {
  draft.at(ad_hoc).mutable_parts().ad_hoc->activatable = activatable_of(draft, draft.at(ad_hoc));
  const ElementIndex inner =
      append(draft, draft.at(ad_hoc).id + "#innerInstance", draft.at(ad_hoc).name,
             ElementType::AdHocSubProcessInnerInstance, ad_hoc);
  Element& outer = draft.at(ad_hoc);
  std::vector<ElementIndex> children = std::exchange(outer.children, {inner});
  for (const ElementIndex index : children) {
    Element& child = draft.at(index);
    if (child.type == ElementType::EventSubProcess) {
      outer.children.push_back(index);
    } else {
      child.flow_scope = inner;
      draft.at(inner).children.push_back(index);
    }
  }
  outer.inner = inner;
  draft.process.add_to_index(inner);
}

// Puts a body around an activity with a loop. The caller redirects references to the activity, once
// for all bodies.
ElementIndex expand_loop(Draft& draft, ElementIndex activity) {
  const ElementIndex body = append(draft, draft.at(activity).id, draft.at(activity).name,
                                   ElementType::MultiInstanceBody, draft.at(activity).flow_scope);
  Element& outer = draft.at(body);
  Element& inner = draft.at(activity);
  outer.incoming = std::exchange(inner.incoming, {});
  outer.outgoing = std::exchange(inner.outgoing, {});
  outer.boundary_events = std::exchange(inner.boundary_events, {});
  outer.for_compensation = std::exchange(inner.for_compensation, false);
  if (outer.for_compensation) outer.event_type = EventType::Compensation;
  outer.children = {activity};
  outer.inner = activity;
  Parts& inner_parts = inner.mutable_parts();
  outer.mutable_parts().loop = std::exchange(inner_parts.loop, std::nullopt);
  outer.mutable_parts().standard_loop = std::exchange(inner_parts.standard_loop, std::nullopt);
  const auto before_all =
      std::stable_partition(inner_parts.listeners.begin(), inner_parts.listeners.end(),
                            [](const Listener& l) { return l.event != ListenerEvent::BeforeAll; });
  std::move(before_all, inner_parts.listeners.end(),
            std::back_inserter(outer.mutable_parts().listeners));
  inner_parts.listeners.erase(before_all, inner_parts.listeners.end());
  draft.process.replace_in_index(body);
  return body;
}

void redirect(Draft& draft, const std::vector<ElementIndex>& body_of) {
  const auto fix = [&](ElementIndex& index) {
    if (!index.is_set() || static_cast<std::size_t>(index.value()) >= body_of.size()) return;
    const ElementIndex body = body_of[static_cast<std::size_t>(index.value())];
    if (body.is_set()) index = body;
  };
  for (Element& element : draft.process.elements) {
    fix(element.source);
    fix(element.target);
    fix(element.attached_to);
    if (element.type != ElementType::MultiInstanceBody) {
      for (ElementIndex& child : element.children) fix(child);
    }
    if (element.parts().compensation) {
      fix(element.mutable_parts().compensation->handler);
      fix(element.mutable_parts().compensation->activity);
    }
    if (element.parts().ad_hoc) {
      for (ElementIndex& child : element.mutable_parts().ad_hoc->activatable) fix(child);
    }
  }
  for (Element& element : draft.process.elements) {
    if (element.type == ElementType::MultiInstanceBody)
      draft.at(element.inner).flow_scope = element.index;
  }
}

// A definition of a multiple event has the place of the event.
void place_definitions(Element& event) {
  for (Element& definition : event.mutable_parts().definitions) {
    definition.index = event.index;
    definition.flow_scope = event.flow_scope;
    definition.attached_to = event.attached_to;
  }
}

void collect_events(Draft& draft, Element& element) {
  using enum ElementType;
  if (element.type == ReceiveTask ||
      (element.type == IntermediateCatchEvent && element.event_type != EventType::Link)) {
    element.events.push_back(element.index);
  }
  if (element.type == EventBasedGateway) {
    for (const ElementIndex flow : element.outgoing) {
      element.events.push_back(draft.at(flow).target);
    }
  }
  for (const ElementIndex index : element.event_subprocesses) {
    const std::vector<ElementIndex>& starts = draft.at(index).start_events;
    element.events.insert(element.events.end(), starts.begin(), starts.end());
  }
  for (const ElementIndex index : element.boundary_events) {
    if (draft.at(index).event_type == EventType::Compensation) {
      element.compensated_by = index;
    } else {
      element.events.push_back(index);
    }
  }
}

}  // namespace

// The order in which elements are appended is a format: see README.md, "The place of an element".
void expand_draft(Draft& draft) {
  const std::size_t count = draft.process.elements.size();
  std::vector<ElementIndex> body_of(count);
  for (std::size_t i = 0; i < count; ++i) {
    const ElementIndex index{static_cast<std::int32_t>(i)};
    if (draft.at(index).type == ElementType::AdHocSubProcess) expand_ad_hoc(draft, index);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const ElementIndex index{static_cast<std::int32_t>(i)};
    const Parts& parts = draft.at(index).parts();
    if (parts.loop || parts.standard_loop) body_of[i] = expand_loop(draft, index);
  }
  redirect(draft, body_of);
  for (Element& element : draft.process.elements) {
    if (element.is_multiple()) place_definitions(element);
    collect_events(draft, element);
  }
}

}  // namespace beeline::bpmn
