#include "engine/behaviors/triggers.h"

#include "base/check.h"
#include "engine/behaviors/open_scopes.h"
#include "engine/behaviors/parallel_triggers.h"
#include "engine/behaviors/subscriptions.h"
#include "engine/behaviors/transitions.h"
#include "engine/behaviors/variable_writing.h"

namespace beeline::engine {
namespace {

using record::ElementType;
using record::ProcessEventIntent;

// `target` is the element of the host itself, a catch event, or one of the definitions of one.
void write_triggering(Step& step, const ElementContext& host, const bpmn::Element& target,
                      const record::DocumentView& variables) {
  record::ProcessEventView value;
  value.scope_key = host.key;
  value.target_element_id = target.id;
  value.event_definition_id = target.parts().definition_id;
  value.variables = variables;
  fill_owner(value, host);
  step.event(ProcessEventIntent::Triggering, step.next_key(), value);
}

void interrupt_by_event_subprocess(Step& step, const ElementContext& host,
                                   const bpmn::Element& event) {
  close_event_subprocess_subscriptions(step, host);
  const bool has_children = terminate_children(step, host);
  // If there are children, the end of the last one activates the event subprocess.
  if (!has_children) {
    go_on_to_activate(step, host, host.element_at(event.flow_scope), Key{});
  }
}

void activate_triggered(Step& step, const ElementContext& host, const Trigger& trigger,
                        ElementContext& event) {
  write_triggered(step, host, trigger);
  write_activating(step, event);
  write_activated(step, event);
  // The payload becomes local variables of the event, and the completion of the event copies them
  // to the scopes around it. If there is no room for both copies, the payload waits on the event as
  // its result. Completing the event then writes it or raises an incident, and resolving the
  // incident tries again.
  const VariableOwner owner = owner_of(event.value);
  if (!has_room_for(step, owner, 2 * bytes_of(trigger.variables)) ||
      !set_local(step, owner, event.key, trigger.variables)) {
    write_result(step, event, trigger.variables);
  }
  go_on_to_complete(step, event);
}

// Returns true if a command that is already on the log will complete the host. An event that
// triggers the host now would be lost, because the first command on the log wins.
bool is_about_to_complete(const Step& step, const ElementContext& host) {
  if (find_result(step, host) != nullptr) return true;
  const ElementType type = host.element->type;
  const bool is_scope = type == ElementType::Process || type == ElementType::SubProcess ||
                        type == ElementType::EventSubProcess;
  const ElementInstanceRow& row = row_of(step, host.key);
  return is_scope && row.interrupted_by < 0 && row.child_count + row.active_flow_count == 0;
}

// Stores the payload of an event and writes the commands that follow.
void fire_event(Step& step, const ElementContext& host, const bpmn::Element& catch_event,
                const record::DocumentView& variables) {
  write_triggering(step, host, catch_event, variables);
  if (host.model().starts_event_subprocess(catch_event)) {
    if (catch_event.interrupting) {
      interrupt_by_event_subprocess(step, host, catch_event);
    } else {
      go_on_to_activate(step, host, host.element_at(catch_event.flow_scope), Key{});
    }
  } else if (catch_event.type == ElementType::BoundaryEvent) {
    if (catch_event.interrupting) {
      go_on_to_terminate(step, host);
    } else {
      const TriggersRow* row = step.state().find_triggers(host.key);
      BEELINE_ENSURE(row != nullptr, "a trigger that was written is not there");
      const Trigger trigger = row->triggers.back();
      activate_triggered_beside(step, host, trigger);
    }
  } else {
    go_on_to_complete(step, host);
  }
}

}  // namespace

void write_result(Step& step, const ElementContext& context,
                  const record::DocumentView& variables) {
  write_triggering(step, context, *context.element, variables);
}

const Trigger* find_result(const Step& step, const ElementContext& context) {
  const TriggersRow* row = step.state().find_triggers(context.key);
  if (row == nullptr) return nullptr;
  for (const Trigger& trigger : row->triggers) {
    if (trigger.target_element_id == context.element->id) return &trigger;
  }
  return nullptr;
}

const Trigger* find_event_trigger(const Step& step, const ElementContext& context) {
  const TriggersRow* row = step.state().find_triggers(context.key);
  if (row == nullptr) return nullptr;
  for (const Trigger& trigger : row->triggers) {
    if (trigger.target_element_id != context.element->id) return &trigger;
  }
  return nullptr;
}

void write_triggered(Step& step, const ElementContext& host, const Trigger& trigger) {
  record::ProcessEventView value;
  value.scope_key = host.key;
  value.target_element_id = trigger.target_element_id;
  value.event_definition_id = trigger.event_definition_id;
  fill_owner(value, host);
  step.event(ProcessEventIntent::Triggered, trigger.key, value);
}

bool can_trigger(const Step& step, const ElementContext& host, const bpmn::Element& catch_event) {
  const ElementInstanceRow* row = step.state().element_instances().find(host.key);
  if (row == nullptr || row->state != ElementState::Activated || !row->accepts_events) return false;
  if (row->event_interrupted && catch_event.type != ElementType::BoundaryEvent) return false;
  if (is_about_to_complete(step, host)) return false;
  // A scope that is ending or interrupted takes no new child, so events within it cannot fire any
  // more.
  return !find_closed_scope_around(step, host.key);
}

void trigger_event(Step& step, const ElementContext& host, const bpmn::Element& catch_event,
                   const record::DocumentView& variables) {
  if (!is_collecting(host, catch_event)) return fire_event(step, host, catch_event, variables);
  const RefusedMessages refused{step, host, catch_event};
  const std::optional<record::Document> payload = collect(step, host, catch_event, variables);
  if (!payload) return;
  fire_event(step, host, catch_event, *payload);
  refused.correlate_again(step);
}

void activate_triggered_beside(Step& step, const ElementContext& host, const Trigger& trigger) {
  ElementContext event = host;
  event.key = Key{};
  event.element = &catch_event_of(host, trigger.target_element_id);
  set_element(event.value, *event.element);
  activate_triggered(step, host, trigger, event);
}

void activate_triggered_start(Step& step, const ElementContext& process, const Trigger& trigger) {
  ElementContext start = child_context(process, catch_event_of(process, trigger.target_element_id));
  activate_triggered(step, process, trigger, start);
}

}  // namespace beeline::engine
