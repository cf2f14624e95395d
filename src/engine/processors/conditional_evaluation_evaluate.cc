#include <absl/container/btree_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/check.h"
#include "engine/behaviors/expressions.h"
#include "engine/behaviors/given_variables.h"
#include "engine/behaviors/instance_start.h"
#include "engine/behaviors/variable_writing.h"
#include "engine/failure.h"
#include "engine/processors/processors.h"

namespace beeline::engine {
namespace {

using record::ConditionalEvaluationIntent;
using record::ConditionalEvaluationRecord;
using record::RejectionType;

struct ConditionalStart {
  const Definition* definition = nullptr;
  const bpmn::Element* event = nullptr;
};

Result<void, Rejection> check_evaluation(const Step& step,
                                         const ConditionalEvaluationRecord& command) {
  if (command.process_definition_key.is_set()) {
    const Definition* found = step.state().definitions().find(command.process_definition_key);
    if (found == nullptr || found->tenant_id != command.tenant_id ||
        found->state == DefinitionState::Deleted) {
      return failure(Rejection{
          RejectionType::NotFound,
          fmt::format("Expected to evaluate conditional for process definition key '{}', but no "
                      "such process was found.",
                      command.process_definition_key.value())});
    }
  }
  const auto bytes = static_cast<std::size_t>(bytes_of(command.variables));
  if (bytes > step.instance_variables_max()) {
    return failure(Rejection{
        RejectionType::InvalidArgument,
        fmt::format("Expected to evaluate conditional with variables of at most {} bytes together "
                    "(instance-variables-max), but they have {}",
                    step.instance_variables_max(), bytes)});
  }
  return {};
}

// Returns the start events that the command concerns and whose conditions read one of its
// variables, or none at all; the oldest subscription first.
std::vector<ConditionalStart> starts_to_try(const Step& step,
                                            const ConditionalEvaluationRecord& command) {
  const EngineState& state = step.state();
  const ConditionReaders* readers = state.conditional_subscriptions().readers_in(Key{});
  if (readers == nullptr) return {};
  absl::btree_set<Key> keys;
  const auto add = [&](const ConditionReaders::Set& set) {
    for (const auto& [scope, key] : set) keys.insert(key);
  };
  add(readers->of_any());
  for (const record::DocumentEntry& variable : command.variables.entries) {
    if (const ConditionReaders::Set* set = readers->of(variable.name)) add(*set);
  }
  std::vector<ConditionalStart> starts;
  for (const Key key : keys) {
    const record::ConditionalSubscriptionRecord& subscription =
        state.conditional_subscriptions().get(key).record;
    const Key wanted = command.process_definition_key;
    if (subscription.tenant_id != command.tenant_id) continue;
    if (wanted.is_set() && subscription.process_definition_key != wanted) continue;
    const Definition& definition = state.definitions().get(subscription.process_definition_key);
    starts.push_back({&definition, &start_event_of(definition, subscription.element_id,
                                                   subscription.event_definition_id)});
  }
  return starts;
}

// Returns those whose conditions hold. Each condition may use an equal share of the budget that is
// left, so that an expensive one costs the others nothing.
std::vector<ConditionalStart> fulfilled(const Step& step,
                                        const std::vector<ConditionalStart>& starts,
                                        const record::Document& given) {
  const GivenVariables variables{given};
  std::vector<ConditionalStart> found;
  for (std::size_t n = 0; n < starts.size(); ++n) {
    const auto left = static_cast<std::int64_t>(starts.size() - n);
    const std::int64_t share = step.feel_budget().left() / left;
    feel::Budget budget{share};
    const bpmn::Expression& condition = starts[n].event->parts().conditional->condition;
    if (evaluate_condition(step, condition, variables, budget).value_or(false)) {
      found.push_back(starts[n]);
    }
    step.feel_budget().spend(std::min(budget.used(), share));
  }
  return found;
}

}  // namespace

void conditional_evaluation_evaluate(Step& step, Key, const ConditionalEvaluationRecord& command) {
  if (const auto checked = check_evaluation(step, command); !checked) {
    return step.reject(checked.error());
  }
  ConditionalEvaluationRecord evaluated = command;
  for (const ConditionalStart& start :
       fulfilled(step, starts_to_try(step, command), command.variables)) {
    const Key instance = step.next_key();
    start_by_event(step, instance, *start.definition, *start.event, command.variables);
    evaluated.started_process_instances.push_back({start.definition->key, instance});
  }
  const Key key = step.next_key();
  step.event(ConditionalEvaluationIntent::Evaluated, key, evaluated);
  step.respond_with_event(key);
}

}  // namespace beeline::engine
