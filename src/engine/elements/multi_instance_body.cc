#include <fmt/format.h>

#include "base/check.h"
#include "engine/behaviors/expressions.h"
#include "engine/behaviors/incidents.h"
#include "engine/behaviors/json_lists.h"
#include "engine/behaviors/subscriptions.h"
#include "engine/behaviors/termination.h"
#include "engine/behaviors/transitions.h"
#include "engine/behaviors/variable_writing.h"
#include "engine/elements/element_behavior.h"

// Multi-instance: the body runs its inner activity once for each item of a list (spec 3.16).
namespace beeline::engine {
namespace {

using record::ProcessInstanceBatchIntent;

const bpmn::Loop& loop_of(const ElementContext& body) {
  return *body.element->parts().loop;
}

std::size_t item_count(const Step& step, const ElementContext& body) {
  const InputCollectionRow* items = step.state().find_input_collection(body.key);
  BEELINE_ENSURE(items != nullptr, "body '{}' has no items yet", body.element->id);
  return items->items.size();
}

record::Document one_variable(const std::string& name, std::string value) {
  record::Document document;
  document.entries.push_back({name, std::move(value)});
  return document;
}

void activate_inner(Step& step, const ElementContext& body) {
  go_on_to_activate(step, body, body.element_at(body.element->inner), Key{});
}

Outcome activate_body(Step& step, ElementContext& context) {
  const bpmn::Loop& loop = loop_of(context);
  BEELINE_TRY(std::vector<std::string> items,
              evaluate_list(step, loop.input_collection, context.key));
  const std::size_t count = items.size();
  record::MultiInstanceRecord evaluated;
  evaluated.input_collection = std::move(items);
  evaluated.process_instance_key = context.value.process_instance_key;
  evaluated.process_definition_key = context.value.process_definition_key;
  evaluated.tenant_id = context.value.tenant_id;
  step.event(record::MultiInstanceIntent::InputCollectionEvaluated, context.key, evaluated);
  BEELINE_TRY_VOID(subscribe(step, context));
  write_activated(step, context);
  if (!loop.output_collection.empty()) {
    set_local(step, owner_of(context.value), context.key,
              one_variable(loop.output_collection, null_list(count)));
  }
  if (count == 0) {
    go_on_to_complete(step, context);
  } else if (loop.sequential) {
    activate_inner(step, context);
  } else {
    record::ProcessInstanceBatchRecord batch;
    batch.process_instance_key = context.value.process_instance_key;
    batch.batch_element_instance_key = context.key;
    batch.index = static_cast<std::int64_t>(count);
    batch.tenant_id = context.value.tenant_id;
    step.command(ProcessInstanceBatchIntent::Activate, step.next_key(), batch);
  }
  return {};
}

Outcome complete_body(Step& step, const ElementContext& context) {
  unsubscribe(step, context);
  const bpmn::Loop& loop = loop_of(context);
  if (loop.output_collection.empty()) return {};
  const StoredVariable* output =
      step.state().variables().find_local(context.key, loop.output_collection);
  if (output != nullptr) {
    const std::string value = output->value;
    merge(step, owner_of(context.value), context.value.flow_scope_key,
          one_variable(loop.output_collection, value));
  }
  return {};
}

bool terminate_body(Step& step, const ElementContext& context) {
  unsubscribe(step, context);
  resolve_incidents(step, context);
  return !terminate_children(step, context);
}

// A new inner instance gets its item and its number.
Outcome child_activating(Step& step, const ElementContext& body, const ElementContext& child) {
  const bpmn::Loop& loop = loop_of(body);
  const std::int32_t counter = row_of(step, child.key).loop.loop_counter;
  const InputCollectionRow* items = step.state().find_input_collection(body.key);
  BEELINE_ENSURE(
      items != nullptr && counter >= 1 && static_cast<std::size_t>(counter) <= items->items.size(),
      "body '{}' has no item {}", body.element->id, counter);
  record::Document variables;
  if (!loop.input_element.empty()) {
    variables.entries.push_back(
        {loop.input_element, items->items[static_cast<std::size_t>(counter) - 1]});
  }
  if (!loop.output_element_variable.empty()) {
    variables.entries.push_back({loop.output_element_variable, "null"});
  }
  variables.entries.push_back({"loopCounter", std::to_string(counter)});
  set_local(step, owner_of(child.value), child.key, variables);
  return {};
}

// The four counters that a completion condition sees before any variable.
class LoopVariables final : public feel::VariableSource {
 public:
  LoopVariables(const LoopCounters& loop, std::int32_t active, const feel::VariableSource& below)
      : below_(below),
        instances_(std::to_string(loop.number_of_instances)),
        active_(std::to_string(active)),
        completed_(std::to_string(loop.completed + 1)),
        terminated_(std::to_string(loop.terminated)) {}

  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const override {
    if (name == "numberOfInstances") return instances_;
    if (name == "numberOfActiveInstances") return active_;
    if (name == "numberOfCompletedInstances") return completed_;
    if (name == "numberOfTerminatedInstances") return terminated_;
    return below_.find(name);
  }

