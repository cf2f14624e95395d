#include "engine/behaviors/errors.h"

#include <fmt/format.h>

#include "engine/behaviors/triggers.h"

namespace beeline::engine {
namespace {

// The event of this host that catches the code, or null.
const bpmn::Element* catching_event(const ElementContext& host, std::string_view code) {
  const bpmn::Element* catch_all = nullptr;
  const auto consider = [&](const bpmn::Element& event) -> bool {
    if (event.event_type != record::EventType::Error) return false;
    const auto& error = event.parts().error;
    if (!error || !error->code) {
      if (catch_all == nullptr) catch_all = &event;
      return false;
    }
    return error->code->text == code;
  };
  for (const bpmn::ElementIndex index : host.element->event_subprocesses) {
    for (const bpmn::ElementIndex start : host.element_at(index).start_events) {
      if (consider(host.element_at(start))) return &host.element_at(start);
    }
  }
  for (const bpmn::ElementIndex index : host.element->boundary_events) {
    if (consider(host.element_at(index))) return &host.element_at(index);
  }
  return catch_all;
}

}  // namespace

std::optional<Catcher> find_error_catcher(const Step& step, Key from, std::string_view code) {
  Key key = from;
  while (key.is_set()) {
    const ElementInstanceRow* row = step.state().element_instances().find(key);
    if (row == nullptr) return std::nullopt;
    const bool is_open = row->state == ElementState::Activated && row->interrupted_by < 0;
    // Within an instance the walk ends where a scope is closed; it goes on at the caller.
    if (is_open) {
      ElementContext host = context_of(step, key);
      const bpmn::Element* event = catching_event(host, code);
      if (event != nullptr) return Catcher{std::move(host), event};
      if (row->flow_scope_key.is_set()) {
        key = row->flow_scope_key;
        continue;
      }
    }
    key = row_of(step, row->process_instance_key).parent_element_instance_key;
    if (!key.is_set()) break;
    const ElementInstanceRow* caller = step.state().element_instances().find(key);
    if (caller == nullptr || caller->state != ElementState::Activated) break;
  }
  return std::nullopt;
}

bool accepts(const Step& step, const Catcher& catcher) {
  return can_trigger(step, catcher.host, *catcher.event);
}

void throw_to(Step& step, const Catcher& catcher, const record::DocumentView& variables) {
  trigger_event(step, catcher.host, *catcher.event, variables);
}

Failure unhandled_error(const ElementContext& context, std::string_view code,
                        std::string_view message) {
  const std::string with =
      message.empty() ? std::string{} : fmt::format(" with message '{}'", message);
  return Failure{record::ErrorType::UnhandledErrorEvent,
                 fmt::format("Expected to throw an error event with the code '{}'{}, but it was "
                             "not caught. No error events are available in the scope.",
                             code, with),
                 context.key};
}

}  // namespace beeline::engine
