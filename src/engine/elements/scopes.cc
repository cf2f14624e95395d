#include <optional>

#include "base/check.h"
#include "engine/behaviors/cancellation.h"
#include "engine/behaviors/compensation.h"
#include "engine/behaviors/complex_joins.h"
#include "engine/behaviors/definition_deletion.h"
#include "engine/behaviors/incidents.h"
#include "engine/behaviors/jobs.h"
#include "engine/behaviors/mappings.h"
#include "engine/behaviors/message_correlation.h"
#include "engine/behaviors/subscriptions.h"
#include "engine/behaviors/transitions.h"
#include "engine/behaviors/triggers.h"
#include "engine/elements/element_behavior.h"
#include "engine/elements/termination.h"

// Processes, embedded subprocesses and event subprocesses (spec: elements/scopes 1 to 3).
namespace beeline::engine {
namespace {

using record::ElementType;
using record::ProcessInstanceResultIntent;

bool can_complete(const ElementInstanceRow& row) {
  return row.child_count + row.active_flow_count == 0;
}

// ----- process -----

Outcome activate_process(Step& step, ElementContext& context) {
  write_activated(step, context);
  if (const Trigger* trigger = find_event_trigger(step, context)) {
    activate_triggered_start(step, context, Trigger{*trigger});
    return {};
  }
  const bpmn::ElementIndex start = context.element->none_start;
  BEELINE_ENSURE(start.is_set(), "process '{}' has no none start event", context.element->id);
  go_on_to_activate(step, context, context.element_at(start), Key{});
  return {};
}

Outcome complete_process(Step& step, const ElementContext& context) {
  unsubscribe(step, context);
  return {};
}

void answer_with_result(Step& step, const ElementContext& context) {
  const AwaitedResultRow* awaited = step.state().find_awaited_result(context.key);
  if (awaited == nullptr) return;
  record::ProcessInstanceResultRecord result;
  fill_owner(result, context);
  result.version = context.value.version;
  result.variables =
      step.state().variables().collect(context.key, awaited->fetch_variables).to_document();
  if (const TagsRow* tags = step.state().find_tags(context.key)) result.tags = tags->tags;
  step.respond_to(awaited->request_id, ProcessInstanceResultIntent::Completed, context.key, result);
}

// Completes a process instance. A called process hands its variables to the call activity before it
// is removed, and lets the call activity continue afterwards. If the caller has no room for the
// variables, the called process stays.
Outcome finish_process(Step& step, const ElementContext& context) {
  const Key caller = context.value.parent_element_instance_key;
  if (caller.is_set()) {
    const ElementContext calling = context_of(step, caller);
    const ElementBehavior& around = behavior_of(*calling.element);
    BEELINE_TRY(const PathEnd end, around.before_path_completed(step, calling, context));
    write_completed(step, context);
    around.path_completed(step, calling, context, end);
  } else {
    answer_with_result(step, context);
    const std::optional<MessageStartLockRow> lock = message_lock_of(step, context.key);
    write_completed(step, context);
    if (lock) release_message_lock(step, *lock);
  }
  delete_drained(step, context.value.process_definition_key);
  return {};
}

// ----- any scope -----

bool terminate_scope(Step& step, const ElementContext& context) {
  unsubscribe(step, context);
  resolve_incidents(step, context);
  if (!release_activities(step, context)) {
    go_on_to_terminate(step, context);  // the batch is full; the next one goes on
    return false;
  }
  return !terminate_children(step, context);
}

void scope_path_completed(Step& step, const ElementContext& scope, const ElementContext&, PathEnd) {
  const ElementInstanceRow& row = row_of(step, scope.key);
  if (row.state != ElementState::Activated) return;
  if (can_complete(row)) return go_on_to_complete(step, scope);
  settle_rounds(step, scope);
}

// Lets a scope continue when its last child is terminated (spec: lifecycle 8).
void scope_child_terminated(Step& step, const ElementContext& scope) {
  const ElementInstanceRow& row = row_of(step, scope.key);
  if (row.state == ElementState::Activated && is_canceling_transaction(row)) {
    return compensate_transaction(step, scope);
  }
  if (row.child_count > 0) return;
  if (row.state == ElementState::Terminating) {
    finish_termination(step, scope);
    return;
  }
  if (row.state != ElementState::Activated || row.interrupted_by < 0) return;
  const bpmn::Element& by = scope.element_at(bpmn::ElementIndex{row.interrupted_by});
  if (by.type == ElementType::EventSubProcess) {
    go_on_to_activate(step, scope, by, Key{});
  } else {
    go_on_to_complete(step, scope);
  }
}

// ----- embedded subprocess -----

Outcome activate_subprocess(Step& step, ElementContext& context) {
  BEELINE_TRY_VOID(apply_inputs(step, context));
  write_activated(step, context);
  const bpmn::ElementIndex start = context.element->start_events.front();
  go_on_to_activate(step, context, context.element_at(start), Key{});
  return {};
}

// A subprocess has no result of its own. Its variables vanish with it unless they are mapped.
Outcome complete_subprocess(Step& step, const ElementContext& context) {
  BEELINE_TRY_VOID(apply_outputs(step, context));
  unsubscribe(step, context);
  return {};
}

}  // namespace

const ElementBehavior kProcess = {.activate = activate_process,
                                  .complete = complete_process,
                                  .terminate = terminate_scope,
                                  .path_completed = scope_path_completed,
                                  .child_terminated = scope_child_terminated,
                                  .finish_completion = finish_process};

const ElementBehavior kSubProcess = {.activate = activate_subprocess,
                                     .complete = complete_subprocess,
                                     .terminate = terminate_scope,
                                     .path_completed = scope_path_completed,
                                     .child_terminated = scope_child_terminated};

const ElementBehavior kEventSubProcess = {.activate = activate_subprocess,
                                          .complete = complete_subprocess,
                                          .terminate = terminate_scope,
                                          .path_completed = scope_path_completed,
                                          .child_terminated = scope_child_terminated};

}  // namespace beeline::engine
