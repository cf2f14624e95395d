#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// Processes written as C++ expressions, for tests. The result is BPMN XML, so every test also uses
// the parser:
//
//   using namespace beeline::bpmn::build;
//   auto model = process("order",
//       start() >> service_task("ship", job("courier"), input("=order.id", "id")) >>
//       end("shipped"), boundary("ship", timer("late", 1h)) >> end("expired"));
//   parse_bpmn("order.bpmn", model.to_xml());
//
// A process is a set of paths. `>>` connects nodes; the parts between two nodes describe the flow:
//
//   start() >> exclusive_gateway("big") >> condition("total > 10") >> task("ask") >> end()
//   from("big") >> default_flow() >> to("ask")        a path over nodes named elsewhere
//   flow("big", "ask", condition("total > 100"))      the same in one word
//
// Nodes without an id get one from their kind: start, end, end_2, ... A flow is named after its
// ends, "ask_end", unless via("id") gives another id. Values are FEEL when they start with "=";
// only attributes that must be FEEL (conditions and the like) get their "=" automatically.
namespace beeline::bpmn::build {

struct Xml {
  std::string tag;  // with prefix: "bpmn:task"
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<Xml> children;
  std::string text;
};

// A property of a node: its job, a mapping, an event definition. A node may have several parts.
struct Part {
  std::vector<std::pair<std::string, std::string>> attributes;
  // Children of extensionElements; those with the same non-empty wrapper share it.
  std::vector<std::pair<std::string, Xml>> extensions;
  std::vector<Xml> children;
  std::vector<Xml> definitions;  // at the root of the file: messages, signals, errors, ...
};

void append(Part& to, const Part& from);

struct Item;

struct Node {
  std::string tag;
  std::string id;
  std::vector<Item> items;
};
struct Reference {
  std::string id;
};
struct Edge {
  std::string id;
  std::string condition;
  bool is_default = false;
};
struct Association {
  std::string source;
  std::string target;
};

struct Path {
  std::vector<std::variant<Node, Reference, Edge, Association>> steps;
};
[[nodiscard]] Path operator>>(Path left, Path right);

// An argument of a node or process: a part of it, or a path inside of it.
struct Item : std::variant<Part, Path> {
  using std::variant<Part, Path>::variant;
};

// An event's id and definition; the function around it decides which kind of event it becomes.
struct Event {
  std::string id;
  Part part;
};

class Model {
 public:
  explicit Model(std::vector<Node> processes) : processes_(std::move(processes)) {}
  [[nodiscard]] std::string to_xml() const;
  [[nodiscard]] const std::vector<Node>& processes() const { return processes_; }

