#include "engine/behaviors/variable_writing.h"

#include <vector>

namespace beeline::engine {
namespace {

using record::VariableIntent;

// What the records of all variables have in common.
record::VariableRecord blank_value(const VariableOwner& owner) {
  record::VariableRecord value;
  value.process_instance_key = owner.process_instance_key;
  value.process_definition_key = owner.process_definition_key;
  value.bpmn_process_id = owner.bpmn_process_id;
  value.tenant_id = owner.tenant_id;
  value.root_process_instance_key = owner.root_process_instance_key;
  return value;
}

// `value` is a blank one, or one that was written before.
void write(Step& step, record::VariableRecord& value, Key scope,
           const record::DocumentEntry& variable) {
  const StoredVariable* known = step.state().variables().find_local(scope, variable.name);
  if (known != nullptr && known->value == variable.value) return;
  value.name = variable.name;
  value.value = variable.value;
  value.scope_key = scope;
  if (known != nullptr) {
    step.event(VariableIntent::Updated, known->key, value);
  } else {
    step.event(VariableIntent::Created, step.next_key(), value);
  }
}

}  // namespace

VariableOwner owner_of(const record::ProcessInstanceRecord& value) {
  return {value.process_instance_key, value.process_definition_key, value.bpmn_process_id,
          value.tenant_id, value.root_process_instance_key};
}

void set_local(Step& step, const VariableOwner& owner, Key scope,
               const record::Document& variables) {
  if (variables.empty()) return;
  record::VariableRecord value = blank_value(owner);
  for (const record::DocumentEntry& variable : variables.entries) {
    write(step, value, scope, variable);
  }
}

void merge(Step& step, const VariableOwner& owner, Key scope, const record::Document& variables) {
  if (variables.empty()) return;
  record::VariableRecord value = blank_value(owner);
  // Events go from the inner scopes to the outer ones, within a scope in the document's order.
  std::vector<const record::DocumentEntry*> left;
  left.reserve(variables.entries.size());
  for (const record::DocumentEntry& variable : variables.entries) left.push_back(&variable);
  while (!left.empty()) {
    const VariableScopeRow* row = step.state().variables().find_scope(scope);
    const Key parent = row != nullptr ? row->parent_scope_key : Key{};
    std::vector<const record::DocumentEntry*> further;
    for (const record::DocumentEntry* variable : left) {
      const bool is_here = step.state().variables().find_local(scope, variable->name) != nullptr;
      if (is_here || !parent.is_set()) {
        write(step, value, scope, *variable);
      } else {
        further.push_back(variable);
      }
    }
    left = std::move(further);
    scope = parent;
  }
}

}  // namespace beeline::engine