 private:
  const feel::VariableSource& below_;
  std::string instances_;
  std::string active_;
  std::string completed_;
  std::string terminated_;
};

Result<bool, Failure> is_condition_fulfilled(const Step& step, const ElementContext& body,
                                             const ElementContext& child) {
  const auto& condition = loop_of(body).completion_condition;
  if (!condition) return false;
  const ElementInstanceRow& row = row_of(step, body.key);
  LoopCounters loop = row.loop;
  loop.number_of_instances = static_cast<std::int32_t>(item_count(step, body));
  const ScopeVariables variables{step.state().variables(), child.key};
  const LoopVariables source{loop, row.child_count - 1, variables};
  BEELINE_TRY(const std::string json, evaluate_json(step, *condition, source));
  if (json == "true" || json == "false") return json == "true";
  return failure(Failure{record::ErrorType::ExtractValueError,
                         fmt::format("Expected result of the completion condition '{}' to be a "
                                     "boolean, but was {}",
                                     condition->text, json),
                         child.key});
}

Outcome collect_output(Step& step, const ElementContext& body, const ElementContext& child) {
  const bpmn::Loop& loop = loop_of(body);
  if (loop.output_collection.empty() || !loop.output_element) return {};
  const ScopeVariables variables{step.state().variables(), child.key};
  auto item = evaluate_json(step, *loop.output_element, variables);
  if (!item) return failure(std::move(item).error());
  const StoredVariable* output =
      step.state().variables().find_local(body.key, loop.output_collection);
  const std::int32_t counter = row_of(step, child.key).loop.loop_counter;
  auto list = output != nullptr ? replace_item(output->value, counter, *item) : std::nullopt;
  if (!list) {
    return failure(Failure{record::ErrorType::ExtractValueError,
                           fmt::format("Expected the output collection '{}' to be a list with at "
                                       "least {} items, but it is not",
                                       loop.output_collection, counter),
                           body.key});
  }
  set_local(step, owner_of(body.value), body.key,
            one_variable(loop.output_collection, *std::move(list)));
  return {};
}

Result<PathEnd, Failure> before_path_completed(Step& step, const ElementContext& body,
                                               const ElementContext& child) {
  BEELINE_TRY_VOID(collect_output(step, body, child));
  BEELINE_TRY(const bool fulfilled, is_condition_fulfilled(step, body, child));
  return fulfilled ? PathEnd::Decisive : PathEnd::OneOfMany;
}

// No further instances are made, though there are items left: the batch that makes them ends before
// its time. Commands of it that stand on the log already are refused from here on.
void stop_making(Step& step, const ElementContext& body) {
  record::ProcessInstanceBatchRecord batch;
  batch.process_instance_key = body.value.process_instance_key;
  batch.batch_element_instance_key = body.key;
  batch.index = 0;
  batch.tenant_id = body.value.tenant_id;
  step.event(ProcessInstanceBatchIntent::Activated, step.next_key(), batch);
}

void inner_completed(Step& step, const ElementContext& body, const ElementContext&, PathEnd end) {
  const ElementInstanceRow& row = row_of(step, body.key);
  if (row.state != ElementState::Activated) return;
  const std::size_t count = item_count(step, body);
  const bool all_ended =
      static_cast<std::size_t>(row.loop.completed + row.loop.terminated) >= count;
  if (end == PathEnd::Decisive) {
    const bool is_making = !loop_of(body).sequential && row.interrupted_by < 0 &&
                           static_cast<std::size_t>(row.loop.number_of_instances) < count;
    if (is_making) stop_making(step, body);
    if (!terminate_children(step, body)) go_on_to_complete(step, body);
  } else if (all_ended) {
    go_on_to_complete(step, body);
  } else if (loop_of(body).sequential) {
    activate_inner(step, body);
  }
}

void inner_terminated(Step& step, const ElementContext& body) {
  const ElementInstanceRow& row = row_of(step, body.key);
  if (row.state == ElementState::Terminating) {
    if (row.child_count == 0) finish_termination(step, body);
    return;
  }
  // Terminated because the condition holds: the body goes on once the last one is gone.
  if (row.state == ElementState::Activated && row.child_count == 0) go_on_to_complete(step, body);
}

}  // namespace

const ElementBehavior kMultiInstanceBody = {
    activate_body,   complete_body,    terminate_body,   before_path_completed,
    inner_completed, inner_terminated, child_activating, nullptr};

}  // namespace beeline::engine
