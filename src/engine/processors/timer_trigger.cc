#include <fmt/format.h>

#include "engine/behaviors/incidents.h"
#include "engine/behaviors/instance_start.h"
#include "engine/behaviors/parallel_triggers.h"
#include "engine/behaviors/timers.h"
#include "engine/behaviors/triggers.h"
#include "engine/processors/processors.h"

namespace beeline::engine {
namespace {

using record::RejectionType;
using record::TimerIntent;

void reject(Step& step, RejectionType type, Key key, std::string_view reality) {
  step.reject(type,
              fmt::format("Expected to trigger timer with key '{}', but {}", key.value(), reality));
}

// Creates an instance that begins at the timer's start event.
void trigger_start(Step& step, Key key, const record::TimerRecord& timer,
                   const Definition& definition, const bpmn::Element& event) {
  const Key instance = step.next_key();
  record::TimerRecord triggered = timer;
  triggered.process_instance_key = instance;
  step.event(TimerIntent::Triggered, key, triggered);
  start_by_event(step, instance, definition, event, {});
  // If the schedule of a repeating timer cannot be evaluated any more, the timer ends, because
  // there is no element on which to raise an incident (spec: timers 5).
  [[maybe_unused]] const Outcome repeated = repeat_timer(step, triggered, event);
}

}  // namespace

void timer_trigger(Step& step, Key key, const record::TimerRecord&) {
  const TimerRow* row = step.state().timers().find(key);
  if (row == nullptr) {
    return reject(step, RejectionType::NotFound, key, "no such timer was found");
  }
  const record::TimerRecord timer = row->record;
  const Definition* definition = step.state().definitions().find(timer.process_definition_key);
  const bpmn::Element* event =
      definition != nullptr ? definition->model->find(timer.target_element_id) : nullptr;
  if (event != nullptr) event = event->find_definition(timer.event_definition_id);
  if (event == nullptr) {
    return reject(step, RejectionType::NotFound, key, "no process definition was found for it");
  }
  if (timer.due_date > step.now()) {
    return reject(step, RejectionType::InvalidState, key, "it is not due yet");
  }
  if (!timer.element_instance_key.is_set()) {
    return trigger_start(step, key, timer, *definition, *event);
  }
  const ElementContext host = context_of(step, timer.element_instance_key);
  if (!can_trigger(step, host, *event)) {
    return reject(step, RejectionType::InvalidState, key,
                  "the element it belongs to can not be triggered any more");
  }
  if (!can_collect(step, host, *event, {})) {
    return reject(step, RejectionType::InvalidState, key,
                  "the element it belongs to keeps as many further triggers as it may");
  }
  step.event(TimerIntent::Triggered, key, timer);
  trigger_event(step, host, *event, {});
  if (const Outcome repeated = repeat_timer(step, timer, *event); !repeated) {
    raise_incident(step, host, repeated.error(), Key{});
  }
}

}  // namespace beeline::engine