 private:
  std::vector<Node> processes_;
};

// Several processes in one file.
[[nodiscard]] Model file(std::vector<Model> models);

[[nodiscard]] Path node(std::string tag, std::string id, std::vector<Item> items);
[[nodiscard]] Path event_node(std::string tag, Event event, std::vector<Item> items);

template <typename... Items>
[[nodiscard]] Model process(std::string id, Items... items) {
  return Model({Node{"bpmn:process", std::move(id), {Item(std::move(items))...}}});
}

// Flows and places.
[[nodiscard]] Path condition(std::string feel);
[[nodiscard]] Path default_flow();
[[nodiscard]] Path via(std::string flow_id);
[[nodiscard]] Path from(std::string id);
[[nodiscard]] Path to(std::string id);
[[nodiscard]] Path flow(std::string source, std::string target, Path edge = {});
[[nodiscard]] Path association(std::string source, std::string target);

// Event definitions.
[[nodiscard]] Event none(std::string id);
[[nodiscard]] Event timer(std::string id, std::chrono::milliseconds duration);
[[nodiscard]] Event timer(std::string id, std::string duration);
[[nodiscard]] Event timer_date(std::string id, std::string date);
[[nodiscard]] Event timer_cycle(std::string id, std::string cycle);
// If `correlation_key` is empty, the message has no subscription element.
[[nodiscard]] Event message(std::string id, std::string name, std::string correlation_key = "");
[[nodiscard]] Event signal(std::string id, std::string name);
[[nodiscard]] Event error(std::string id, std::string code = "");  // no code: any error
[[nodiscard]] Event escalation(std::string id, std::string code = "");
// It is not called "link", because that is a system call, which overload resolution would prefer
// for two literals.
[[nodiscard]] Event link_event(std::string id, std::string name);
[[nodiscard]] Event terminate(std::string id);
[[nodiscard]] Event conditional(std::string id, std::string feel, std::string variable_events = "");
[[nodiscard]] Event compensation(std::string id, std::string activity = "");
[[nodiscard]] Event cancel(std::string id);
// An event with the definitions of several events. The ids of those name only what their
// definitions refer to.
[[nodiscard]] Event multiple(std::string id, const std::vector<Event>& events);
[[nodiscard]] Event parallel_multiple(std::string id, const std::vector<Event>& events);

// Parts.
[[nodiscard]] Part job(std::string type, std::string retries = "",
                       std::vector<std::pair<std::string, std::string>> headers = {});
[[nodiscard]] Part job(std::string type, int retries);
[[nodiscard]] Part header(std::string key, std::string value);
[[nodiscard]] Part priority(std::string value);  // priority of the job
[[nodiscard]] Part input(std::string source, std::string target);
[[nodiscard]] Part output(std::string source, std::string target);
[[nodiscard]] Part non_interrupting();
[[nodiscard]] Part for_compensation();
[[nodiscard]] Part version_tag(std::string tag);
[[nodiscard]] Part name(std::string name);
[[nodiscard]] Part listener(std::string event_type, std::string job_type, std::string retries = "");
[[nodiscard]] Part task_listener(std::string event_type, std::string job_type,
                                 std::string retries = "");
[[nodiscard]] Part script(std::string feel, std::string result_variable);
[[nodiscard]] Part called_decision(std::string decision_id, std::string result_variable);
[[nodiscard]] Part native_user_task();
[[nodiscard]] Part property(std::string name, std::string value);
[[nodiscard]] Part attribute(std::string name, std::string value);
[[nodiscard]] Part extension(std::string tag,
                             std::vector<std::pair<std::string, std::string>> attributes);
[[nodiscard]] Part child(Xml xml);

struct CallOptions {
  std::string process_id;
  std::string binding = {};
  std::string version_tag = {};
  bool propagate_all_child_variables = true;
  bool propagate_all_parent_variables = true;
};
[[nodiscard]] Part called(CallOptions options);

struct LoopOptions {
  std::string input_collection;  // FEEL
  std::string input_element = {};
  std::string output_collection = {};
  std::string output_element = {};  // FEEL
  bool sequential = false;
  std::string completion_condition = {};  // FEEL
};
[[nodiscard]] Part multi_instance(LoopOptions options);

struct StandardLoopOptions {
  std::string condition = {};  // FEEL
  std::string maximum = {};    // a number, or FEEL that starts with "="
  bool test_before = false;
};
[[nodiscard]] Part standard_loop(StandardLoopOptions options);
// The condition of a complex gateway; FEEL.
[[nodiscard]] Part activation_condition(std::string feel);

struct AdHocOptions {
  std::string active_elements = {};       // FEEL
  std::string completion_condition = {};  // FEEL
  bool cancel_remaining_instances = true;
  std::string output_collection = {};
  std::string output_element = {};  // FEEL
};
[[nodiscard]] Part ad_hoc(AdHocOptions options);

// Nodes. Each takes any number of parts; subprocesses take paths as well.
#define BEELINE_BPMN_NODE(function, tag)                          \
  template <typename... Items>                                    \
  [[nodiscard]] Path function(std::string id, Items... items) {   \
    return node(tag, std::move(id), {Item(std::move(items))...}); \
  }
BEELINE_BPMN_NODE(task, "bpmn:task")
BEELINE_BPMN_NODE(manual_task, "bpmn:manualTask")
BEELINE_BPMN_NODE(service_task, "bpmn:serviceTask")
BEELINE_BPMN_NODE(script_task, "bpmn:scriptTask")
BEELINE_BPMN_NODE(business_rule_task, "bpmn:businessRuleTask")
BEELINE_BPMN_NODE(send_task, "bpmn:sendTask")
BEELINE_BPMN_NODE(user_task, "bpmn:userTask")
BEELINE_BPMN_NODE(exclusive_gateway, "bpmn:exclusiveGateway")
BEELINE_BPMN_NODE(inclusive_gateway, "bpmn:inclusiveGateway")
BEELINE_BPMN_NODE(complex_gateway, "bpmn:complexGateway")
BEELINE_BPMN_NODE(parallel_gateway, "bpmn:parallelGateway")
BEELINE_BPMN_NODE(event_based_gateway, "bpmn:eventBasedGateway")
BEELINE_BPMN_NODE(subprocess, "bpmn:subProcess")
BEELINE_BPMN_NODE(transaction, "bpmn:transaction")
BEELINE_BPMN_NODE(ad_hoc_subprocess, "bpmn:adHocSubProcess")
#undef BEELINE_BPMN_NODE

template <typename... Items>
[[nodiscard]] Path event_subprocess(std::string id, Items... items) {
  return node("bpmn:subProcess", std::move(id),
              {Item(attribute("triggeredByEvent", "true")), Item(std::move(items))...});
}
template <typename... Items>
[[nodiscard]] Path call_activity(std::string id, std::string process_id, Items... items) {
  return node("bpmn:callActivity", std::move(id),
              {Item(called({.process_id = std::move(process_id)})), Item(std::move(items))...});
}
template <typename... Items>
[[nodiscard]] Path call_activity(std::string id, CallOptions options, Items... items) {
  return node("bpmn:callActivity", std::move(id),
              {Item(called(std::move(options))), Item(std::move(items))...});
}
// The task has the event's id and waits for its message.
template <typename... Items>
[[nodiscard]] Path receive_task(Event message, Items... items) {
  return event_node("bpmn:receiveTask", std::move(message), {Item(std::move(items))...});
}

// Events: with a definition, or of the none kind when only an id is given.
[[nodiscard]] inline Path start() {
  return event_node("bpmn:startEvent", none(""), {});
}
[[nodiscard]] inline Path end() {
  return event_node("bpmn:endEvent", none(""), {});
}

#define BEELINE_BPMN_EVENT(function, tag)                                     \
  template <typename... Items>                                                \
  [[nodiscard]] Path function(std::string id, Items... items) {               \
    return event_node(tag, none(std::move(id)), {Item(std::move(items))...}); \
  }                                                                           \
  template <typename... Items>                                                \
  [[nodiscard]] Path function(Event event, Items... items) {                  \
    return event_node(tag, std::move(event), {Item(std::move(items))...});    \
  }
BEELINE_BPMN_EVENT(start, "bpmn:startEvent")
BEELINE_BPMN_EVENT(end, "bpmn:endEvent")
BEELINE_BPMN_EVENT(catch_event, "bpmn:intermediateCatchEvent")
BEELINE_BPMN_EVENT(throw_event, "bpmn:intermediateThrowEvent")
#undef BEELINE_BPMN_EVENT

template <typename... Items>
[[nodiscard]] Path boundary(std::string attached_to, Event event, Items... items) {
  return event_node(
      "bpmn:boundaryEvent", std::move(event),
      {Item(attribute("attachedToRef", std::move(attached_to))), Item(std::move(items))...});
}

}  // namespace beeline::bpmn::build
