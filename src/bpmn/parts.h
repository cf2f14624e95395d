#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/strong_id.h"
#include "bpmn/expression.h"

// The properties of an element besides its place in the graph. Every type here is plain data that
// the parser has checked: the engine may rely on each comment below.
namespace beeline::bpmn {

// The place of an element in Process::elements. It is small and dense, and the same for equal XML.
// It must not be stored beyond the life of a deployed version.
using ElementIndex = StrongId<struct ElementIndexTag, std::int32_t>;

struct Header {
  std::string key;
  std::string value;
  bool operator==(const Header&) const = default;
};

// Everything that defines a job: of a service task or another element with a job, or of a listener.
struct JobDefinition {
  Expression type;
  Expression retries;
  Expression priority;  // the element's, otherwise the process's, otherwise static "0"
  std::vector<Header> headers;
};

enum class ListenerEvent : std::uint8_t {
  BeforeAll,
  Start,
  End,
  Cancel,
  Creating,
  Assigning,
  Updating,
  Completing,
  Canceling,
};

struct Listener {
  ListenerEvent event = ListenerEvent::Start;
  JobDefinition job;  // headers of the element, overridden by those of the listener
};

// Writes `source` into the variable at `path`: "order.id" is the path {"order", "id"}. The path is
// never empty.
struct Mapping {
  Expression source;
  std::string target;
  std::vector<std::string> path;
};

enum class TimerKind : std::uint8_t { Date, Duration, Cycle };

// schedule.h describes the texts; a static text has been checked.
struct Timer {
  TimerKind kind = TimerKind::Duration;
  Expression expression;
};

struct Message {
  std::string id;   // id of the bpmn:message
  Expression name;  // static on start events of the process
  // Missing on start events of the process and for messages without a key.
  std::optional<Expression> correlation_key;
};

struct Signal {
  std::string id;   // id of the bpmn:signal
  Expression name;  // static on start events of the process
};

// On a catch event, a missing code catches everything, and a present code is static.
struct Error {
  std::optional<Expression> code;
};
struct Escalation {
  std::optional<Expression> code;
};

struct Link {
  std::string name;
  ElementIndex catch_event;  // set on throw events
};

struct Conditional {
  Expression condition;  // FEEL
  // The variables that the condition may read, in the order of their names.
  std::vector<std::string> variables;
  bool on_create = true;
  bool on_update = true;
};

struct Compensation {
  ElementIndex handler;   // for a boundary event: the activity to run
  ElementIndex activity;  // for a throw or end event: the only activity to compensate; unset for
                          // the whole scope
};

struct Script {
  Expression expression;  // FEEL
  std::string result_variable;
};

enum class Binding : std::uint8_t { Latest, Deployment, VersionTag };

struct CalledElement {
  Expression process_id;
  Binding binding = Binding::Latest;
  std::string version_tag;
  bool propagate_all_child_variables = true;
  bool propagate_all_parent_variables = true;
  // The rank of this id among all call activities of the resource, in lexicographic order;
  // callingElementPath lists it.
  std::int32_t rank = 0;
};

struct CalledDecision {
  Expression decision_id;
  std::string result_variable;
  Binding binding = Binding::Latest;
  std::string version_tag;
};

struct LinkedResource {
  Expression resource_id;
  std::string resource_type;
  std::string link_name;
  Binding binding = Binding::Latest;
  std::string version_tag;
};

// Exactly one of the three is set.
struct Form {
  std::optional<Expression> form_id;
  std::optional<std::string> form_key;  // as written in the model: "=x" is not an expression
  std::optional<Expression> external_reference;
  Binding binding = Binding::Latest;
  std::string version_tag;
};

struct UserTask {
  bool native = false;  // zeebe:userTask; otherwise the element has a job as well
  std::optional<Expression> assignee;
  std::optional<Expression> candidate_groups;
  std::optional<Expression> candidate_users;
  std::optional<Expression> due_date;
  std::optional<Expression> follow_up_date;
  Expression priority = Expression::literal("50");
  std::optional<Form> form;
  std::vector<Header> headers;
  std::vector<Listener> listeners;
};

// zeebe:publishMessage of a throw event or send task, which then has a message as well: accepted,
// but not executable.
struct PublishMessage {
  std::optional<Expression> correlation_key;
  std::optional<Expression> message_id;
  std::optional<Expression> time_to_live;
};

// The loop of a multi-instance body; its inner activity is Element::inner.
struct Loop {
  bool sequential = false;
  Expression input_collection;    // FEEL
  std::string input_element;      // empty if there is none
  std::string output_collection;  // empty if there is none
  std::optional<Expression> output_element;
  // The variable that each inner instance starts with as null, so a result stays local to it. It is
  // empty if the output element is not a plain variable or path, or if it is a variable that the
  // loop sets itself.
  std::string output_element_variable;
  std::optional<Expression> completion_condition;
};

// The standard loop of a body, whose inner activity is Element::inner. At least one of maximum and
// condition is set.
struct StandardLoop {
  bool test_before = false;  // the condition is asked before the first run as well
  std::optional<Expression> maximum;
  std::optional<Expression> condition;  // FEEL; the loop goes on while it is true
};

// The join of a complex gateway. Without a condition it waits for all of its incoming flows.
struct ComplexJoin {
  std::optional<Expression> activation_condition;  // FEEL
};

// The element's `inner` is its AdHocSubProcessInnerInstance, which is the flow scope of all
// elements inside except event subprocesses.
struct AdHoc {
  std::optional<Expression> active_elements_collection;
  std::optional<Expression> completion_condition;
  bool cancel_remaining_instances = true;
  std::string output_collection;
  std::optional<Expression> output_element;
  std::vector<ElementIndex> activatable;  // in XML order
};

struct Element;

struct Property {
  std::string name;
  std::string value;
  bool operator==(const Property&) const = default;
};

// The parts of an element that most elements do not have.
struct Parts {
  std::optional<JobDefinition> job;
  std::vector<Mapping> inputs;
  std::vector<Mapping> outputs;
  std::optional<Expression> condition;  // condition of a sequence flow; FEEL
  std::optional<Timer> timer;
  std::optional<Message> message;
  std::optional<Signal> signal;
  std::optional<Error> error;
  std::optional<Escalation> escalation;
  std::optional<Link> link;
  std::optional<Conditional> conditional;
  std::optional<Compensation> compensation;
  std::optional<Script> script;
  std::optional<CalledElement> called_element;
  std::optional<CalledDecision> called_decision;
  std::optional<PublishMessage> publish_message;
  std::optional<Loop> loop;
  std::optional<StandardLoop> standard_loop;
  std::optional<ComplexJoin> complex_join;
  std::optional<AdHoc> ad_hoc;
  std::optional<UserTask> user_task;
  std::optional<Form> start_form;
  std::vector<LinkedResource> linked_resources;
  std::vector<Listener> listeners;  // execution listeners, in model order
  std::vector<Property> properties;
  // These belong to an event with several event definitions; see Element::definitions().
  std::vector<Element> definitions;
  std::string definition_id;  // in each of them
};

}  // namespace beeline::bpmn
