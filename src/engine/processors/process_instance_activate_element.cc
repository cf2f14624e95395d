#include <fmt/format.h>

#include <optional>

#include "base/check.h"
#include "engine/behaviors/cancellation.h"
#include "engine/behaviors/complex_joins.h"
#include "engine/behaviors/definition_deletion.h"
#include "engine/behaviors/incidents.h"
#include "engine/behaviors/joins.h"
#include "engine/behaviors/open_scopes.h"
#include "engine/behaviors/runtime_instructions.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/element_behavior.h"
#include "engine/failure.h"
#include "engine/processors/processors.h"

namespace beeline::engine {
namespace {

using record::ElementType;
using record::ProcessInstanceView;

Rejection refuse(const ProcessInstanceView& command, std::string_view reality) {
  return {record::RejectionType::InvalidState,
          fmt::format("Expected to activate element '{}', but {}", command.element_id, reality)};
}

// A scope further out ends: everything within it is about to be terminated.
std::optional<Rejection> check_around(const Step& step, const ProcessInstanceView& command) {
  const auto closed = find_closed_scope_around(step, command.flow_scope_key);
  if (!closed) return std::nullopt;
  return refuse(command,
                fmt::format("the element instance with key '{}' around it {}", closed->key.value(),
                            closed->row == nullptr ? "was not found"
                            : closed->row->state != ElementState::Activated
                                ? fmt::format("is in state '{}'", name_of(closed->row->state))
                            : is_canceling_transaction(*closed->row) ? "is being canceled"
                                                                     : "was interrupted"));
}

std::optional<Rejection> check_caller(const Step& step, const ProcessInstanceView& command) {
  if (!command.parent_element_instance_key.is_set()) return std::nullopt;
  const ElementInstanceRow* caller =
      step.state().element_instances().find(command.parent_element_instance_key);
  if (caller == nullptr) {
    return refuse(command, fmt::format("the calling element instance with key '{}' was not found",
                                       command.parent_element_instance_key.value()));
  }
  if (caller->state != ElementState::Activated || caller->interrupted_by >= 0) {
    return refuse(command, fmt::format("the calling element instance is in state '{}'",
                                       name_of(caller->state)));
  }
  // Scopes further out are left to the elements of the process: its variables are written already,
  // and the end of the caller removes them with the process.
  return std::nullopt;
}

// Checks that the scope takes a new child of this element (spec: lifecycle 3).
std::optional<Rejection> check_scope(const Step& step, Key key, const ProcessInstanceView& command,
                                     const bpmn::Process& model, const bpmn::Element& element) {
  const ElementInstanceRow* scope = step.state().element_instances().find(command.flow_scope_key);
  if (scope == nullptr) {
    return refuse(command, fmt::format("its flow scope instance with key '{}' was not found",
                                       command.flow_scope_key.value()));
  }
  if (scope->state != ElementState::Activated) {
    return refuse(command, fmt::format("its flow scope instance with key '{}' is in state '{}'",
                                       command.flow_scope_key.value(), name_of(scope->state)));
  }
  if (scope->interrupted_by >= 0 && scope->interrupted_by != element.index.value()) {
    return refuse(command,
                  fmt::format("its flow scope instance with key '{}' was interrupted by '{}'",
                              command.flow_scope_key.value(),
                              model.element(bpmn::ElementIndex{scope->interrupted_by}).id));
  }
  if (is_canceling_transaction(*scope) && !takes_part_in_cancellation(step, key)) {
    return refuse(command, fmt::format("its flow scope instance with key '{}' is being canceled",
                                       command.flow_scope_key.value()));
  }
  if (is_ending(step, command.process_instance_key)) {
    return refuse(command, "its process instance ends by a run-time instruction");
  }
  return check_around(step, command);
}

// A token that arrived at a spent gateway is gone, so its path has ended.
void end_arrived_path(Step& step, const ElementContext& gateway) {
  const ElementContext scope = scope_context(step, gateway);
  behavior_of(*scope.element).path_completed(step, scope, gateway, PathEnd::OneOfMany);
}

// Lets a join that had an incident wait again: its tokens do not activate it any more.
void wait_again(Step& step, const ElementContext& gateway) {
  write_terminating(step, gateway);
  write_terminated(step, gateway);
  const ElementContext scope = scope_context(step, gateway);
  behavior_of(*scope.element).child_terminated(step, scope);
}

}  // namespace

void process_instance_activate_element(Step& step, Key key, const ProcessInstanceView& command) {
  ElementContext context;
  context.key = key;
  context.value = command;
  context.definition = step.state().definitions().find(command.process_definition_key);
  if (context.definition == nullptr) {
    // The command is a leftover. Its instance is gone, and the definition was deleted with its last
    // instance.
    return step.reject(refuse(command, "its definition is deleted"));
  }
  context.element = find_element(context.model(), command);
  BEELINE_ENSURE(context.element != nullptr, "process '{}' has no element '{}'",
                 command.bpmn_process_id, command.element_id);

  borrow_names(context);

  const ElementInstanceRow* row =
      key.is_set() ? step.state().element_instances().find(key) : nullptr;
  const bool is_retry = row != nullptr && row->state == ElementState::Activating;
  if (row != nullptr && !is_retry) {
    return step.reject(
        refuse(command, fmt::format("the element instance is in state '{}'", name_of(row->state))));
  }
  const bool is_process = context.element->type == ElementType::Process;
  Outcome outcome;
  if (!is_retry) {
    auto rejection = is_process
                         ? check_caller(step, command)
                         : check_scope(step, key, command, context.model(), *context.element);
    if (!rejection && !is_process) {
      if (settle_arrival(step, context)) return end_arrived_path(step, context);
      const auto waits = why_join_waits(step, context);
      if (!waits) outcome = failure(waits.error());
      if (waits && *waits) rejection = refuse(command, **waits);
    }
    if (rejection) {
      step.reject(*rejection);
      // The definition may have waited for this command before it could be deleted.
      return delete_drained(step, command.process_definition_key);
    }
    write_activating(step, context);
  } else if (context.element->parts().complex_join) {
    const auto waits = why_join_waits(step, context);
    if (!waits) outcome = failure(waits.error());
    if (waits && *waits) return wait_again(step, context);
  }

  if (outcome && context.value.flow_scope_key.is_set()) {
    const ElementBehavior& around = behavior_of(scope_element(step, context));
    // Most scopes allow every child. Skip building the context of those scopes, which is expensive.
    if (around.child_activating != shared::allow_child) {
      outcome = around.child_activating(step, scope_context(step, context), context);
    }
  }
  if (outcome) outcome = behavior_of(*context.element).activate(step, context);
  if (!outcome) raise_incident(step, context, outcome.error(), Key{});
}

}  // namespace beeline::engine
