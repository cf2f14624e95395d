#include <fmt/format.h>

#include "base/check.h"
#include "engine/behaviors/expressions.h"
#include "engine/behaviors/incidents.h"
#include "engine/behaviors/mappings.h"
#include "engine/behaviors/subscriptions.h"
#include "engine/behaviors/transitions.h"
#include "engine/behaviors/triggers.h"
#include "engine/behaviors/variable_writing.h"
#include "engine/elements/element_behavior.h"
#include "engine/elements/termination.h"

// Call activities start an instance of another process and wait for its end (spec:
// elements/call_activity).
namespace beeline::engine {
namespace {

constexpr std::int32_t kCallDepthMax = 1000;

Failure called_failure(const ElementContext& context, std::string message) {
  return Failure{record::ErrorType::CalledElementError, std::move(message), context.key};
}

const Definition* find_bound(const Step& step, const ElementContext& context,
                             const bpmn::CalledElement& called, const std::string& id) {
  const Definitions& definitions = step.state().definitions();
  const std::string_view tenant = context.value.tenant_id;
  switch (called.binding) {
    case bpmn::Binding::Latest:
      return definitions.find_latest(tenant, id);
    case bpmn::Binding::VersionTag:
      return definitions.find_tagged(tenant, id, called.version_tag);
    case bpmn::Binding::Deployment:
      return definitions.find_deployed_with(tenant, id, context.definition->deployment_key);
  }
  return nullptr;
}

Result<const Definition*, Failure> find_called_process(const Step& step,
                                                       const ElementContext& context) {
  const bpmn::CalledElement& called = *context.element->parts().called_element;
  BEELINE_TRY(const std::string id, evaluate_string(step, called.process_id, context.key));
  const Definition* definition = find_bound(step, context, called, id);
  if (definition == nullptr) {
    std::string how = "";
    if (called.binding == bpmn::Binding::VersionTag) {
      how = fmt::format(" and version tag '{}'", called.version_tag);
    } else if (called.binding == bpmn::Binding::Deployment) {
      how = " in the same deployment";
    }
    return failure(called_failure(
        context, fmt::format("Expected process with BPMN process id '{}'{} to be deployed, but not "
                             "found.",
                             id, how)));
  }
  if (!definition->is_active()) {
    return failure(called_failure(
        context,
        fmt::format("Expected to call process with BPMN process id '{}', but it is being deleted.",
                    id)));
  }
  if (!definition->model->root().none_start.is_set()) {
    return failure(called_failure(
        context, fmt::format("Expected process with BPMN process id '{}' to have a none start "
                             "event, but not found.",
                             id)));
  }
  if (row_of(step, context.key).depth >= kCallDepthMax) {
    return failure(called_failure(
        context,
        fmt::format("Expected to call process '{}', but calls are nested {} levels deep already",
                    id, kCallDepthMax)));
  }
  return definition;
}

// Returns the variables to pass to the called process. The view borrows from the variables of the
// caller.
record::DocumentView variables_in(const Step& step, const ElementContext& context) {
  const bpmn::CalledElement& called = *context.element->parts().called_element;
  if (called.propagate_all_parent_variables) {
    return step.state().variables().collect(context.key, {});
  }
  record::DocumentView document;
  if (context.element->parts().inputs.empty()) return document;
  if (const VariableScopeRow* row = step.state().variables().find_scope(context.key)) {
    for_each_variable(*row, [&](const StoredVariable& variable) {
      document.entries.push_back({variable.name, variable.value});
    });
  }
  return document;
}

// Checks, before anything is written, that the called process can take the variables that it is
// called with. The called process does not exist yet, so it has no variables so far.
Outcome check_call(const Step& step, const ElementContext& context, const Definition& definition) {
  const record::ProcessInstanceView process = process_value(definition, Key{});
  const auto checked = check_local(step, owner_of(process), Key{}, variables_in(step, context));
  if (checked) return {};
  Failure failed = checked.error().to_failure();
  failed.variable_scope_key = context.key;
  return failure(std::move(failed));
}

Outcome activate_call(Step& step, ElementContext& context) {
  BEELINE_TRY_VOID(apply_inputs(step, context));
  BEELINE_TRY(const Definition* definition, find_called_process(step, context));
  BEELINE_TRY_VOID(check_call(step, context, *definition));
  BEELINE_TRY_VOID(subscribe(step, context));
  write_activated(step, context);
  const Key child = step.next_key();
  record::ProcessInstanceView process = process_value(*definition, child);
  process.parent_process_instance_key = context.value.process_instance_key;
  process.parent_element_instance_key = context.key;
  process.root_process_instance_key = context.value.root_process_instance_key;
  const record::DocumentView variables = variables_in(step, context);
  step.command(record::ProcessInstanceIntent::ActivateElement, child, process);
  set_first(step, owner_of(process), child, variables);
  return {};
}

bool terminate_call(Step& step, const ElementContext& context) {
  unsubscribe(step, context);
  resolve_incidents(step, context);
  const Key child = row_of(step, context.key).called_instance_key;
  if (step.state().element_instances().find(child) == nullptr) return true;
  go_on_to_terminate(step, context_of(step, child));
  return false;
}

// Takes the variables of a called process that is about to complete as the result of the call
// activity. If the caller has no room for them, the called process gets the incident, because its
// variables can still be made smaller; those of a waiting result could not.
Result<PathEnd, Failure> take_result(Step& step, const ElementContext& context,
                                     const ElementContext& child) {
  const bpmn::CalledElement& called = *context.element->parts().called_element;
  if (!called.propagate_all_child_variables && context.element->parts().outputs.empty()) {
    return PathEnd::OneOfMany;
  }
  const record::DocumentView variables = step.state().variables().collect(child.key, {});
  if (const auto checked = check_result(step, context, variables); !checked) {
    return failure(
        Failure{record::ErrorType::MessageSizeExceeded,
                fmt::format("Expected to return variables to call activity '{}', but {}. Make "
                            "variables of one of the two process instances smaller, then resolve "
                            "the incident",
                            context.element->id, checked.error().reality),
                child.key});
  }
  write_result(step, context, variables);
  return PathEnd::OneOfMany;
}

void child_completed(Step& step, const ElementContext& context, const ElementContext&, PathEnd) {
  if (row_of(step, context.key).state == ElementState::Terminating) {
    finish_termination(step, context);
  } else {
    go_on_to_complete(step, context);
  }
}

void called_terminated(Step& step, const ElementContext& context) {
  BEELINE_ENSURE(row_of(step, context.key).state == ElementState::Terminating,
                 "a called process is terminated only with its call activity '{}'",
                 context.element->id);
  finish_termination(step, context);
}

}  // namespace

const ElementBehavior kCallActivity = {.activate = activate_call,
                                       .complete = shared::map_outputs,
                                       .terminate = terminate_call,
                                       .before_path_completed = take_result,
                                       .path_completed = child_completed,
                                       .child_terminated = called_terminated};

}  // namespace beeline::engine
