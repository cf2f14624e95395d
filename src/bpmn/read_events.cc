#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <vector>

#include "bpmn/draft.h"
#include "bpmn/event_reading.h"
#include "bpmn/schedule.h"

// Reads events: what they wait for or cause.
namespace beeline::bpmn {
namespace {

struct Definition {
  std::string_view name;
  EventType type;
};
constexpr std::array kDefinitions = {
    Definition{"messageEventDefinition", EventType::Message},
    Definition{"timerEventDefinition", EventType::Timer},
    Definition{"errorEventDefinition", EventType::Error},
    Definition{"terminateEventDefinition", EventType::Terminate},
    Definition{"signalEventDefinition", EventType::Signal},
    Definition{"linkEventDefinition", EventType::Link},
    Definition{"escalationEventDefinition", EventType::Escalation},
    Definition{"compensateEventDefinition", EventType::Compensation},
    Definition{"conditionalEventDefinition", EventType::Conditional},
    Definition{"cancelEventDefinition", EventType::Cancel},
};

Position position_of(const Element& element, ElementType scope_type) {
  if (element.type == ElementType::IntermediateCatchEvent) return Position::Catch;
  if (element.type == ElementType::IntermediateThrowEvent) return Position::Throw;
  if (element.type == ElementType::EndEvent) return Position::End;
  if (element.type == ElementType::BoundaryEvent) return Position::Boundary;
  if (scope_type == ElementType::Process) return Position::ProcessStart;
  if (scope_type == ElementType::EventSubProcess) return Position::EventSubProcessStart;
  return Position::SubProcessStart;
}

bool is_allowed(Position position, EventType type) {
  using enum EventType;
  const auto one_of = [type](std::initializer_list<EventType> types) {
    return std::find(types.begin(), types.end(), type) != types.end();
  };
  switch (position) {
    case Position::ProcessStart:
      return one_of({None, Message, Timer, Signal, Conditional});
    case Position::SubProcessStart:
      return one_of({None});
    case Position::EventSubProcessStart:
      return one_of({Message, Timer, Error, Signal, Escalation, Conditional});
    case Position::Catch:
      return one_of({Message, Timer, Signal, Link, Conditional});
    case Position::Throw:
      return one_of({None, Message, Signal, Link, Escalation, Compensation});
    case Position::End:
      return one_of({None, Message, Signal, Error, Escalation, Terminate, Compensation, Cancel});
    case Position::Boundary:
      return one_of({Message, Timer, Signal, Conditional, Escalation, Error, Compensation, Cancel});
  }
  return false;
}

std::string_view expectation(Position position) {
  switch (position) {
    case Position::ProcessStart:
      return "none, message, timer, signal or conditional start event";
    case Position::SubProcessStart:
      return "none start event, since it is in an embedded subprocess";
    case Position::EventSubProcessStart:
      return "message, timer, error, signal, escalation or conditional start event, since it is in "
             "an event subprocess";
    case Position::Catch:
      return "message, timer, signal, link or conditional catch event";
    case Position::Throw:
      return "none, message, signal, link, escalation or compensation throw event";
    case Position::End:
      return "none, message, signal, error, escalation, terminate, compensation or cancel end "
             "event";
    case Position::Boundary:
      return "message, timer, signal, conditional, escalation, error, compensation or cancel "
             "boundary event";
  }
  return {};
}

// Returns the key of a bpmn:message, or nothing for a message without a key.
std::optional<Expression> read_correlation_key(const Reading& reading, const Element& element,
                                               const XmlNode& message) {
  if (const XmlNode* zeebe = extension(reading, message, element.id, "subscription")) {
    const std::string_view key = zeebe->attribute("correlationKey");
    if (trim(key).empty()) {
      reading.findings.error(
          element.id, fmt::format("must have a correlationKey in the 'zeebe:subscription' of "
                                  "its message '{}'",
                                  message.attribute("id")));
      return std::nullopt;
    }
    return read_expression(reading, element.id, "correlationKey", key);
  }
  const XmlNode* extensions = message.child(Namespace::Bpmn, "extensionElements");
  const XmlNode* fleans =
      extensions == nullptr ? nullptr : extensions->child(Namespace::Fleans, "subscription");
  if (fleans == nullptr) return std::nullopt;
  // In this namespace a key is always FEEL, with or without "=".
  std::string key(trim(fleans->attribute("correlationKey")));
  if (key.empty()) return std::nullopt;
  if (!key.starts_with('=')) key = fmt::format("={}", key);
  return read_expression(reading, element.id, "correlationKey", key);
}

// Evaluates a name that must not depend on variables. It is static afterwards, so it is never
// evaluated again.
void make_constant(const Reading& reading, const Element& element, std::string_view what,
                   Expression& name) {
  if (name.is_static) return;
  std::optional<std::string> constant = constant_string(reading, name);
  const feel::Budget& budget = reading.findings.constants_budget();
  if (budget.is_used_up()) {
    reading.findings.error(
        element.id, fmt::format("must have a simpler expression as {}: evaluating the constant "
                                "expressions of this file may take {} steps and takes more",
                                what, budget.steps()));
    return;
  }
  if (!constant || constant->empty()) {
    reading.findings.error(element.id,
                           fmt::format("must have a constant expression as {}, one that gives a "
                                       "string without variables, but has '={}'",
                                       what, cut(name.text)));
    return;
  }
  name = Expression::literal(*std::move(constant));
}

void read_message(const Reading& reading, const XmlNode& referring, Element& element,
                  bool is_process_start) {
  const std::string_view reference = referring.attribute("messageRef");
  const XmlNode* node = reading.file.find(reference, "message");
  if (node == nullptr) {
    reading.findings.error(
        element.id,
        reference.empty()
            ? "must reference a message"
            : fmt::format("must reference a message, but '{}' is not a message", reference));
    return;
  }
  Message message;
  message.id = std::string(node->attribute("id"));
  const std::string_view name = node->attribute("name");
  if (trim(name).empty()) {
    reading.findings.error(
        element.id,
        fmt::format("must reference a message with a name, but '{}' has none", message.id));
    return;
  }
  check_length(reading, element.id, "a message name", name);
  message.name = read_expression(reading, element.id, "message name", name);
  if (is_process_start) {
    make_constant(reading, element, "message name", message.name);
  } else {
    message.correlation_key = read_correlation_key(reading, element, *node);
  }
  element.mutable_parts().message = std::move(message);
}

void read_signal(const Reading& reading, const XmlNode& definition, Element& element,
                 bool is_process_start) {
  const std::string_view reference = definition.attribute("signalRef");
  const XmlNode* node = reading.file.find(reference, "signal");
  if (node == nullptr) {
    reading.findings.error(
        element.id,
        reference.empty()
            ? "must reference a signal"
            : fmt::format("must reference a signal, but '{}' is not a signal", reference));
    return;
  }
  const std::string_view name = node->attribute("name");
  if (trim(name).empty()) {
    reading.findings.error(element.id,
                           fmt::format("must reference a signal with a name, but '{}' has none",
                                       node->attribute("id")));
    return;
  }
  check_length(reading, element.id, "a signal name", name);
  Signal signal{.id = std::string(node->attribute("id")),
                .name = read_expression(reading, element.id, "signal name", name)};
  if (is_process_start) make_constant(reading, element, "signal name", signal.name);
  element.mutable_parts().signal = std::move(signal);
}

// Errors and escalations: a definition with a code, which a catch event may omit.
std::optional<Expression> read_code(const Reading& reading, const XmlNode& definition,
                                    const Element& element, std::string_view kind,
                                    const char* reference_name, const char* code_name,
                                    bool throws) {
  const std::string_view reference = definition.attribute(reference_name);
  const std::string_view article = "an";
  if (reference.empty()) {
    if (throws) {
      reading.findings.error(element.id, fmt::format("must reference {} {}", article, kind));
    }
    return std::nullopt;
  }
  const XmlNode* node = reading.file.find(reference, kind);
  if (node == nullptr) {
    reading.findings.error(element.id, fmt::format("must reference {} {}, but '{}' is not one",
                                                   article, kind, reference));
    return std::nullopt;
  }
  const std::string_view text = node->attribute(code_name);
  if (trim(text).empty()) {
    if (throws) {
      reading.findings.error(
          element.id, fmt::format("must reference {} {} with a code, but '{}' has none", article,
                                  kind, reference));
    }
    return std::nullopt;
  }
  Expression code = read_expression(reading, element.id, code_name, text);
  if (!throws && code.is_feel()) {
    reading.findings.error(element.id,
                           fmt::format("must have a static {}, since it catches, but has the "
                                       "expression '={}'",
                                       code_name, cut(code.text)));
  }
  return code;
}

// A start timer is evaluated when its process is deployed; there are no variables then.
void check_start_timer(const Reading& reading, const Element& element, const Timer& timer) {
  const feel::Evaluation result = evaluate_without_variables(reading, timer.expression);
  const feel::Kind kind = result.failure ? feel::Kind::Null : feel::kind_of(*result.value);
  const bool is_duration =
      kind == feel::Kind::DaysTimeDuration || kind == feel::Kind::YearsMonthsDuration;
  if (timer.kind == TimerKind::Duration && is_duration) return;
  if (timer.kind == TimerKind::Date && kind == feel::Kind::DateTime) return;
  std::string reason =
      fmt::format("it gives {}",
                  kind == feel::Kind::String ? "a text that is not a time" : feel::kind_name(kind));
  if (kind == feel::Kind::String) {
    const Result<Schedule, std::string> schedule =
        parse_schedule(timer.kind, *feel::as_string(*result.value));
    if (schedule) return;
    reason = schedule.error();
  }
  reading.findings.error(element.id,
                         fmt::format("must have a timer expression that can be evaluated without "
                                     "variables, but for '={}' {}",
                                     cut(timer.expression.text), reason));
}

void read_timer(const Reading& reading, const XmlNode& definition, Element& element,
                Position position) {
  Timer timer;
  const XmlNode* found = nullptr;
  int count = 0;
  for (const XmlNode& child : definition.children) {
    if (child.ns != Namespace::Bpmn) continue;
    if (child.name == "timeDate") {
      timer.kind = TimerKind::Date;
    } else if (child.name == "timeDuration") {
      timer.kind = TimerKind::Duration;
    } else if (child.name == "timeCycle") {
      timer.kind = TimerKind::Cycle;
    } else {
      continue;
    }
    found = &child;
    ++count;
  }
  if (count != 1) {
    reading.findings.error(element.id,
                           fmt::format("must have exactly one of 'timeDate', 'timeDuration' and "
                                       "'timeCycle', but has {}",
                                       count));
    return;
  }
  if (timer.kind == TimerKind::Cycle) {
    if (position == Position::Catch) {
      reading.findings.error(element.id,
                             "must have a duration or a date as timer, since it is an intermediate "
                             "catch event, but has a cycle");
    } else if (position != Position::ProcessStart && element.interrupting) {
      reading.findings.error(element.id,
                             "must not have a cycle as timer, since it is interrupting");
    }
  }
  const std::string text = found->text();
  if (text.empty()) {
    reading.findings.error(element.id, fmt::format("must have a text in '{}'", found->name));
    return;
  }
  timer.expression = read_expression(reading, element.id, found->name, text);
  if (timer.expression.is_static) {
    if (const auto schedule = parse_schedule(timer.kind, timer.expression.text); !schedule) {
      reading.findings.error(element.id,
                             fmt::format("must have a valid timer: {}", schedule.error()));
    }
  } else if (position == Position::ProcessStart && timer.expression.feel.program() != nullptr) {
    check_start_timer(reading, element, timer);
  }
  element.mutable_parts().timer = std::move(timer);
}

void read_link(const Reading& reading, const XmlNode& definition, Element& element) {
  const std::string_view name = trim(definition.attribute("name"));
  if (name.empty()) reading.findings.error(element.id, "must have a link name");
  element.mutable_parts().link = Link{.name = std::string(name), .catch_event = {}};
}

void read_conditional(const Reading& reading, const XmlNode& definition, Element& element) {
  Conditional conditional;
  const XmlNode* condition = definition.child(Namespace::Bpmn, "condition");
  conditional.condition = read_feel(reading, element.id, "condition",
                                    condition == nullptr ? std::string() : condition->text());
  conditional.variables = feel::free_variables(conditional.condition.feel);
  const XmlNode* filter = extension(reading, definition, element.id, "conditionalFilter");
  std::string_view events = filter == nullptr ? "" : filter->attribute("variableEvents");
  if (!trim(events).empty()) {
    conditional.on_create = conditional.on_update = false;
    while (true) {
      const std::size_t comma = events.find(',');
      const std::string_view event = trim(events.substr(0, comma));
      if (event == "create") {
        conditional.on_create = true;
      } else if (event == "update") {
        conditional.on_update = true;
      } else {
        reading.findings.error(element.id,
                               fmt::format("must have 'create' and 'update' as variableEvents, but "
                                           "has '{}'",
                                           cut(event)));
      }
      if (comma == std::string_view::npos) break;
      events.remove_prefix(comma + 1);
    }
  }
  element.mutable_parts().conditional = std::move(conditional);
}

void read_compensation(const Reading& reading, const XmlNode& definition, Element& element,
                       Position position) {
  element.mutable_parts().compensation.emplace();
  if (position != Position::Boundary && !read_flag(definition, "waitForCompletion", true)) {
    reading.findings.error(element.id, "must have 'true' as waitForCompletion");
  }
}

void warn_of_misplaced_subscription(const Reading& reading, const XmlNode& node,
                                    const Element& element) {
  if (extension(reading, node, element.id, "subscription") != nullptr) {
    reading.findings.warn(element.id,
                          "'zeebe:subscription' is ignored here, move it to the "
                          "message");
  }
}

// Returns the event definitions of an event; nothing after it reported one that is not known.
std::optional<std::vector<FoundDefinition>> find_definitions(const Reading& reading,
                                                             const XmlNode& node,
                                                             const Element& element) {
  std::vector<FoundDefinition> found;
  for (const XmlNode& child : node.children) {
    if (child.ns != Namespace::Bpmn) continue;
    const auto known = std::find_if(kDefinitions.begin(), kDefinitions.end(),
                                    [&](const Definition& d) { return d.name == child.name; });
    if (known != kDefinitions.end()) {
      found.push_back({&child, known->type});
    } else if (child.name.ends_with("EventDefinition") || child.name == "eventDefinitionRef") {
      reading.findings.error(element.id,
                             fmt::format("must not have a '{}': it is not supported", child.name));
      return std::nullopt;
    }
  }
  return found;
}

}  // namespace

void read_definition(const Reading& reading, const XmlNode& node, const XmlNode& definition,
                     Element& element, Position position) {
  const bool is_process_start = position == Position::ProcessStart;
  const bool throws = position == Position::Throw || position == Position::End;
  Parts& parts = element.mutable_parts();
  switch (element.event_type) {
    case EventType::Message:
      if (throws) {
        read_task(reading, node, element);
      } else {
        read_message(reading, definition, element, is_process_start);
        warn_of_misplaced_subscription(reading, node, element);
      }
      return;
    case EventType::Timer:
      return read_timer(reading, definition, element, position);
    case EventType::Signal:
      return read_signal(reading, definition, element, is_process_start);
    case EventType::Error:
      parts.error = Error{.code = read_code(reading, definition, element, "error", "errorRef",
                                            "errorCode", throws)};
      if (!element.interrupting) {
        reading.findings.error(element.id, "must be interrupting, since it catches an error");
      }
      return;
    case EventType::Escalation:
      parts.escalation = Escalation{.code = read_code(reading, definition, element, "escalation",
                                                      "escalationRef", "escalationCode", throws)};
      return;
    case EventType::Link:
      return read_link(reading, definition, element);
    case EventType::Conditional:
      return read_conditional(reading, definition, element);
    case EventType::Compensation:
      return read_compensation(reading, definition, element, position);
    case EventType::Cancel:
      if (!element.interrupting) {
        reading.findings.error(element.id,
                               "must be interrupting, since it is a cancel boundary event");
      }
      return;
    case EventType::Terminate:
    case EventType::None:
    case EventType::Multiple:
    case EventType::ParallelMultiple:
    case EventType::Unspecified:
      return;
  }
}

void read_event_definition(const Reading& reading, const XmlNode& node, Element& element,
                           ElementType scope_type) {
  const Position position = position_of(element, scope_type);
  element.event_type = EventType::None;
  const std::optional<std::vector<FoundDefinition>> found =
      find_definitions(reading, node, element);
  if (!found) return;
  if (found->size() > 1) return read_multiple_event(reading, node, *found, element, position);
  const XmlNode* definition = found->empty() ? nullptr : found->front().node;
  if (definition != nullptr) element.event_type = found->front().type;
  if (!is_allowed(position, element.event_type)) {
    reading.findings.error(
        element.id, definition == nullptr
                        ? fmt::format("must have exactly one event definition: it must be a {}",
                                      expectation(position))
                        : fmt::format("must not have a '{}': it must be a {}", definition->name,
                                      expectation(position)));
    return;
  }
  if (definition != nullptr) read_definition(reading, node, *definition, element, position);
}

void read_receive_task(const Reading& reading, const XmlNode& node, Element& element) {
  element.event_type = EventType::Message;
  read_message(reading, node, element, false);
  warn_of_misplaced_subscription(reading, node, element);
}

}  // namespace beeline::bpmn
