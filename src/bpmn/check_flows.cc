#include <algorithm>

#include "bpmn/draft.h"

// Rules of sequence flows, gateways, and of the elements that may be connected.
namespace beeline::bpmn {
namespace {

bool chooses(ElementType type) {
  return type == ElementType::ExclusiveGateway || type == ElementType::InclusiveGateway;
}

void check_flow(const Draft& draft, const Element& flow, Findings& findings) {
  if (!flow.source.is_set()) return;  // reported when linking
  const Element& source = draft.at(flow.source);
  const Element& target = draft.at(flow.target);
  if (flow.parts().condition && !chooses(source.type)) {
    findings.error(flow.id, fmt::format("must not have a condition: conditional flows must start "
                                        "at an exclusive, inclusive or complex gateway, but '{}' "
                                        "is not one",
                                        source.id));
  }
  if (source.type == ElementType::EndEvent) {
    findings.error(source.id, fmt::format("must not have outgoing flows, but has '{}'", flow.id));
  }
  if (target.type == ElementType::StartEvent) {
    findings.error(target.id, fmt::format("must not have incoming flows, but has '{}'", flow.id));
  }
  if (target.type == ElementType::BoundaryEvent) {
    findings.error(target.id, fmt::format("must not have incoming flows, since it is a boundary "
                                          "event, but has '{}'",
                                          flow.id));
  }
}

void check_choice(const Draft& draft, const Element& gateway, Findings& findings) {
  if (gateway.outgoing.size() <= 1) return;
  for (const ElementIndex index : gateway.outgoing) {
    const Element& flow = draft.at(index);
    if (index != gateway.default_flow && !flow.parts().condition) {
      findings.error(gateway.id, fmt::format("must have a condition on each outgoing flow except "
                                             "the default flow, but '{}' has none",
                                             flow.id));
    }
  }
}

void check_complex(const Element& gateway, Findings& findings) {
  const auto& join = gateway.parts().complex_join;
  if (!join || !join->activation_condition || gateway.incoming.size() > 1) return;
  findings.error(
      gateway.id,
      fmt::format("must not have an activationCondition, since it has {} incoming flow{} "
                  "and nothing to wait for; remove the condition, or put it on the "
                  "outgoing flows",
                  gateway.incoming.size(), gateway.incoming.size() == 1 ? "" : "s"));
}

void check_event_based(const Draft& draft, const Element& gateway, Findings& findings) {
  if (gateway.outgoing.size() < 2) {
    findings.error(gateway.id, fmt::format("must have at least 2 outgoing flows, but has {}",
                                           gateway.outgoing.size()));
  }
  for (const ElementIndex index : gateway.outgoing) {
    const Element& target = draft.at(draft.at(index).target);
    const bool waits = std::ranges::all_of(target.definitions(), [](const Element& each) {
      const EventType event = each.event_type;
      return event == EventType::Message || event == EventType::Timer ||
             event == EventType::Signal || event == EventType::Conditional;
    });
    if (target.event_type == EventType::ParallelMultiple) {
      findings.error(target.id,
                     fmt::format("must not have 'true' as parallelMultiple, since it follows the "
                                 "event-based gateway '{}', which waits for the first event",
                                 gateway.id));
    } else if (target.type != ElementType::IntermediateCatchEvent || !waits) {
      findings.error(gateway.id, fmt::format("must lead to message, timer, signal or conditional "
                                             "catch events only, but '{}' is not one",
                                             target.id));
    } else if (target.incoming.size() != 1) {
      findings.error(target.id, fmt::format("must have no other incoming flow than that from the "
                                            "event-based gateway '{}'",
                                            gateway.id));
    }
  }
}

// Event subprocesses, handlers and link events are outside of the flow.
void check_unconnected(const Element& element, Findings& findings) {
  const bool is_link = element.event_type == EventType::Link;
  if (is_link && element.type == ElementType::IntermediateCatchEvent && !element.incoming.empty()) {
    findings.error(element.id, "must not have incoming flows, since it is a link catch event");
  }
  if (is_link && element.type == ElementType::IntermediateThrowEvent && !element.outgoing.empty()) {
    findings.error(element.id, "must not have outgoing flows, since it is a link throw event");
  }
  if (element.type == ElementType::EventSubProcess &&
      !(element.incoming.empty() && element.outgoing.empty())) {
    findings.error(element.id,
                   "must not have incoming or outgoing flows, since it is an event "
                   "subprocess");
  }
}

}  // namespace

void check_flows(const Draft& draft, Findings& findings) {
  for (const Element& element : draft.process.elements) {
    if (element.type == ElementType::SequenceFlow) check_flow(draft, element, findings);
    if (chooses(element.type)) check_choice(draft, element, findings);
    if (element.type == ElementType::InclusiveGateway) check_complex(element, findings);
    if (element.type == ElementType::EventBasedGateway) check_event_based(draft, element, findings);
    check_unconnected(element, findings);
  }
}

}  // namespace beeline::bpmn
