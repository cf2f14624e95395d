#include "bpmn/draft.h"

// Rules of processes and subprocesses: how they start and what they contain.
namespace beeline::bpmn {
namespace {

void check_process(const Draft& draft, const Element& process, Findings& findings) {
  if (process.start_events.empty()) {
    findings.error(process.id, "must have at least one start event");
  }
  int none = 0;
  for (const ElementIndex index : process.start_events) {
    if (draft.at(index).event_type == EventType::None) ++none;
  }
  if (none > 1) {
    findings.error(process.id,
                   fmt::format("must have at most one none start event, but has {}", none));
  }
}

void check_single_start(const Element& scope, std::string_view what, Findings& findings) {
  if (scope.start_events.size() != 1) {
    findings.error(scope.id, fmt::format("must have exactly one start event, since it is {}, but "
                                         "has {}",
                                         what, scope.start_events.size()));
  }
}

bool is_ad_hoc_activatable(const Element& element) {
  using enum ElementType;
  if (!element.incoming.empty() || element.for_compensation) return false;
  return is_activity(element.type) || is_gateway(element.type) ||
         element.type == IntermediateCatchEvent || element.type == IntermediateThrowEvent;
}

void check_ad_hoc(const Draft& draft, const Element& scope, Findings& findings) {
  bool has_activity = false;
  for (const ElementIndex index : scope.children) {
    const Element& child = draft.at(index);
    has_activity = has_activity || is_activity(child.type);
    if (child.type == ElementType::StartEvent || child.type == ElementType::EndEvent) {
      findings.error(child.id, fmt::format("must not be in the ad-hoc subprocess '{}': it has "
                                           "neither start nor end events",
                                           scope.id));
    }
    if (child.type == ElementType::EventSubProcess && child.interrupting &&
        !child.start_events.empty()) {
      findings.error(child.id, fmt::format("must be non-interrupting, since it is in the ad-hoc "
                                           "subprocess '{}'",
                                           scope.id));
    }
  }
  if (!has_activity) findings.error(scope.id, "must have at least one activity");
}

}  // namespace

void check_scopes(const Draft& draft, Findings& findings) {
  for (const Element& element : draft.process.elements) {
    if (element.type == ElementType::Process) check_process(draft, element, findings);
    if (element.type == ElementType::SubProcess) {
      check_single_start(element, "an embedded subprocess", findings);
    }
    if (element.type == ElementType::EventSubProcess) {
      check_single_start(element, "an event subprocess", findings);
    }
    if (element.type == ElementType::AdHocSubProcess) check_ad_hoc(draft, element, findings);
  }
}

std::vector<ElementIndex> activatable_of(const Draft& draft, const Element& ad_hoc) {
  std::vector<ElementIndex> activatable;
  for (const ElementIndex index : ad_hoc.children) {
    if (is_ad_hoc_activatable(draft.at(index))) activatable.push_back(index);
  }
  return activatable;
}

}  // namespace beeline::bpmn
