#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "bpmn/parts.h"
#include "record/enums.h"

// An executable process: a graph whose nodes and flows are in one vector and refer to each other by
// index. parse_bpmn builds it once and checks everything; it never changes afterwards.
//
// Threading: immutable, so any number of threads may read it; hence shared_ptr<const Process>.
namespace beeline::bpmn {

using record::ElementType;
using record::EventType;

// A node, a sequence flow, or the process itself. An index that does not apply is not set
// (ElementIndex::is_set), a list that does not apply is empty.
//
// Multi-instance: an activity with loop characteristics becomes two elements with the same id. The
// body (MultiInstanceBody) has the flows, boundary events, compensation, `beforeAll` listeners and
// the loop; its `inner` is the activity with everything else, whose flow scope is the body. An
// activity with a standard loop has such a body too, which has a standard_loop instead of a loop.
//
// A complex gateway is an InclusiveGateway with a complex_join, since the protocol has no type of
// its own for it, and it splits like one.
//
// Multiple events: an event with several event definitions has the event type Multiple or
// ParallelMultiple. Each of its definitions is an element of its own that is in no list: it is the
// event as it would be if that definition were the only one, so code that opens, triggers or throws
// an event takes either. Besides, it has an id (Parts::definition_id). The job and the compensation
// of an event that throws are parts of the event itself, since it has at most one of each.
struct Element {
  std::string id;
  std::string name;
  ElementType type = ElementType::Unspecified;
  EventType event_type = EventType::Unspecified;  // None for events without a definition
  // For boundary events, start events of event subprocesses, and event subprocesses.
  bool interrupting = true;
  bool for_compensation = false;  // a compensation handler
  bool transaction = false;       // a subprocess that a cancel end event in it can undo

  ElementIndex index;
  ElementIndex flow_scope;  // unset for the process

  // For nodes. The flows are in XML order.
  std::vector<ElementIndex> incoming;
  std::vector<ElementIndex> outgoing;
  ElementIndex default_flow;
  // The catch events that an instance of this element subscribes to and can be triggered by: a
  // catch event or receive task itself, the targets of an event-based gateway, the start events of
  // the event subprocesses of a scope, then the boundary events of an activity. The list includes
  // error and escalation events, but not link and compensation events.
  std::vector<ElementIndex> events;
  std::vector<ElementIndex>
      boundary_events;  // all of them, including error, escalation and compensation events

  // For sequence flows.
  ElementIndex source;
  ElementIndex target;

  // For scopes. The children are in XML order and include flows and event subprocesses.
  std::vector<ElementIndex> children;
  std::vector<ElementIndex> start_events;
  ElementIndex none_start;
  std::vector<ElementIndex> event_subprocesses;

  ElementIndex attached_to;  // a boundary event's activity (the body, if it is multi-instance)
  ElementIndex inner;        // for a MultiInstanceBody or AdHocSubProcess
  // An activity's compensation boundary event. Like `events` it is known once the model has no
  // errors.
  ElementIndex compensated_by;

  // Returns the parts; an element without parts returns empty ones.
  [[nodiscard]] const Parts& parts() const;
  [[nodiscard]] Parts& mutable_parts();  // for building

  // Returns the definitions of a multiple event, in the order of the XML. Every other element is
  // its own only definition.
  [[nodiscard]] std::span<const Element> definitions() const;
  // Returns the definition with this id; the element itself if the id is empty; otherwise null.
  [[nodiscard]] const Element* find_definition(std::string_view definition_id) const;
  [[nodiscard]] bool has_definition(EventType wanted) const;
  [[nodiscard]] bool is_multiple() const {
    return event_type == EventType::Multiple || event_type == EventType::ParallelMultiple;
  }

