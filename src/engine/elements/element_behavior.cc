#include "engine/elements/element_behavior.h"

#include "base/check.h"
#include "engine/behaviors/incidents.h"
#include "engine/behaviors/jobs.h"
#include "engine/behaviors/mappings.h"
#include "engine/behaviors/subscriptions.h"

namespace beeline::engine {
namespace {

using record::ElementType;
using record::EventType;

bool throws(const bpmn::Element& event) {
  return event.type == ElementType::IntermediateThrowEvent || event.type == ElementType::EndEvent;
}

const ElementBehavior* message_event_behavior(const bpmn::Element& element) {
  if (element.type == ElementType::IntermediateCatchEvent) return &kCatchEvent;
  if (!throws(element)) return &kNoneEvent;  // start and boundary events
  // A throwing message event with a task definition creates a job.
  return element.parts().job ? &kJobTask : nullptr;
}

const ElementBehavior* signal_event_behavior(const bpmn::Element& element) {
  if (element.type == ElementType::IntermediateCatchEvent) return &kCatchEvent;
  const bool throws =
      element.type == ElementType::IntermediateThrowEvent || element.type == ElementType::EndEvent;
  return throws ? &kSignalThrowEvent : &kNoneEvent;  // the latter for start and boundary events
}

const ElementBehavior* event_behavior(const bpmn::Element& element);

// An event can be executed if each of its definitions could be by itself.
const ElementBehavior* multiple_event_behavior(const bpmn::Element& element) {
  for (const bpmn::Element& definition : element.definitions()) {
    // The job of an event that throws is a part of the event itself.
    const bool is_job = throws(element) && definition.event_type == EventType::Message;
    const ElementBehavior* alone =
        is_job ? message_event_behavior(element) : event_behavior(definition);
    if (alone == nullptr) return nullptr;
  }
  if (throws(element)) return &kMultipleThrowEvent;
  return element.type == ElementType::IntermediateCatchEvent ? &kCatchEvent : &kNoneEvent;
}

const ElementBehavior* event_behavior(const bpmn::Element& element) {
  switch (element.event_type) {
    case EventType::None:
    case EventType::Unspecified:
      return &kNoneEvent;
    case EventType::Timer:
    case EventType::Conditional:
      return element.type == ElementType::IntermediateCatchEvent ? &kCatchEvent : &kNoneEvent;
    case EventType::Message:
      return message_event_behavior(element);
    case EventType::Error:
      return element.type == ElementType::EndEvent ? &kErrorEndEvent : &kNoneEvent;
    case EventType::Terminate:
      return &kTerminateEndEvent;
    case EventType::Link:
      return &kLinkEvent;
    case EventType::Signal:
      return signal_event_behavior(element);
    case EventType::Escalation:
      return throws(element) ? &kEscalationEvent : &kNoneEvent;
    case EventType::Compensation:
      return throws(element) ? &kCompensationEvent : &kNoneEvent;
    case EventType::Cancel:
      return throws(element) ? &kCancelEndEvent : &kNoneEvent;
    case EventType::Multiple:
    case EventType::ParallelMultiple:
      return multiple_event_behavior(element);
  }
  return nullptr;
}

}  // namespace

const ElementBehavior* find_behavior(const bpmn::Element& element) {
  switch (element.type) {
    case ElementType::Process:
      return &kProcess;
    case ElementType::SubProcess:
      return &kSubProcess;
    case ElementType::EventSubProcess:
      return &kEventSubProcess;
    case ElementType::StartEvent:
    case ElementType::IntermediateCatchEvent:
    case ElementType::IntermediateThrowEvent:
    case ElementType::BoundaryEvent:
    case ElementType::EndEvent:
      return event_behavior(element);
    case ElementType::ManualTask:
    case ElementType::Task:
      return &kPassThrough;
    case ElementType::ServiceTask:
    case ElementType::SendTask:
    case ElementType::UserTask:
      return element.parts().job ? &kJobTask : nullptr;
    case ElementType::BusinessRuleTask:
      return element.parts().job ? &kJobTask : &kBusinessRuleTask;
    case ElementType::ScriptTask:
      return element.parts().job ? &kJobTask : &kScriptTask;
    case ElementType::ExclusiveGateway:
      return &kExclusiveGateway;
    case ElementType::ParallelGateway:
      return &kParallelGateway;
    case ElementType::InclusiveGateway:
      return element.parts().complex_join ? &kComplexGateway : &kInclusiveGateway;
    case ElementType::EventBasedGateway:
      return &kEventBasedGateway;
    case ElementType::ReceiveTask:
      return &kCatchEvent;
    case ElementType::CallActivity:
      return &kCallActivity;
    case ElementType::MultiInstanceBody:
      return element.parts().standard_loop ? &kStandardLoopBody : &kMultiInstanceBody;
    case ElementType::Unspecified:
    case ElementType::AdHocSubProcess:
    case ElementType::AdHocSubProcessInnerInstance:
    case ElementType::SequenceFlow:
      return nullptr;
  }
  return nullptr;
}

const ElementBehavior& behavior_of(const bpmn::Element& element) {
  const ElementBehavior* behavior = find_behavior(element);
  BEELINE_ENSURE(behavior != nullptr, "no behavior for element '{}' of type {}", element.id,
                 record::name_of(element.type));
  return *behavior;
}

namespace shared {

Outcome complete_nothing(Step&, const ElementContext&) {
  return {};
}

Outcome never_complete(Step&, const ElementContext& context) {
  BEELINE_ENSURE(false, "element '{}' is completed as it is activated", context.element->id);
  return {};
}

Outcome map_outputs(Step& step, const ElementContext& context) {
  BEELINE_TRY_VOID(apply_outputs(step, context));
  unsubscribe(step, context);
  return {};
}

bool terminate_leaf(Step& step, const ElementContext& context) {
  cancel_job(step, context);
  unsubscribe(step, context);
  resolve_incidents(step, context);
  return true;
}

Result<PathEnd, Failure> allow_path(Step&, const ElementContext&, const ElementContext&) {
  return PathEnd::OneOfMany;
}

Outcome allow_child(Step&, const ElementContext&, const ElementContext&) {
  return {};
}

void no_path(Step&, const ElementContext& scope, const ElementContext&, PathEnd) {
  BEELINE_ENSURE(false, "element '{}' has no children", scope.element->id);
}

void no_child(Step&, const ElementContext& scope) {
  BEELINE_ENSURE(false, "element '{}' has no children", scope.element->id);
}

}  // namespace shared
}  // namespace beeline::engine
