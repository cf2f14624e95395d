#include "bpmn/draft.h"

// Rules of compensation: boundary events, their handlers, and the events that may trigger them.
namespace beeline::bpmn {
namespace {

bool has_compensation_boundary(const Draft& draft, const Element& activity) {
  for (const ElementIndex index : activity.boundary_events) {
    if (draft.at(index).event_type == EventType::Compensation) return true;
  }
  return false;
}

// A second one would have no part in what happens.
void check_single(const Draft& draft, const Element& activity, Findings& findings) {
  const Element* first = nullptr;
  for (const ElementIndex index : activity.boundary_events) {
    const Element& event = draft.at(index);
    if (event.event_type != EventType::Compensation) continue;
    if (first != nullptr) {
      findings.error(event.id, fmt::format("must be the only compensation boundary event of '{}', "
                                           "but '{}' is one too",
                                           activity.id, first->id));
    }
    if (first == nullptr) first = &event;
  }
}

void check_handler(const Element& handler, Findings& findings) {
  if (!handler.incoming.empty() || !handler.outgoing.empty()) {
    findings.error(handler.id,
                   "must not have incoming or outgoing flows, since it is a "
                   "compensation handler");
  }
  if (!handler.boundary_events.empty()) {
    findings.error(handler.id, "must not have boundary events, since it is a compensation handler");
  }
}

void check_throw(const Draft& draft, const Element& element, Findings& findings) {
  const ElementIndex index = element.parts().compensation->activity;
  if (!index.is_set()) return;
  const Element& activity = draft.at(index);
  if (activity.type != ElementType::SubProcess && !has_compensation_boundary(draft, activity)) {
    findings.error(element.id, fmt::format("must compensate an activity that has a compensation "
                                           "boundary event or is an embedded subprocess, but '{}' "
                                           "does not",
                                           activity.id));
  }
  const Element& scope = draft.at(element.flow_scope);
  const bool same = activity.flow_scope == element.flow_scope;
  const bool around =
      scope.type == ElementType::EventSubProcess && activity.flow_scope == scope.flow_scope;
  if (!same && !around) {
    findings.error(element.id, fmt::format("must compensate an activity of its own scope, but '{}' "
                                           "is in another",
                                           activity.id));
  }
}

}  // namespace

void check_compensation(const Draft& draft, Findings& findings) {
  for (const Element& element : draft.process.elements) {
    if (element.for_compensation) check_handler(element, findings);
    if (!element.boundary_events.empty()) check_single(draft, element, findings);
    if (!element.parts().compensation) continue;
    if (element.type != ElementType::BoundaryEvent) {
      check_throw(draft, element, findings);
    } else if (!element.outgoing.empty()) {
      findings.error(element.id,
                     "must not have outgoing flows, since it is a compensation boundary "
                     "event");
    }
  }
}

}  // namespace beeline::bpmn
