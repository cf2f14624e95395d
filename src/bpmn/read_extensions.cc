#include <algorithm>
#include <array>
#include <set>

#include "bpmn/draft.h"

// Extensions that many kinds of element have: listeners, mappings, properties.
namespace beeline::bpmn {
namespace {

struct ListenerName {
  std::string_view text;
  ListenerEvent event;
};
constexpr std::array kExecutionEvents = {
    ListenerName{"beforeAll", ListenerEvent::BeforeAll},
    ListenerName{"start", ListenerEvent::Start},
    ListenerName{"end", ListenerEvent::End},
    ListenerName{"cancel", ListenerEvent::Cancel},
};
// The last five are the names that older modelers write.
constexpr std::array kTaskEvents = {
    ListenerName{"creating", ListenerEvent::Creating},
    ListenerName{"assigning", ListenerEvent::Assigning},
    ListenerName{"updating", ListenerEvent::Updating},
    ListenerName{"completing", ListenerEvent::Completing},
    ListenerName{"canceling", ListenerEvent::Canceling},
    ListenerName{"create", ListenerEvent::Creating},
    ListenerName{"assignment", ListenerEvent::Assigning},
    ListenerName{"update", ListenerEvent::Updating},
    ListenerName{"complete", ListenerEvent::Completing},
    ListenerName{"cancel", ListenerEvent::Canceling},
};

// Returns why an element of this kind cannot have listeners of this event; empty if it can.
std::string_view listener_refusal(const XmlNode& node, const Element& element,
                                  ListenerEvent event) {
  using enum ElementType;
  if (element.type == BoundaryEvent && element.event_type == EventType::Compensation) {
    return "a compensation boundary event has no execution listeners";
  }
  switch (event) {
    case ListenerEvent::BeforeAll:
      if (node.child(Namespace::Bpmn, "multiInstanceLoopCharacteristics") == nullptr) {
        return "'beforeAll' is for multi-instance activities only";
      }
      return {};
    case ListenerEvent::Start:
      if (element.type == StartEvent || element.type == BoundaryEvent) {
        return "'start' is not supported on start and boundary events";
      }
      return {};
    case ListenerEvent::End:
      if (is_gateway(element.type)) return "'end' is not supported on gateways";
      if (element.type == EndEvent && element.event_type == EventType::Error) {
        return "'end' is not supported on error end events";
      }
      return {};
    case ListenerEvent::Cancel:
      if (element.type != Process) return "'cancel' is supported on processes only";
      return {};
    case ListenerEvent::Creating:
    case ListenerEvent::Assigning:
    case ListenerEvent::Updating:
    case ListenerEvent::Completing:
    case ListenerEvent::Canceling:
      return {};
  }
  return {};
}

// Returns the headers of an element, overridden by those of its listener.
std::vector<Header> overlay(std::vector<Header> headers, const std::vector<Header>& own) {
  for (const Header& header : own) {
    const auto found = std::find_if(headers.begin(), headers.end(),
                                    [&](const Header& h) { return h.key == header.key; });
    if (found == headers.end()) {
      headers.push_back(header);
    } else {
      found->value = header.value;
    }
  }
  return headers;
}

std::vector<Listener> read_listener_list(const Reading& reading, const XmlNode& node,
                                         const Element& element, const XmlNode& list,
                                         std::string_view tag, std::span<const ListenerName> names,
                                         const std::vector<Header>& element_headers) {
  std::vector<Listener> listeners;
  std::set<std::pair<ListenerEvent, std::string>> seen;
  for (const XmlNode& child : list.children) {
    if (!child.is(Namespace::Zeebe, tag)) continue;
    const std::string_view text = child.attribute("eventType");
    const auto name = std::find_if(names.begin(), names.end(),
                                   [&](const ListenerName& n) { return n.text == text; });
    if (name == names.end()) {
      reading.findings.error(
          element.id, fmt::format("must not have a listener with the event type '{}'", text));
      continue;
    }
    if (const std::string_view refusal = listener_refusal(node, element, name->event);
        !refusal.empty()) {
      reading.findings.error(element.id,
                             fmt::format("must not have this execution listener: {}", refusal));
    }
    Listener listener{.event = name->event, .job = read_job(reading, child, element.id)};
    listener.job.headers = overlay(element_headers, read_headers(reading, child, element.id));
    if (tag == "executionListener" &&
        !seen.emplace(listener.event, listener.job.type.text).second) {
      reading.findings.error(
          element.id,
          fmt::format("must not have two execution listeners for '{}' with the type '{}'", text,
                      cut(listener.job.type.text)));
    }
    listeners.push_back(std::move(listener));
  }
  return listeners;
}

bool inputs_apply(const Element& element) {
  using enum ElementType;
  const EventType event = element.event_type;
  switch (element.type) {
    case ServiceTask:
    case ReceiveTask:
    case UserTask:
    case BusinessRuleTask:
    case ScriptTask:
    case SendTask:
    case CallActivity:
    case SubProcess:
    case EventSubProcess:
    case AdHocSubProcess:
      return true;
    case IntermediateCatchEvent:
      return event != EventType::Link;
    case IntermediateThrowEvent:
    case EndEvent:
      return element.has_definition(EventType::Message) ||
             element.has_definition(EventType::Signal);
    case Unspecified:
    case Process:
    case AdHocSubProcessInnerInstance:
    case StartEvent:
    case BoundaryEvent:
    case ManualTask:
    case Task:
    case ExclusiveGateway:
    case ParallelGateway:
    case EventBasedGateway:
    case InclusiveGateway:
    case SequenceFlow:
    case MultiInstanceBody:
      return false;
  }
  return false;
}

bool outputs_apply(const Element& element) {
  using enum ElementType;
  const EventType event = element.event_type;
  if (inputs_apply(element)) return true;
  if (element.type == StartEvent || element.type == BoundaryEvent) return true;
  if (element.type != EndEvent && element.type != IntermediateThrowEvent) return false;
  return event == EventType::None || event == EventType::Link ||
         element.has_definition(EventType::Escalation);
}

std::vector<std::string> split_path(std::string_view target) {
  std::vector<std::string> path;
  while (true) {
    const std::size_t dot = target.find('.');
    path.emplace_back(target.substr(0, dot));
    if (dot == std::string_view::npos) return path;
    target.remove_prefix(dot + 1);
  }
}

Mapping read_mapping(const Reading& reading, const XmlNode& node, std::string_view element_id,
                     bool is_input) {
  const std::string_view kind = is_input ? "input" : "output";
  Mapping mapping;
  mapping.target = std::string(trim(node.attribute("target")));
  mapping.path = split_path(mapping.target);
  // Any name is allowed, including names that FEEL can only write in backticks.
  if (std::ranges::any_of(mapping.path, &std::string::empty)) {
    reading.findings.error(
        element_id,
        fmt::format("must have a variable name as target of its {} mapping, or names with dots "
                    "between them, but has '{}'",
                    kind, cut(mapping.target)));
  }
  const std::string_view source = node.attribute("source");
  const std::string what =
      fmt::format("source of its {} mapping to '{}'", kind, cut(mapping.target));
  if (!is_input) {
    mapping.source = read_feel(reading, element_id, what, source);
  } else {
    mapping.source =
        source.empty() ? Expression::null() : read_expression(reading, element_id, what, source);
  }
  return mapping;
}

}  // namespace

void read_listeners(const Reading& reading, const XmlNode& node, Element& element) {
  const XmlNode* execution = extension(reading, node, element.id, "executionListeners");
  const XmlNode* task = extension(reading, node, element.id, "taskListeners");
  if (execution == nullptr && task == nullptr) return;
  std::vector<Header> headers;
  if (element.parts().job) headers = element.parts().job->headers;
  if (element.parts().user_task) headers = element.parts().user_task->headers;
  if (execution != nullptr) {
    element.mutable_parts().listeners = read_listener_list(
        reading, node, element, *execution, "executionListener", kExecutionEvents, headers);
  }
  // Only native user tasks have task listeners; on other elements they are refused (extensions.cc).
  if (task != nullptr && element.parts().user_task && element.parts().user_task->native) {
    element.mutable_parts().user_task->listeners =
        read_listener_list(reading, node, element, *task, "taskListener", kTaskEvents, headers);
  }
}

void read_mappings(const Reading& reading, const XmlNode& node, Element& element) {
  const XmlNode* list = extension(reading, node, element.id, "ioMapping");
  if (list == nullptr) return;
  for (const XmlNode& child : list->children) {
    if (child.ns != Namespace::Zeebe) continue;
    if (child.name == "input") {
      Mapping mapping = read_mapping(reading, child, element.id, true);
      if (inputs_apply(element)) element.mutable_parts().inputs.push_back(std::move(mapping));
    } else if (child.name == "output") {
      Mapping mapping = read_mapping(reading, child, element.id, false);
      if (outputs_apply(element)) element.mutable_parts().outputs.push_back(std::move(mapping));
    }
  }
}

void read_properties(const Reading& reading, const XmlNode& node, Element& element) {
  const XmlNode* list = extension(reading, node, element.id, "properties");
  if (list == nullptr) return;
  for (const XmlNode& child : list->children) {
    if (!child.is(Namespace::Zeebe, "property")) continue;
    element.mutable_parts().properties.push_back({.name = std::string(child.attribute("name")),
                                                  .value = std::string(child.attribute("value"))});
  }
}

}  // namespace beeline::bpmn
