#include <fmt/format.h>

#include "base/check.h"
#include "engine/behaviors/compensation.h"
#include "engine/behaviors/expressions.h"
#include "engine/behaviors/incidents.h"
#include "engine/behaviors/json_lists.h"
#include "engine/behaviors/subscriptions.h"
#include "engine/behaviors/transitions.h"
#include "engine/behaviors/variable_writing.h"
#include "engine/elements/element_behavior.h"
#include "engine/elements/termination.h"

// Multi-instance bodies run their inner activity once for each item of a list (spec:
// elements/multi_instance).
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

// Returns the output collection with the results so far. The results are kept in rows of their own
// and not in the collection variable, because writing the whole list for every item would cost the
// square of its length. The variable of a body from an older version holds results as well.
std::string collected_list(const Step& step, const ElementContext& body) {
  const StoredVariable* output =
      step.state().variables().find_local(body.key, loop_of(body).output_collection);
  return with_items(output != nullptr ? output->value : "", item_count(step, body),
                    [&](std::size_t place) -> const std::string* {
                      const OutputItemRow* item =
                          step.state().find_output_item(body.key, static_cast<std::int32_t>(place));
                      return item != nullptr ? &item->value : nullptr;
                    });
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
  record::Document outputs;
  if (!loop.output_collection.empty()) {
    outputs = one_variable(loop.output_collection, null_list(count));
    const auto checked = check_local(step, owner_of(context.value), context.key, outputs);
    if (!checked) return failure(checked.error().to_failure());
  }
  evaluated.input_collection = std::move(items);
  fill_owner(evaluated, context);
  step.event(record::MultiInstanceIntent::InputCollectionEvaluated, context.key, evaluated);
  BEELINE_TRY_VOID(subscribe(step, context));
  write_activated(step, context);
  BEELINE_TRY_VOID(set_local(step, owner_of(context.value), context.key, outputs));
  if (count == 0) {
    go_on_to_complete(step, context);
  } else if (loop.sequential) {
    activate_inner(step, context);
  } else {
    record::ProcessInstanceBatchRecord batch;
    fill_owner(batch, context);
    batch.batch_element_instance_key = context.key;
    batch.index = static_cast<std::int64_t>(count);
    step.command(ProcessInstanceBatchIntent::Activate, step.next_key(), batch);
  }
  return {};
}

Outcome complete_body(Step& step, const ElementContext& context) {
  const bpmn::Loop& loop = loop_of(context);
  if (!loop.output_collection.empty()) {
    BEELINE_TRY_VOID(merge(step, owner_of(context.value), context.value.flow_scope_key,
                           one_variable(loop.output_collection, collected_list(step, context))));
  }
  unsubscribe(step, context);
  return {};
}

bool terminate_body(Step& step, const ElementContext& context) {
  unsubscribe(step, context);
  resolve_incidents(step, context);
  if (!release_activities(step, context)) {
    go_on_to_terminate(step, context);  // the batch is full; the next one goes on
    return false;
  }
  return !terminate_children(step, context);
}

// Gives a new inner instance its item and its number.
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
  return set_local(step, owner_of(child.value), child.key, variables);
}

// The variables that a completion condition sees. Four counters hide any variables of the same
// names, and the output collection includes the results so far.
class LoopVariables final : public feel::VariableSource {
 public:
  LoopVariables(const Step& step, const ElementContext& body, const ElementContext& child,
                const LoopCounters& loop, std::int32_t active)
      : step_(step),
        body_(body),
        child_(child),
        below_(step.state().variables(), child.key),
        instances_(std::to_string(loop.number_of_instances)),
        active_(std::to_string(active)),
        completed_(std::to_string(loop.completed + 1)),
        terminated_(std::to_string(loop.terminated)) {}

  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const override {
    if (name == "numberOfInstances") return instances_;
    if (name == "numberOfActiveInstances") return active_;
    if (name == "numberOfCompletedInstances") return completed_;
    if (name == "numberOfTerminatedInstances") return terminated_;
    if (is_collection(name)) {
      if (!collection_) collection_ = collected_list(step_, body_);
      return *collection_;
    }
    return below_.find(name);
  }

 private:
  [[nodiscard]] bool is_collection(std::string_view name) const {
    const Variables& variables = step_.state().variables();
    return !name.empty() && name == loop_of(body_).output_collection &&
           variables.find_local(child_.key, name) == nullptr;
  }

  const Step& step_;
  const ElementContext& body_;
  const ElementContext& child_;
  ScopeVariables below_;
  mutable std::optional<std::string> collection_;  // built on first use
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
  const LoopVariables source{step, body, child, loop, row.child_count - 1};
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
  if (output == nullptr || !is_list(output->value)) {
    return failure(Failure{
        record::ErrorType::ExtractValueError,
        fmt::format("Expected the output collection '{}' to be a list, but it is not. It was "
                    "overwritten; set it to a list and resolve the incident",
                    loop.output_collection),
        body.key});
  }
  // The collected results count as many bytes as the list that they will become.
  const std::int64_t bytes =
      step.state().output_bytes(body.key) + static_cast<std::int64_t>(item->size());
  if (const auto room = check_room(step, owner_of(body.value), child.key, bytes); !room) {
    return failure(room.error().to_failure());
  }
  record::MultiInstanceRecord collected;
  fill_owner(collected, body);
  collected.index = row_of(step, child.key).loop.loop_counter;
  collected.value = *std::move(item);
  step.event(record::MultiInstanceIntent::OutputCollected, body.key, collected);
  return {};
}

Result<PathEnd, Failure> before_path_completed(Step& step, const ElementContext& body,
                                               const ElementContext& child) {
  BEELINE_TRY_VOID(collect_output(step, body, child));
  BEELINE_TRY(const bool fulfilled, is_condition_fulfilled(step, body, child));
  return fulfilled ? PathEnd::Decisive : PathEnd::OneOfMany;
}

// Ends the batch that creates the inner instances, although items are left. Commands of the batch
// that are already on the log are rejected from now on.
void stop_making(Step& step, const ElementContext& body) {
  record::ProcessInstanceBatchRecord batch;
  fill_owner(batch, body);
  batch.batch_element_instance_key = body.key;
  batch.index = 0;
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
  // The completion condition holds and the other instances were terminated. The body completes when
  // the last of them is gone.
  if (row.state == ElementState::Activated && row.child_count == 0) go_on_to_complete(step, body);
}

}  // namespace

const ElementBehavior kMultiInstanceBody = {.activate = activate_body,
                                            .complete = complete_body,
                                            .terminate = terminate_body,
                                            .before_path_completed = before_path_completed,
                                            .path_completed = inner_completed,
                                            .child_terminated = inner_terminated,
                                            .child_activating = child_activating};

}  // namespace beeline::engine
