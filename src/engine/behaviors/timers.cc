#include "engine/behaviors/timers.h"

#include <fmt/format.h>

#include "base/check.h"
#include "engine/behaviors/expressions.h"

namespace beeline::engine {
namespace {

using record::ErrorType;
using record::TimerIntent;

Failure timer_failure(const bpmn::Element& catch_event, std::string_view problem, Key scope) {
  return Failure{ErrorType::ExtractValueError,
                 fmt::format("Failed to set the timer of {}: {}", described(catch_event), problem),
                 scope};
}

Result<std::string, Failure> evaluate_schedule(const Step& step, const bpmn::Element& catch_event,
                                               Key scope) {
  const auto& timer = catch_event.parts().timer;
  BEELINE_ENSURE(timer.has_value(), "element '{}' has no timer", catch_event.id);
  return evaluate_text(step, timer->expression, scope);
}

}  // namespace

Result<PlannedTimer, Failure> plan_timer(const Step& step, const bpmn::Element& catch_event,
                                         Key scope) {
  BEELINE_TRY(std::string text, evaluate_schedule(step, catch_event, scope));
  const bpmn::TimerKind kind = catch_event.parts().timer->kind;
  const auto schedule = bpmn::parse_schedule(kind, text);
  if (!schedule) return failure(timer_failure(catch_event, schedule.error(), scope));
  const auto due = bpmn::first_due(*schedule, step.now(), step.zone());
  if (!due) return failure(timer_failure(catch_event, due.error(), scope));
  if (kind != bpmn::TimerKind::Cycle) text.clear();
  return PlannedTimer{*due, std::move(text)};
}

void create_timer(Step& step, const ElementContext& host, const bpmn::Element& catch_event,
                  const PlannedTimer& plan) {
  record::TimerRecord value;
  fill_owner(value, host);
  value.due_date = plan.due.at;
  value.target_element_id = catch_event.id;
  value.event_definition_id = catch_event.parts().definition_id;
  value.repetitions = plan.due.repetitions;
  value.interval = plan.interval;
  value.element_type = catch_event.type;
  step.event(TimerIntent::Created, step.next_key(), value);
}

void create_start_timer(Step& step, const Definition& definition, const bpmn::Element& start_event,
                        const PlannedTimer& plan) {
  record::TimerRecord value;
  value.due_date = plan.due.at;
  value.target_element_id = start_event.id;
  value.event_definition_id = start_event.parts().definition_id;
  value.repetitions = plan.due.repetitions;
  value.interval = plan.interval;
  fill_owner(value, definition);
  value.element_type = start_event.type;
  step.event(TimerIntent::Created, step.next_key(), value);
}

void cancel_timer(Step& step, Key timer) {
  // Copy the record, because the event removes the row.
  const record::TimerRecord value = step.state().timers().get(timer).record;
  step.event(TimerIntent::Canceled, timer, value);
}

Outcome repeat_timer(Step& step, const record::TimerRecord& fired,
                     const bpmn::Element& catch_event) {
  if (fired.repetitions != bpmn::kRepeatForever && fired.repetitions <= 1) return {};
  std::string text = fired.interval;
  if (text.empty()) {
    BEELINE_TRY(text, evaluate_schedule(step, catch_event, fired.element_instance_key));
  }
  const auto schedule = bpmn::parse_schedule(bpmn::TimerKind::Cycle, text);
  if (!schedule) {
    return failure(timer_failure(catch_event, schedule.error(), fired.element_instance_key));
  }
  // If the timer was due several times during a downtime, it has fired once for all of them. Its
  // next due date keeps the rhythm of the schedule.
  const auto next =
      bpmn::next_due(*schedule, {fired.due_date, fired.repetitions}, step.now(), step.zone());
  if (!next) return {};
  record::TimerRecord value = fired;
  value.due_date = next->at;
  value.repetitions = next->repetitions;
  if (!fired.element_instance_key.is_set()) value.process_instance_key = Key{};
  step.event(TimerIntent::Created, step.next_key(), value);
  return {};
}

}  // namespace beeline::engine
