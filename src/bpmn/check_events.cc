#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "bpmn/draft.h"

// Rules of events that share a host: no two of them may wait for the same thing.
namespace beeline::bpmn {
namespace {

std::string written(const Expression& expression) {
  return (expression.is_static ? "" : "=") + expression.text;
}

// A place where catch events compete, and what they wait for.
class Host {
 public:
  Host(std::string_view place, Findings& findings) : place_(place), findings_(findings) {}

  void add(const Element& event) {
    for (const Element& definition : event.definitions()) {
      const Parts& parts = definition.parts();
      if (parts.message) claim(definition, "message name", written(parts.message->name));
      if (parts.signal) claim(definition, "signal name", written(parts.signal->name));
      if (parts.error) claim_code(definition, "error", parts.error->code);
      if (parts.escalation) claim_code(definition, "escalation", parts.escalation->code);
    }
  }
  void add_condition(const Element& event) {
    for (const Element& definition : event.definitions()) {
      const auto& conditional = definition.parts().conditional;
      if (conditional) claim(definition, "condition", written(conditional->condition));
    }
  }

 private:
  void claim(const Element& event, std::string_view what, std::string value) {
    const auto [other, is_new] = taken_.try_emplace({what, std::move(value)}, &event);
    if (is_new) return;
    if (other->second->index == event.index) {
      return findings_.error(event.id, fmt::format("must not have two event definitions with the "
                                                   "{} '{}'",
                                                   what, cut(other->first.second)));
    }
    findings_.error(event.id,
                    fmt::format("must have another {} than '{}': '{}' has the same one, {}", what,
                                cut(other->first.second), other->second->id, place_));
  }

  void claim_code(const Element& event, std::string_view kind,
                  const std::optional<Expression>& code) {
    if (code) return claim(event, kind == "error" ? "error code" : "escalation code", code->text);
    const auto [other, is_new] = taken_.try_emplace({kind, ""}, &event);
    if (is_new) return;
    if (other->second->index == event.index) {
      return findings_.error(
          event.id, fmt::format("must not have two event definitions that catch every {}", kind));
    }
    findings_.error(event.id, fmt::format("must catch a certain {0}: '{1}' catches every {0} "
                                          "already, {2}",
                                          kind, other->second->id, place_));
  }

  std::string place_;
  Findings& findings_;
  std::map<std::pair<std::string_view, std::string>, const Element*> taken_;
};

// The definitions of an event by itself may not wait for the same thing.
void check_conditions(const Element& event, Findings& findings) {
  Host("", findings).add_condition(event);
}

void check_process_starts(const Draft& draft, Findings& findings) {
  Host host("a start event of the process", findings);
  std::map<std::string_view, const Element*> messages;
  for (const ElementIndex index : draft.process.root().start_events) {
    const Element& start = draft.at(index);
    host.add_condition(start);
    bool uses_other_message = false;
    for (const Element& definition : start.definitions()) {
      if (!definition.parts().message) continue;
      const auto [other, is_new] = messages.try_emplace(definition.parts().message->id, &start);
      if (is_new || other->second == &start) continue;
      findings.error(start.id, fmt::format("must not use the message '{}': the start event '{}' "
                                           "uses it",
                                           other->first, other->second->id));
      uses_other_message = true;
    }
    if (!uses_other_message) host.add(start);
  }
}

void check_event_subprocesses(const Draft& draft, Findings& findings) {
  Host conditions("in an event subprocess of the process", findings);
  for (const Element& scope : draft.process.elements) {
    if (scope.event_subprocesses.empty()) continue;
    Host host(fmt::format("in an event subprocess of '{}'", scope.id), findings);
    for (const ElementIndex index : scope.event_subprocesses) {
      for (const ElementIndex start : draft.at(index).start_events) {
        host.add(draft.at(start));
        conditions.add_condition(draft.at(start));
      }
    }
  }
}

void check_boundary_events(const Draft& draft, const Element& activity, Findings& findings) {
  Host host(fmt::format("at the activity '{}'", activity.id), findings);
  if (activity.type == ElementType::ReceiveTask) host.add(activity);
  for (const ElementIndex index : activity.boundary_events) {
    const Element& boundary = draft.at(index);
    host.add(boundary);
    if (boundary.is_multiple()) check_conditions(boundary, findings);
    const bool has_scope = activity.type == ElementType::SubProcess ||
                           activity.type == ElementType::AdHocSubProcess ||
                           activity.type == ElementType::CallActivity;
    if (boundary.has_definition(EventType::Escalation) && !has_scope) {
      findings.error(boundary.id, fmt::format("must be attached to a subprocess or call activity, "
                                              "since it catches an escalation, but '{}' is neither",
                                              activity.id));
    }
  }
}

void check_gateway(const Draft& draft, const Element& gateway, Findings& findings) {
  Host host(fmt::format("after the event-based gateway '{}'", gateway.id), findings);
  for (const ElementIndex index : gateway.outgoing) {
    const Element& event = draft.at(draft.at(index).target);
    if (event.type != ElementType::IntermediateCatchEvent) continue;  // reported elsewhere
    host.add(event);
    host.add_condition(event);
  }
}

// True for a multiple catch event that competes with no other event.
bool is_alone(const Draft& draft, const Element& event) {
  const auto comes_from_gateway = [&](ElementIndex flow) {
    return draft.at(draft.at(flow).source).type == ElementType::EventBasedGateway;
  };
  return event.is_multiple() && event.type == ElementType::IntermediateCatchEvent &&
         std::ranges::none_of(event.incoming, comes_from_gateway);
}

}  // namespace

void check_events(const Draft& draft, Findings& findings) {
  check_process_starts(draft, findings);
  check_event_subprocesses(draft, findings);
  for (const Element& element : draft.process.elements) {
    if (!element.boundary_events.empty()) check_boundary_events(draft, element, findings);
    if (element.type == ElementType::EventBasedGateway) check_gateway(draft, element, findings);
    if (is_alone(draft, element)) {
      Host host("", findings);
      host.add(element);
      check_conditions(element, findings);
    }
  }
}

}  // namespace beeline::bpmn
