#include <optional>
#include <string>
#include <vector>

#include "base/check.h"
#include "engine/behaviors/compensation.h"
#include "engine/behaviors/jobs.h"
#include "engine/behaviors/mappings.h"
#include "engine/behaviors/signal_subscriptions.h"
#include "engine/behaviors/throws.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/element_behavior.h"

// Throw and end events with several event definitions: signals, escalations, a job and a
// compensation (spec: elements/multiple_events 4).
namespace beeline::engine {
namespace {

using record::EventType;

// Everything that the event throws, evaluated.
struct PlannedThrows {
  std::optional<NewJob> job;
  std::vector<std::string> names;  // of each definition: of its signal, or the code it escalates
};

Result<PlannedThrows, Failure> plan_throws(const Step& step, const ElementContext& context) {
  PlannedThrows planned;
  for (const bpmn::Element& definition : context.element->definitions()) {
    std::string& name = planned.names.emplace_back();
    if (definition.event_type == EventType::Message) {
      BEELINE_TRY(planned.job, evaluate_job(step, context));
    } else if (definition.event_type == EventType::Signal) {
      BEELINE_TRY(name, evaluate_signal_name(step, definition, context.key));
    } else if (definition.event_type == EventType::Escalation) {
      BEELINE_TRY(name, evaluate_escalation_code(step, definition, context.key));
    }
  }
  return planned;
}

// Starts everything in the order of the model. No throw waits for another, but an event that
// catches an escalation and interrupts stops the rest. The last one that ends completes the event.
Outcome activate_multiple_throw_event(Step& step, ElementContext& context) {
  BEELINE_TRY_VOID(apply_inputs(step, context));
  BEELINE_TRY(PlannedThrows planned, plan_throws(step, context));
  write_activated(step, context);
  bool is_at_work = false;
  std::size_t number = 0;
  for (const bpmn::Element& definition : context.element->definitions()) {
    std::string& name = planned.names[number++];
    switch (definition.event_type) {
      case EventType::Message:
        create_job(step, context, *planned.job);
        is_at_work = true;
        break;
      case EventType::Signal:
        throw_signal(step, context, std::move(name));
        break;
      case EventType::Escalation:
        if (!throw_escalation(step, context, name)) return {};
        break;
      case EventType::Compensation:
        if (begin_compensation(step, context)) is_at_work = true;
        break;
      case EventType::Unspecified:
      case EventType::Cancel:
      case EventType::Conditional:
      case EventType::Error:
      case EventType::Link:
      case EventType::None:
      case EventType::Terminate:
      case EventType::Timer:
      case EventType::Multiple:
      case EventType::ParallelMultiple:
        BEELINE_ENSURE(false, "element '{}' cannot throw a {} event", context.element->id,
                       record::name_of(definition.event_type));
    }
  }
  if (!is_at_work) go_on_to_complete(step, context);
  return {};
}

bool terminate_multiple_throw_event(Step& step, const ElementContext& context) {
  cancel_job(step, context);
  return shared::terminate_compensating(step, context);
}

}  // namespace

const ElementBehavior kMultipleThrowEvent = {.activate = activate_multiple_throw_event,
                                             .complete = shared::map_outputs,
                                             .terminate = terminate_multiple_throw_event};

}  // namespace beeline::engine
