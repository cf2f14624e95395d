#pragma once

#include "bpmn/schedule.h"
#include "engine/behaviors/element_context.h"
#include "engine/failure.h"

namespace beeline::engine {

// When a timer fires, and by which text it is set again, if it repeats.
struct PlannedTimer {
  bpmn::Due due;
  std::string interval;
};
// The plan of a catch event's timer, evaluated in the host's scope. Once: what follows from it does
// not change with variables.
[[nodiscard]] Result<PlannedTimer, Failure> plan_timer(const Step& step,
                                                       const bpmn::Element& catch_event, Key scope);
void create_timer(Step& step, const ElementContext& host, const bpmn::Element& catch_event,
                  const PlannedTimer& plan);
void cancel_timer(Step& step, Key timer);

// Whether a version is new, or takes over again because a newer one is deleted. Then a date that
// has passed does not fire once more.
enum class StartTimers : std::uint8_t { OfNewVersion, OfFormerVersion };
// Cancels the start timers of one version and sets those of another; either may be null. Fails when
// an expression does not evaluate.
[[nodiscard]] Outcome replace_start_timers(Step& step, const Definition* closed,
                                           const Definition* opened, StartTimers which);
// Creates the next timer of one that fired, if it repeats. Can fail only for a timer of a log from
// before intervals were kept.
[[nodiscard]] Outcome repeat_timer(Step& step, const record::TimerRecord& fired,
                                   const bpmn::Element& catch_event);

}  // namespace beeline::engine
