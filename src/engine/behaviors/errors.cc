#include "engine/behaviors/errors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/behaviors/cancellation.h"
#include "engine/behaviors/triggers.h"

namespace beeline::engine {
namespace {

using record::EventType;

// Returns the code that an error or escalation event catches, or null if it catches all.
const bpmn::Expression* code_of(const bpmn::Element& event) {
  const bpmn::Parts& parts = event.parts();
  if (parts.error) return parts.error->code ? &*parts.error->code : nullptr;
  if (parts.escalation) return parts.escalation->code ? &*parts.escalation->code : nullptr;
  return nullptr;
}

// Calls `visit` with each event of this type that the host has, until `visit` returns true.
template <typename Visit>
void for_each_event(const ElementContext& host, EventType type, const Visit& visit) {
  const auto is_wanted = [&](const bpmn::Element& event) {
    return std::ranges::any_of(event.definitions(), [&](const bpmn::Element& definition) {
      return definition.event_type == type && visit(definition);
    });
  };
  for (const bpmn::ElementIndex index : host.element->event_subprocesses) {
    for (const bpmn::ElementIndex start : host.element_at(index).start_events) {
      if (is_wanted(host.element_at(start))) return;
    }
  }
  for (const bpmn::ElementIndex index : host.element->boundary_events) {
    if (is_wanted(host.element_at(index))) return;
  }
}

// Returns the event of this host that catches the code, or null.
const bpmn::Element* catching_event(const ElementContext& host, EventType type,
                                    std::string_view code) {
  const bpmn::Element* catch_all = nullptr;
  const bpmn::Element* exact = nullptr;
  for_each_event(host, type, [&](const bpmn::Element& event) {
    const bpmn::Expression* caught = code_of(event);
    if (caught == nullptr) {
      if (catch_all == nullptr) catch_all = &event;
    } else if (caught->text == code) {
      exact = &event;
    }
    return exact != nullptr;
  });
  return exact != nullptr ? exact : catch_all;
}

// Calls `visit` with each element instance whose events may catch what is thrown at `from`, from
// the innermost to the outermost, until `visit` returns true.
template <typename Visit>
void for_each_open_host(const Step& step, Key from, const Visit& visit) {
  Key key = from;
  while (key.is_set()) {
    const ElementInstanceRow* row = step.state().element_instances().find(key);
    if (row == nullptr) return;
    if (is_canceling_transaction(*row)) return;  // nothing but its cancellation leaves it
    const bool is_open = row->state == ElementState::Activated && row->interrupted_by < 0;
    // A scope that is not open ends the walk within its process instance. The walk continues at the
    // call activity that called the instance.
    if (is_open) {
      if (visit(context_of(step, key))) return;
      if (row->flow_scope_key.is_set()) {
        key = row->flow_scope_key;
        continue;
      }
    }
    key = row_of(step, row->process_instance_key).parent_element_instance_key;
    if (!key.is_set()) return;
    const ElementInstanceRow* caller = step.state().element_instances().find(key);
    if (caller == nullptr || caller->state != ElementState::Activated) return;
  }
}

// Returns the codes that an event would have caught at `from`, with the innermost scopes first.
std::string available_codes(const Step& step, Key from) {
  std::vector<std::string> codes;
  for_each_open_host(step, from, [&](const ElementContext& host) {
    for_each_event(host, EventType::Error, [&](const bpmn::Element& event) {
      if (const bpmn::Expression* code = code_of(event)) codes.push_back(code->text);
      return false;
    });
    return false;
  });
  return fmt::format("{}", fmt::join(codes, ", "));
}

std::optional<Catcher> find_catcher(const Step& step, EventType type, Key from,
                                    std::string_view code) {
  std::optional<Catcher> catcher;
  for_each_open_host(step, from, [&](ElementContext host) {
    const bpmn::Element* event = catching_event(host, type, code);
    if (event != nullptr) catcher = Catcher{std::move(host), event};
    return event != nullptr;
  });
  return catcher;
}

}  // namespace

std::optional<Catcher> find_error_catcher(const Step& step, Key from, std::string_view code) {
  return find_catcher(step, EventType::Error, from, code);
}

std::optional<Catcher> find_escalation_catcher(const Step& step, Key from, std::string_view code) {
  return find_catcher(step, EventType::Escalation, from, code);
}

bool accepts(const Step& step, const Catcher& catcher) {
  return can_trigger(step, catcher.host, *catcher.event);
}

void throw_to(Step& step, const Catcher& catcher, const record::DocumentView& variables) {
  trigger_event(step, catcher.host, *catcher.event, variables);
}

Failure unhandled_error(const Step& step, const ElementContext& context, Key from,
                        std::string_view code, std::string_view message) {
  const std::string with =
      message.empty() ? std::string{} : fmt::format(" with message '{}'", message);
  const std::string codes = available_codes(step, from);
  const std::string available = codes.empty()
                                    ? "No error events are available in the scope."
                                    : fmt::format("Available error events are [{}]", codes);
  return Failure{record::ErrorType::UnhandledErrorEvent,
                 fmt::format("Expected to throw an error event with the code '{}'{}, but it was "
                             "not caught. {}",
                             code, with, available),
                 context.key};
}

}  // namespace beeline::engine
