#include "engine/behaviors/mappings.h"

#include <algorithm>

#include "engine/behaviors/expressions.h"
#include "engine/behaviors/mapping_tree.h"
#include "engine/behaviors/triggers.h"
#include "engine/behaviors/variable_writing.h"
#include "record/json.h"

namespace beeline::engine {
namespace {

using record::ElementType;

Outcome evaluate_all(const Step& step, const std::vector<bpmn::Mapping>& mappings, Key scope,
                     MappingTree& tree) {
  for (const bpmn::Mapping& mapping : mappings) {
    auto json = evaluate_json(step, mapping.source, tree);
    if (!json) {
      return failure(
          Failure{record::ErrorType::IoMappingError, std::move(json.error().message), scope});
    }
    tree.put(mapping.path, *std::move(json));
  }
  return {};
}

// Checks the depth of the results, because mappings can nest deeper than a client's document may.
Outcome check_depth(const record::Document& document, Key scope) {
  std::string json;
  record::append_document(document, json);
  const auto parsed = record::parse_document(json);
  if (parsed) return {};
  return failure(Failure{record::ErrorType::IoMappingError,
                         "Failed to apply the variable mappings: " + parsed.error(), scope});
}

bool has_nested_target(const std::vector<bpmn::Mapping>& mappings) {
  for (const bpmn::Mapping& mapping : mappings) {
    if (mapping.path.size() > 1) return true;
  }
  return false;
}

// Returns the scope that gets the payload of an element without mappings: for an event the scope
// around it, otherwise the element itself (spec: variables 3).
Key payload_scope(const ElementContext& context) {
  const bool is_event = context.element->type == ElementType::BoundaryEvent ||
                        context.element->type == ElementType::StartEvent ||
                        context.element->type == ElementType::IntermediateCatchEvent;
  return is_event ? context.value.flow_scope_key : context.key;
}

// Returns the local variables of an element instance whose names `is_wanted`. An event that was
// activated with a payload keeps it there.
template <typename IsWanted>
record::Document local_variables(const Step& step, Key scope, const IsWanted& is_wanted) {
  record::Document document;
  if (const VariableScopeRow* row = step.state().variables().find_scope(scope)) {
    for_each_variable(*row, [&](const StoredVariable& variable) {
      if (is_wanted(variable.name)) document.entries.push_back({variable.name, variable.value});
    });
  }
  return document;
}

Outcome merge_outputs(Step& step, const ElementContext& context, const VariableOwner& owner) {
  const std::vector<bpmn::Mapping>& outputs = context.element->parts().outputs;
  const ScopeVariables inner{step.state().variables(), context.key};
  MappingTree tree{inner};
  BEELINE_TRY_VOID(evaluate_all(step, outputs, context.key, tree));
  // An inner instance of a multi-instance body writes its results to its own scope. The runs of a
  // standard loop go on with the results of each other.
  const bool in_multi_instance =
      step.state().element_instances().find(context.value.flow_scope_key) != nullptr &&
      scope_element(step, context).parts().loop.has_value();
  const Key target = in_multi_instance ? context.key : context.value.flow_scope_key;
  const ScopeVariables outer{step.state().variables(), target};
  const record::Document results =
      has_nested_target(outputs) ? tree.merged_into(outer) : tree.fresh();
  BEELINE_TRY_VOID(check_depth(results, context.key));
  return merge(step, owner, target, results);
}

// Writes the payload that waits on the element. It becomes local variables if the element has
// output mappings, which read them; otherwise it is merged into the scopes around the element. If
// the payload cannot be written, it keeps waiting.
Outcome write_payload(Step& step, const ElementContext& context, const Trigger& result) {
  const record::Document payload = result.variables;
  const VariableOwner owner = owner_of(context.value);
  const bool has_mappings = !context.element->parts().outputs.empty();
  // Unless mappings use them, the variables of an error are dropped at the boundary event.
  const bool is_dropped = !has_mappings && context.element->type == ElementType::BoundaryEvent &&
                          context.element->event_type == record::EventType::Error;
  if (!is_dropped) {
    const auto checked = check_result(step, context, payload);
    if (!checked) return failure(checked.error().to_failure());
  }
  write_triggered(step, context, result);
  if (is_dropped) return {};
  if (has_mappings) {
    set_local_checked(step, owner, context.key, payload);
  } else {
    merge_checked(step, owner, context.key, payload);
  }
  return {};
}

}  // namespace

Outcome apply_inputs(Step& step, const ElementContext& context) {
  const std::vector<bpmn::Mapping>& inputs = context.element->parts().inputs;
  if (inputs.empty()) return {};
  const ScopeVariables outer{step.state().variables(), context.key};
  MappingTree tree{outer};
  BEELINE_TRY_VOID(evaluate_all(step, inputs, context.key, tree));
  const record::Document results = tree.fresh();
  BEELINE_TRY_VOID(check_depth(results, context.key));
  return set_local(step, owner_of(context.value), context.key, results);
}

record::Document mapped_inputs(const Step& step, const ElementContext& context) {
  const std::vector<bpmn::Mapping>& inputs = context.element->parts().inputs;
  if (inputs.empty()) return {};
  return local_variables(step, context.key, [&](std::string_view name) {
    return std::ranges::any_of(
        inputs, [&](const bpmn::Mapping& mapping) { return mapping.path.front() == name; });
  });
}

Result<void, VariablesTooLarge> check_result(const Step& step, const ElementContext& context,
                                             const record::DocumentView& payload) {
  if (payload.empty()) return {};
  const VariableOwner owner = owner_of(context.value);
  return context.element->parts().outputs.empty() ? check_merge(step, owner, context.key, payload)
                                                  : check_local(step, owner, context.key, payload);
}

Outcome keep_result(Step& step, const ElementContext& context, const record::DocumentView& result) {
  const auto checked = check_result(step, context, result);
  if (!checked) return failure(checked.error().to_failure());
  write_result(step, context, result);
  return {};
}

Outcome apply_outputs(Step& step, const ElementContext& context) {
  const bool has_mappings = !context.element->parts().outputs.empty();
  if (const Trigger* result = find_result(step, context)) {
    BEELINE_TRY_VOID(write_payload(step, context, *result));
  } else if (!has_mappings && payload_scope(context) != context.key &&
             context.element->event_type != record::EventType::Error) {
    // A boundary or start event was activated with a payload.
    BEELINE_TRY_VOID(
        merge(step, owner_of(context.value), payload_scope(context),
              local_variables(step, context.key, [](std::string_view) { return true; })));
  }
  return has_mappings ? merge_outputs(step, context, owner_of(context.value)) : Outcome{};
}

}  // namespace beeline::engine
