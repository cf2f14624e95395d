#pragma once

#include "bpmn/schedule.h"
#include "engine/behaviors/element_context.h"
#include "engine/failure.h"

namespace beeline::engine {

// The time at which a timer fires, and the text by which it is set again if it repeats.
struct PlannedTimer {
  bpmn::Due due;
  std::string interval;
};
// Plans the timer of a catch event, evaluated in the host's scope. This happens once: variables
// that change later do not change the plan.
[[nodiscard]] Result<PlannedTimer, Failure> plan_timer(const Step& step,
                                                       const bpmn::Element& catch_event, Key scope);
void create_timer(Step& step, const ElementContext& host, const bpmn::Element& catch_event,
                  const PlannedTimer& plan);
// Creates the timer of a start event, which belongs to a version of a process.
void create_start_timer(Step& step, const Definition& definition, const bpmn::Element& start_event,
                        const PlannedTimer& plan);
void cancel_timer(Step& step, Key timer);

// Creates the next timer of one that fired, if it repeats. It can fail only for a timer on a log
// from before intervals were recorded.
[[nodiscard]] Outcome repeat_timer(Step& step, const record::TimerRecord& fired,
                                   const bpmn::Element& catch_event);

}  // namespace beeline::engine
