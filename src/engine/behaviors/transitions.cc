#include "engine/behaviors/transitions.h"

#include "base/check.h"

namespace beeline::engine {
namespace {

using record::ProcessInstanceBatchIntent;
using record::ProcessInstanceIntent;

// Lists every legal transition between states (spec: lifecycle 1).
bool is_legal(ElementState from, ElementState to) {
  switch (from) {
    case ElementState::Activating:
      return to == ElementState::Activated || to == ElementState::Terminating;
    case ElementState::Activated:
      return to == ElementState::Completing || to == ElementState::Terminating;
    case ElementState::Completing:
      return to == ElementState::Completed || to == ElementState::Terminating;
    case ElementState::Terminating:
      return to == ElementState::Terminated;
    case ElementState::Completed:
    case ElementState::Terminated:
      return false;
  }
  return false;
}

void transition(Step& step, const ElementContext& context, ElementState to,
                ProcessInstanceIntent intent) {
  const ElementState from = row_of(step, context.key).state;
  BEELINE_ENSURE(is_legal(from, to), "element instance {} cannot go from {} to {}",
                 context.key.value(), name_of(from), name_of(to));
  step.event(intent, context.key, context.value);
}

}  // namespace

void write_activating(Step& step, ElementContext& context) {
  if (!context.key.is_set()) context.key = step.next_key();
  record::ActivationPart part;
  if (context.value.activation.is_set()) part.tags = context.value.activation->tags;
  fill_paths(step, context, part);
  step.activating_event(context.key, context.value, part);
}

void write_activated(Step& step, const ElementContext& context) {
  transition(step, context, ElementState::Activated, ProcessInstanceIntent::ElementActivated);
}

void write_completing(Step& step, const ElementContext& context) {
  transition(step, context, ElementState::Completing, ProcessInstanceIntent::ElementCompleting);
}

void write_completed(Step& step, const ElementContext& context) {
  transition(step, context, ElementState::Completed, ProcessInstanceIntent::ElementCompleted);
}

void write_terminating(Step& step, const ElementContext& context) {
  transition(step, context, ElementState::Terminating, ProcessInstanceIntent::ElementTerminating);
}

void write_terminated(Step& step, const ElementContext& context) {
  transition(step, context, ElementState::Terminated, ProcessInstanceIntent::ElementTerminated);
}

void go_on_to_complete(Step& step, const ElementContext& context) {
  step.command(ProcessInstanceIntent::CompleteElement, context.key, context.value);
}

void go_on_to_terminate(Step& step, const ElementContext& context) {
  step.command(ProcessInstanceIntent::TerminateElement, context.key, context.value);
}

void go_on_to_activate(Step& step, const ElementContext& scope, const bpmn::Element& element,
                       Key key) {
  step.command(ProcessInstanceIntent::ActivateElement, key, child_context(scope, element).value);
}

bool terminate_children(Step& step, const ElementContext& scope) {
  if (row_of(step, scope.key).child_count == 0) return false;
  record::ProcessInstanceBatchRecord value;
  fill_owner(value, scope);
  value.batch_element_instance_key = scope.key;
  step.command(ProcessInstanceBatchIntent::Terminate, step.next_key(), value);
  return true;
}

void take_flow(Step& step, const ElementContext& context, const bpmn::Element& flow) {
  record::ProcessInstanceView value = context.value;
  set_element(value, flow);
  step.event(ProcessInstanceIntent::SequenceFlowTaken, step.next_key(), value);
  set_element(value, context.element_at(flow.target));
  step.command(ProcessInstanceIntent::ActivateElement, step.next_key(), value);
}

void take_all_flows(Step& step, const ElementContext& context) {
  for (const bpmn::ElementIndex flow : context.element->outgoing) {
    take_flow(step, context, context.element_at(flow));
  }
}

}  // namespace beeline::engine
