#include "engine/behaviors/transitions.h"

#include <algorithm>

#include "base/check.h"

namespace beeline::engine {
namespace {

using record::ProcessInstanceIntent;

// Every legal way from one state to another (spec 2.1).
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

// The paths from the root down to a new instance (spec 2.9), written on its first record.
void fill_paths(Step& step, ElementContext& context) {
  record::ProcessInstanceRecord& value = context.value;
  record::KeyPath path;
  path.keys.reserve(4);
  path.keys.push_back(context.key);
  Key scope = value.flow_scope_key;
  Key caller = value.parent_element_instance_key;
  value.process_definition_path.push_back(value.process_definition_key);
  while (true) {
    while (scope.is_set()) {
      path.keys.push_back(scope);
      scope = row_of(step, scope).flow_scope_key;
    }
    std::reverse(path.keys.begin(), path.keys.end());
    value.element_instance_path.push_back(std::move(path));
    if (!caller.is_set()) break;
    const ElementContext calling = context_of(step, caller);
    value.process_definition_path.push_back(calling.value.process_definition_key);
    value.calling_element_path.push_back(calling.element->parts().called_element->rank);
    path = record::KeyPath{.keys = {caller}};
    scope = calling.value.flow_scope_key;
    caller = calling.value.parent_element_instance_key;
  }
  std::reverse(value.element_instance_path.begin(), value.element_instance_path.end());
  std::reverse(value.process_definition_path.begin(), value.process_definition_path.end());
  std::reverse(value.calling_element_path.begin(), value.calling_element_path.end());
}

}  // namespace

void write_activating(Step& step, ElementContext& context) {
  if (!context.key.is_set()) context.key = step.next_key();
  fill_paths(step, context);
  step.event(ProcessInstanceIntent::ElementActivating, context.key, context.value);
  context.value.element_instance_path.clear();
  context.value.process_definition_path.clear();
  context.value.calling_element_path.clear();
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

void take_flow(Step& step, const ElementContext& context, const bpmn::Element& flow) {
  record::ProcessInstanceRecord value = context.value;
  value.element_id = flow.id;
  value.element_type = record::ElementType::SequenceFlow;
  value.event_type = record::EventType::Unspecified;
  step.event(ProcessInstanceIntent::SequenceFlowTaken, step.next_key(), value);
  const bpmn::Element& target = context.element_at(flow.target);
  value.element_id = target.id;
  value.element_type = target.type;
  value.event_type = target.event_type;
  step.command(ProcessInstanceIntent::ActivateElement, step.next_key(), value);
}

void take_all_flows(Step& step, const ElementContext& context) {
  for (const bpmn::ElementIndex flow : context.element->outgoing) {
    take_flow(step, context, context.element_at(flow));
  }
}

}  // namespace beeline::engine
