#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "bpmn/event_reading.h"

// Reads events with several event definitions (spec: elements/multiple_events).
namespace beeline::bpmn {
namespace {

// Each trigger of an event looks at all of its definitions.
constexpr std::size_t kDefinitionsMax = 100;

// True if an event in this position may have this definition among several.
bool is_combinable(Position position, EventType type, bool is_parallel) {
  using enum EventType;
  const bool throws = position == Position::Throw || position == Position::End;
  const bool catches_throws =
      position == Position::Boundary || position == Position::EventSubProcessStart;
  switch (type) {
    case Message:
    case Signal:
      return true;
    case Timer:
    case Conditional:
      return !throws;
    case Error:
      return catches_throws && !is_parallel;
    case Escalation:
      return throws || (catches_throws && !is_parallel);
    case Compensation:
      return throws;
    case Cancel:
    case Link:
    case None:
    case Terminate:
    case Multiple:
    case ParallelMultiple:
    case Unspecified:
      return false;
  }
  return false;
}

std::string_view combinable(Position position, bool is_parallel) {
  if (position == Position::Throw || position == Position::End) {
    return "message, signal, escalation and compensation definitions";
  }
  const bool catches_throws =
      position == Position::Boundary || position == Position::EventSubProcessStart;
  if (catches_throws && !is_parallel) {
    return "message, timer, signal, conditional, error and escalation definitions";
  }
  return "message, timer, signal and conditional definitions";
}

// Reads one of several definitions. An event that throws has at most one job and one compensation,
// which are parts of the event itself.
void read_one_of_several(const Reading& reading, const XmlNode& node, const FoundDefinition& found,
                         Element& event, Element& definition, Position position) {
  const bool throws = position == Position::Throw || position == Position::End;
  const bool is_part_of_event =
      throws && (found.type == EventType::Message || found.type == EventType::Compensation);
  if (is_part_of_event &&
      std::ranges::count(event.parts().definitions, found.type, &Element::event_type) > 1) {
    reading.findings.error(event.id, fmt::format("must have at most one '{}'", found.node->name));
  } else if (throws && found.type == EventType::Message) {
    read_task(reading, node, event);
  } else {
    read_definition(reading, node, *found.node, definition, position);
    if (is_part_of_event) {
      std::swap(event.mutable_parts().compensation, definition.mutable_parts().compensation);
    }
  }
}

}  // namespace

void read_multiple_event(const Reading& reading, const XmlNode& node,
                         const std::vector<FoundDefinition>& found, Element& element,
                         Position position) {
  const bool throws = position == Position::Throw || position == Position::End;
  const bool is_parallel = !throws && read_flag(node, "parallelMultiple", false);
  element.event_type = is_parallel ? EventType::ParallelMultiple : EventType::Multiple;
  if (position == Position::SubProcessStart) {
    reading.findings.error(element.id,
                           "must not have event definitions, since it is in an embedded "
                           "subprocess");
    return;
  }
  if (is_parallel && position == Position::ProcessStart) {
    reading.findings.error(element.id,
                           "must not have 'true' as parallelMultiple, since it starts a process: "
                           "which events belong to one instance is not defined");
  }
  if (found.size() > kDefinitionsMax) {
    reading.findings.error(element.id, fmt::format("must have at most {} event definitions, but "
                                                   "has {}",
                                                   kDefinitionsMax, found.size()));
    return;
  }
  for (const FoundDefinition& each : found) {
    std::string id(trim(each.node->attribute("id")));
    std::vector<Element>& definitions = element.mutable_parts().definitions;
    if (id.empty()) id = fmt::format("{}#{}", element.id, definitions.size() + 1);
    if (element.find_definition(id) != nullptr) {
      reading.findings.error(
          element.id,
          fmt::format("must have event definitions with different ids, but two have '{}'", id));
    }
    Element& definition = definitions.emplace_back();
    definition.id = element.id;
    definition.name = element.name;
    definition.type = element.type;
    definition.event_type = each.type;
    definition.interrupting = element.interrupting;
    definition.index = element.index;
    definition.mutable_parts().definition_id = std::move(id);
    if (is_combinable(position, each.type, is_parallel)) {
      read_one_of_several(reading, node, each, element, definition, position);
    } else {
      reading.findings.error(element.id,
                             fmt::format("must not combine a '{}' with other event definitions: it "
                                         "can only combine {}",
                                         each.node->name, combinable(position, is_parallel)));
    }
  }
}

}  // namespace beeline::bpmn
