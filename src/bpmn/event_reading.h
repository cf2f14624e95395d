#pragma once

#include <vector>

#include "bpmn/draft.h"

// The data that the readers of events share (read_events.cc, read_multiple_events.cc). Private to
// this folder.
namespace beeline::bpmn {

// The position of an event determines which definitions it may have.
enum class Position {
  ProcessStart,
  SubProcessStart,
  EventSubProcessStart,
  Catch,
  Throw,
  End,
  Boundary
};

// One event definition in the XML of an event.
struct FoundDefinition {
  const XmlNode* node = nullptr;
  EventType type = EventType::None;
};

// Reads a definition of the event type that `element` has. `node` is the XML of the event.
void read_definition(const Reading& reading, const XmlNode& node, const XmlNode& definition,
                     Element& element, Position position);
// Reads an event with several definitions.
void read_multiple_event(const Reading& reading, const XmlNode& node,
                         const std::vector<FoundDefinition>& found, Element& element,
                         Position position);

}  // namespace beeline::bpmn
