#include <algorithm>

#include "bpmn/builder.h"

// The vocabulary of parts and event definitions, each a few elements of XML.
namespace beeline::bpmn::build {
namespace {

using Attributes = std::vector<std::pair<std::string, std::string>>;

// Attributes without a value are left out, so an empty argument means "not given".
Attributes given(Attributes attributes) {
  std::erase_if(attributes, [](const auto& attribute) { return attribute.second.empty(); });
  return attributes;
}

std::string feel_text(std::string text) {
  return text.empty() || text.starts_with("=") ? text : "=" + text;
}

Part extension_in(std::string wrapper, std::string tag, Attributes attributes) {
  Part part;
  part.extensions.emplace_back(std::move(wrapper), Xml{.tag = std::move(tag),
                                                       .attributes = given(std::move(attributes)),
                                                       .children = {},
                                                       .text = ""});
  return part;
}

Event event_of(std::string id, std::string definition, Attributes attributes,
               std::vector<Xml> children = {}) {
  Event event{.id = std::move(id), .part = {}};
  event.part.children.push_back({.tag = "bpmn:" + definition,
                                 .attributes = given(std::move(attributes)),
                                 .children = std::move(children),
                                 .text = ""});
  return event;
}

Event timer_of(std::string id, std::string tag, std::string text) {
  return event_of(std::move(id), "timerEventDefinition", {},
                  {Xml{.tag = "bpmn:" + tag, .attributes = {}, .children = {}, .text = text}});
}

std::string iso_text(std::chrono::milliseconds duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  const auto rest = (duration - seconds).count();
  std::string text = "PT" + std::to_string(seconds.count());
  if (rest != 0) {
    const std::string digits = std::to_string(rest);
    text += "." + std::string(3 - std::min<std::size_t>(3, digits.size()), '0') + digits;
  }
  return text + "S";
}

Part listener_of(std::string wrapper, std::string tag, Attributes attributes) {
  return extension_in(std::move(wrapper), std::move(tag), std::move(attributes));
}

}  // namespace

Event none(std::string id) {
  return Event{.id = std::move(id), .part = {}};
}
Event timer(std::string id, std::chrono::milliseconds duration) {
  return timer(std::move(id), iso_text(duration));
}
Event timer(std::string id, std::string duration) {
  return timer_of(std::move(id), "timeDuration", std::move(duration));
}
Event timer_date(std::string id, std::string date) {
  return timer_of(std::move(id), "timeDate", std::move(date));
}
Event timer_cycle(std::string id, std::string cycle) {
  return timer_of(std::move(id), "timeCycle", std::move(cycle));
}

Event message(std::string id, std::string message_name, std::string correlation_key) {
  const std::string message_id = id + "-message";
  Xml definition{.tag = "bpmn:message",
                 .attributes = given({{"id", message_id}, {"name", std::move(message_name)}}),
                 .children = {},
                 .text = ""};
  if (!correlation_key.empty()) {
    definition.children.push_back(
        {.tag = "bpmn:extensionElements",
         .attributes = {},
         .children = {{.tag = "zeebe:subscription",
                       .attributes = {{"correlationKey", std::move(correlation_key)}},
                       .children = {},
                       .text = ""}},
         .text = ""});
  }
  Event event = event_of(std::move(id), "messageEventDefinition", {{"messageRef", message_id}});
  event.part.definitions.push_back(std::move(definition));
  return event;
}

namespace {

// Signals, errors and escalations: an event that refers to a definition with one attribute. With an
// empty value the event refers to no definition.
Event referring(std::string id, std::string kind, const std::string& tag,
                const std::string& attribute_name, std::string value) {
  if (value.empty()) return event_of(std::move(id), kind + "EventDefinition", {});
  const std::string definition_id = id + "-" + tag;
  Event event = event_of(std::move(id), kind + "EventDefinition", {{tag + "Ref", definition_id}});
  event.part.definitions.push_back(
      {.tag = "bpmn:" + tag,
       .attributes = {{"id", definition_id}, {attribute_name, std::move(value)}},
       .children = {},
       .text = ""});
  return event;
}

}  // namespace

Event signal(std::string id, std::string signal_name) {
  return referring(std::move(id), "signal", "signal", "name", std::move(signal_name));
}
Event error(std::string id, std::string code) {
  return referring(std::move(id), "error", "error", "errorCode", std::move(code));
}
Event escalation(std::string id, std::string code) {
  return referring(std::move(id), "escalation", "escalation", "escalationCode", std::move(code));
}
Event link_event(std::string id, std::string link_name) {
  return event_of(std::move(id), "linkEventDefinition", {{"name", std::move(link_name)}});
}
Event terminate(std::string id) {
  return event_of(std::move(id), "terminateEventDefinition", {});
}

Event cancel(std::string id) {
  return event_of(std::move(id), "cancelEventDefinition", {});
}

Event conditional(std::string id, std::string feel, std::string variable_events) {
  std::vector<Xml> children;
  if (!variable_events.empty()) {
    children.push_back({.tag = "bpmn:extensionElements",
                        .attributes = {},
                        .children = {{.tag = "zeebe:conditionalFilter",
                                      .attributes = {{"variableEvents", variable_events}},
                                      .children = {},
                                      .text = ""}},
                        .text = ""});
  }
  children.push_back({.tag = "bpmn:condition",
                      .attributes = {},
                      .children = {},
                      .text = feel_text(std::move(feel))});
  return event_of(std::move(id), "conditionalEventDefinition", {}, std::move(children));
}

Event compensation(std::string id, std::string activity) {
  return event_of(std::move(id), "compensateEventDefinition",
                  {{"activityRef", std::move(activity)}});
}

Event multiple(std::string id, const std::vector<Event>& events) {
  Event event = none(std::move(id));
  for (const Event& each : events) append(event.part, each.part);
  return event;
}
Event parallel_multiple(std::string id, const std::vector<Event>& events) {
  Event event = multiple(std::move(id), events);
  append(event.part, attribute("parallelMultiple", "true"));
  return event;
}

Part job(std::string type, std::string retries, Attributes headers) {
  Part part = extension_in("", "zeebe:taskDefinition",
                           {{"type", std::move(type)}, {"retries", std::move(retries)}});
  for (auto& [key, value] : headers) append(part, header(key, value));
  return part;
}
Part job(std::string type, int retries) {
  return job(std::move(type), std::to_string(retries));
}
Part header(std::string key, std::string value) {
  return extension_in("zeebe:taskHeaders", "zeebe:header",
                      {{"key", std::move(key)}, {"value", std::move(value)}});
}
Part priority(std::string value) {
  return extension_in("", "zeebe:jobPriorityDefinition", {{"priority", std::move(value)}});
}
Part input(std::string source, std::string target) {
  return extension_in("zeebe:ioMapping", "zeebe:input",
                      {{"source", std::move(source)}, {"target", std::move(target)}});
}
Part output(std::string source, std::string target) {
  return extension_in("zeebe:ioMapping", "zeebe:output",
                      {{"source", std::move(source)}, {"target", std::move(target)}});
}

// One part serves boundary events and event subprocess starts, which have different attributes for
// it; each ignores the other's attribute.
Part non_interrupting() {
  Part part = attribute("cancelActivity", "false");
  part.attributes.emplace_back("isInterrupting", "false");
  return part;
}
Part for_compensation() {
  return attribute("isForCompensation", "true");
}
Part version_tag(std::string tag) {
  return extension_in("", "zeebe:versionTag", {{"value", std::move(tag)}});
}
Part name(std::string value) {
  return attribute("name", std::move(value));
}
Part listener(std::string event_type, std::string job_type, std::string retries) {
  return listener_of("zeebe:executionListeners", "zeebe:executionListener",
                     {{"eventType", std::move(event_type)},
                      {"type", std::move(job_type)},
                      {"retries", std::move(retries)}});
}
Part task_listener(std::string event_type, std::string job_type, std::string retries) {
  return listener_of("zeebe:taskListeners", "zeebe:taskListener",
                     {{"eventType", std::move(event_type)},
                      {"type", std::move(job_type)},
                      {"retries", std::move(retries)}});
}
Part script(std::string feel, std::string result_variable) {
  return extension_in(
      "", "zeebe:script",
      {{"expression", feel_text(std::move(feel))}, {"resultVariable", std::move(result_variable)}});
}
Part called_decision(std::string decision_id, std::string result_variable) {
  return extension_in(
      "", "zeebe:calledDecision",
      {{"decisionId", std::move(decision_id)}, {"resultVariable", std::move(result_variable)}});
}
Part native_user_task() {
  return extension_in("", "zeebe:userTask", {});
}
Part property(std::string property_name, std::string value) {
  return extension_in("zeebe:properties", "zeebe:property",
                      {{"name", std::move(property_name)}, {"value", std::move(value)}});
}
Part attribute(std::string attribute_name, std::string value) {
  Part part;
  part.attributes.emplace_back(std::move(attribute_name), std::move(value));
  return part;
}
Part extension(std::string tag, Attributes attributes) {
  return extension_in("", std::move(tag), std::move(attributes));
}
Part child(Xml xml) {
  Part part;
  part.children.push_back(std::move(xml));
  return part;
}

Part called(CallOptions options) {
  return extension_in(
      "", "zeebe:calledElement",
      {{"processId", std::move(options.process_id)},
       {"bindingType", std::move(options.binding)},
       {"versionTag", std::move(options.version_tag)},
       {"propagateAllChildVariables", options.propagate_all_child_variables ? "" : "false"},
       {"propagateAllParentVariables", options.propagate_all_parent_variables ? "" : "false"}});
}

Part multi_instance(LoopOptions options) {
  Xml loop{.tag = "bpmn:multiInstanceLoopCharacteristics",
           .attributes = given({{"isSequential", options.sequential ? "true" : ""}}),
           .children = {},
           .text = ""};
  loop.children.push_back(
      {.tag = "bpmn:extensionElements",
       .attributes = {},
       .children = {{.tag = "zeebe:loopCharacteristics",
                     .attributes =
                         given({{"inputCollection", feel_text(std::move(options.input_collection))},
                                {"inputElement", std::move(options.input_element)},
                                {"outputCollection", std::move(options.output_collection)},
                                {"outputElement", feel_text(std::move(options.output_element))}}),
                     .children = {},
                     .text = ""}},
       .text = ""});
  if (!options.completion_condition.empty()) {
    loop.children.push_back({.tag = "bpmn:completionCondition",
                             .attributes = {},
                             .children = {},
                             .text = feel_text(std::move(options.completion_condition))});
  }
  return child(std::move(loop));
}

Part standard_loop(StandardLoopOptions options) {
  Xml loop{.tag = "bpmn:standardLoopCharacteristics",
           .attributes = given({{"testBefore", options.test_before ? "true" : ""},
                                {"loopMaximum", std::move(options.maximum)}}),
           .children = {},
           .text = ""};
  if (!options.condition.empty()) {
    loop.children.push_back({.tag = "bpmn:loopCondition",
                             .attributes = {},
                             .children = {},
                             .text = feel_text(std::move(options.condition))});
  }
  return child(std::move(loop));
}

Part activation_condition(std::string feel) {
  return child({.tag = "bpmn:activationCondition",
                .attributes = {},
                .children = {},
                .text = feel_text(std::move(feel))});
}

Part ad_hoc(AdHocOptions options) {
  Part part;
  if (!options.active_elements.empty() || !options.output_collection.empty() ||
      !options.output_element.empty()) {
    part =
        extension_in("", "zeebe:adHoc",
                     {{"activeElementsCollection", feel_text(std::move(options.active_elements))},
                      {"outputCollection", std::move(options.output_collection)},
                      {"outputElement", feel_text(std::move(options.output_element))}});
  }
  if (!options.cancel_remaining_instances) {
    append(part, attribute("cancelRemainingInstances", "false"));
  }
  if (!options.completion_condition.empty()) {
    append(part, child({.tag = "bpmn:completionCondition",
                        .attributes = {},
                        .children = {},
                        .text = feel_text(std::move(options.completion_condition))}));
  }
  return part;
}

}  // namespace beeline::bpmn::build
