#include "bpmn/draft.h"

// Rules of transactions: their cancel end events and their cancel boundary event.
namespace beeline::bpmn {
namespace {

bool is_cancel(const Element& element, ElementType type) {
  return element.type == type && element.event_type == EventType::Cancel;
}

// Returns the first cancel event of this type among the elements; null if there is none.
const Element* find_cancel(const Draft& draft, const std::vector<ElementIndex>& elements,
                           ElementType type) {
  for (const ElementIndex index : elements) {
    if (is_cancel(draft.at(index), type)) return &draft.at(index);
  }
  return nullptr;
}

void check_transaction(const Draft& draft, const Element& transaction, Findings& findings) {
  const Element* end = find_cancel(draft, transaction.children, ElementType::EndEvent);
  if (end == nullptr) return;
  if (find_cancel(draft, transaction.boundary_events, ElementType::BoundaryEvent) == nullptr) {
    findings.error(transaction.id, fmt::format("must have a cancel boundary event, since it "
                                               "contains the cancel end event '{}'",
                                               end->id));
  }
  if (transaction.parts().loop) {
    findings.error(transaction.id,
                   fmt::format("must not be multi-instance, since it contains the cancel end event "
                               "'{}'; put it into a multi-instance subprocess instead",
                               end->id));
  }
  if (transaction.parts().standard_loop) {
    findings.error(transaction.id,
                   fmt::format("must not have a standard loop, since it contains the cancel end "
                               "event '{}'; put it into a subprocess with the loop instead",
                               end->id));
  }
}

void check_end(const Draft& draft, const Element& end, Findings& findings) {
  const Element& scope = draft.at(end.flow_scope);
  if (scope.transaction) return;
  findings.error(end.id, fmt::format("must be directly in a transaction, since it is a cancel end "
                                     "event, but '{}' is not one",
                                     scope.id));
}

void check_boundary(const Draft& draft, const Element& boundary, Findings& findings) {
  if (!boundary.attached_to.is_set()) return;  // reported elsewhere
  const Element& activity = draft.at(boundary.attached_to);
  if (!activity.transaction) {
    findings.error(boundary.id, fmt::format("must be attached to a transaction, since it is a "
                                            "cancel boundary event, but '{}' is not one",
                                            activity.id));
    return;
  }
  const Element* first = find_cancel(draft, activity.boundary_events, ElementType::BoundaryEvent);
  if (first != &boundary) {
    findings.error(boundary.id, fmt::format("must be the only cancel boundary event of '{}', but "
                                            "'{}' is one too",
                                            activity.id, first->id));
  }
}

}  // namespace

void check_transactions(const Draft& draft, Findings& findings) {
  for (const Element& element : draft.process.elements) {
    if (element.transaction) check_transaction(draft, element, findings);
    if (is_cancel(element, ElementType::EndEvent)) check_end(draft, element, findings);
    if (is_cancel(element, ElementType::BoundaryEvent)) check_boundary(draft, element, findings);
  }
}

}  // namespace beeline::bpmn
