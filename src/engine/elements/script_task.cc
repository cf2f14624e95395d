#include "engine/behaviors/expressions.h"
#include "engine/behaviors/mappings.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/element_behavior.h"

// Script tasks whose script is a FEEL expression. Activation evaluates it, and completion writes
// the result (spec: elements/tasks 2).
namespace beeline::engine {
namespace {

Outcome activate_script_task(Step& step, ElementContext& context) {
  BEELINE_TRY_VOID(apply_inputs(step, context));
  const bpmn::Script& script = *context.element->parts().script;
  const ScopeVariables variables{step.state().variables(), context.key};
  BEELINE_TRY(std::string json, evaluate_json(step, script.expression, variables));
  record::Document result;
  result.entries.push_back({script.result_variable, std::move(json)});
  BEELINE_TRY_VOID(keep_result(step, context, result));
  write_activated(step, context);
  go_on_to_complete(step, context);
  return {};
}

}  // namespace

const ElementBehavior kScriptTask = {.activate = activate_script_task,
                                     .complete = shared::map_outputs};

}  // namespace beeline::engine