 private:
  std::unique_ptr<Parts> parts_;
};

// Finds elements by their ids. Records name elements by id, so every record needs a look-up.
class IdIndex {
 public:
  // Returns an unset index if there is no such element.
  [[nodiscard]] ElementIndex find(const std::vector<Element>& elements, std::string_view id) const;
  // If two elements have the same id, the first is found, or the later one if it `replaces` the
  // first.
  void add(const std::vector<Element>& elements, ElementIndex element, bool replaces);

 private:
  // An element is at the place that the hash of its id selects, or at the next place that was free.
  struct Place {
    std::uint32_t hash = 0;
    ElementIndex element;
  };
  void grow(const std::vector<Element>& elements);
  // Returns the place of the id, or the free place where it belongs.
  [[nodiscard]] std::size_t place_of(const std::vector<Element>& elements, std::string_view id,
                                     std::uint64_t hash) const;

  std::vector<Place> places_;  // a power of two; at most half of the places are used
  std::size_t count_ = 0;
};

// One mistake in a file.
struct Diagnostic {
  std::string element_id;  // empty if it concerns the file as a whole
  std::string message;     // a sentence about the element, without its id

  bool operator==(const Diagnostic&) const = default;
};

struct Process {
  std::string id;
  std::string name;
  std::string version_tag;
  std::vector<Element> elements;  // [0] is the process itself
  // Constructs that are allowed and yet most likely a mistake, one sentence each.
  std::vector<std::string> warnings;
  // Reasons to refuse a new deployment of this process, but not to refuse reading it: a process
  // that an earlier version deployed is read again at every start, and must be readable even if
  // this version refuses what it contains. In XML order.
  std::vector<Diagnostic> refusals;

  [[nodiscard]] const Element& root() const { return elements.front(); }
  [[nodiscard]] const Element& element(ElementIndex index) const {
    BEELINE_CHECK(static_cast<std::size_t>(index.value()) < elements.size(),
                  "no element {} in process '{}'", index.value(), id);
    return elements[static_cast<std::size_t>(index.value())];
  }
  // Returns the element with this id, or null. For a multi-instance activity it returns the body.
  [[nodiscard]] const Element* find(std::string_view element_id) const;
  // Returns the element with this id and type, or null; this distinguishes a body from its inner
  // activity.
  [[nodiscard]] const Element* find(std::string_view element_id, ElementType type) const;

  // True if the event starts an event subprocess.
  [[nodiscard]] bool starts_event_subprocess(const Element& event) const {
    return event.type == ElementType::StartEvent &&
           element(event.flow_scope).type == ElementType::EventSubProcess;
  }
  // Returns the catch event with this id that an instance of `host` waits for, or null. An inner
  // activity that waits itself has the id of its multi-instance body, for which find() would return
  // the body.
  [[nodiscard]] const Element* find_catch_event(const Element& host,
                                                std::string_view event_id) const {
    return host.id == event_id ? &host : find(event_id);
  }

  // For building: makes the element the one that is found by its id, unless the id already belongs
  // to another element; replace_in_index() does so in any case.
  void add_to_index(ElementIndex element) { by_id.add(elements, element, false); }
  void replace_in_index(ElementIndex element) { by_id.add(elements, element, true); }

  IdIndex by_id;
};

[[nodiscard]] bool is_task(ElementType type);
// True for elements that boundary events can be attached to: tasks, subprocesses, call activities,
// multi-instance bodies.
[[nodiscard]] bool is_activity(ElementType type);
// True for elements that have children with flows between them: processes and all kinds of
// subprocesses.
[[nodiscard]] bool is_scope(ElementType type);
[[nodiscard]] bool is_gateway(ElementType type);
[[nodiscard]] bool is_event(ElementType type);

// A process, decision, form or resource that an element names statically with binding "deployment";
// it must be part of the same deployment.
enum class ReferenceKind : std::uint8_t { Process, Decision, Form, Resource };
struct DeploymentReference {
  ElementIndex element;
  ReferenceKind kind = ReferenceKind::Process;
  std::string id;
};
[[nodiscard]] std::vector<DeploymentReference> deployment_references(const Process& process);

}  // namespace beeline::bpmn
