#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/behaviors/expressions.h"
#include "engine/behaviors/subscriptions.h"
#include "engine/behaviors/transitions.h"
#include "engine/behaviors/variable_writing.h"
#include "engine/elements/element_behavior.h"
#include "engine/elements/loop_body.h"

// The body of a standard loop runs its inner activity again and again, one run after the other
// (spec: elements/standard_loop).
namespace beeline::engine {
namespace {

constexpr std::int32_t kNoMaximum = -1;
constexpr std::int32_t kRunsMax = std::numeric_limits<std::int32_t>::max();

const bpmn::StandardLoop& standard_loop_of(const ElementContext& body) {
  return *body.element->parts().standard_loop;
}

Result<std::int32_t, Failure> evaluate_maximum(const Step& step, const ElementContext& body) {
  const bpmn::StandardLoop& loop = standard_loop_of(body);
  if (!loop.maximum) return kNoMaximum;
  BEELINE_TRY(const std::int32_t maximum, evaluate_integer(step, *loop.maximum, body.key));
  return std::max(0, maximum);
}

// Returns true if the condition, which sees the number of the run that ended, lets the loop go on.
Result<bool, Failure> is_condition_true(const Step& step, const ElementContext& body,
                                        std::int32_t run) {
  const auto& condition = standard_loop_of(body).condition;
  if (!condition) return true;
  const ScopeVariables around{step.state().variables(), body.key};
  const VariablesOver variables{around, {{"loopCounter", std::to_string(run)}}};
  auto holds = evaluate_boolean(step, *condition, variables);
  if (!holds) holds.error().variable_scope_key = body.key;
  return holds;
}

Outcome activate_loop(Step& step, ElementContext& context) {
  const bpmn::StandardLoop& loop = standard_loop_of(context);
  BEELINE_TRY(const std::int32_t maximum, evaluate_maximum(step, context));
  bool runs = maximum != 0;
  if (runs && loop.test_before) {
    BEELINE_TRY(const bool holds, is_condition_true(step, context, 0));
    runs = holds;
  }
  record::MultiInstanceRecord evaluated;
  evaluated.loop_type = record::LoopType::Standard;
  evaluated.loop_maximum = maximum;
  fill_owner(evaluated, context);
  step.event(record::MultiInstanceIntent::LoopMaximumEvaluated, context.key, evaluated);
  BEELINE_TRY_VOID(subscribe(step, context));
  write_activated(step, context);
  if (runs) {
    activate_inner(step, context);
  } else {
    go_on_to_complete(step, context);
  }
  return {};
}

Outcome complete_loop(Step& step, const ElementContext& context) {
  unsubscribe(step, context);
  return {};
}

// Numbers a new run.
Outcome run_activating(Step& step, const ElementContext&, const ElementContext& run) {
  record::Document variables;
  variables.entries.push_back(
      {"loopCounter", std::to_string(row_of(step, run.key).loop.loop_counter)});
  return set_local(step, owner_of(run.value), run.key, variables);
}

Result<PathEnd, Failure> before_run_completed(Step& step, const ElementContext& body,
                                              const ElementContext& run) {
  const std::int32_t number = row_of(step, run.key).loop.loop_counter;
  const std::optional<std::int64_t> maximum = step.state().loop_maximum(body.key);
  if (maximum && number >= *maximum) return PathEnd::Decisive;
  BEELINE_TRY(const bool holds, is_condition_true(step, body, number));
  if (!holds) return PathEnd::Decisive;
  if (number < kRunsMax) return PathEnd::OneOfMany;
  return failure(Failure{record::ErrorType::ExtractValueError,
                         fmt::format("Expected the loop to end after at most {} runs, but its "
                                     "condition is still true",
                                     kRunsMax),
                         body.key});
}

void run_completed(Step& step, const ElementContext& body, const ElementContext&, PathEnd end) {
  if (row_of(step, body.key).state != ElementState::Activated) return;
  if (end == PathEnd::Decisive) {
    end_loop(step, body);
  } else {
    activate_inner(step, body);
  }
}

}  // namespace

const ElementBehavior kStandardLoopBody = {.activate = activate_loop,
                                           .complete = complete_loop,
                                           .terminate = terminate_loop_body,
                                           .before_path_completed = before_run_completed,
                                           .path_completed = run_completed,
                                           .child_terminated = inner_terminated,
                                           .child_activating = run_activating};

}  // namespace beeline::engine
