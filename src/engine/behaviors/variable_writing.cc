#include "engine/behaviors/variable_writing.h"

#include <fmt/format.h>

#include <vector>

#include "engine/behaviors/conditions.h"

namespace beeline::engine {
namespace {

using record::VariableIntent;

// Writes the records of variables. The fields other than name and value are equal for all variables
// of one scope, so the writer encodes them once per scope.
class VariableWriter {
 public:
  VariableWriter(Step& step, const VariableOwner& owner)
      : step_(step),
        readers_(step.state().conditional_subscriptions().readers_in(owner.process_instance_key)) {
    value_.process_instance_key = owner.process_instance_key;
    value_.process_definition_key = owner.process_definition_key;
    value_.bpmn_process_id = owner.bpmn_process_id;
    value_.tenant_id = owner.tenant_id;
    value_.root_process_instance_key = owner.root_process_instance_key;
  }

  // `known` is the variable of this name in the scope, or null.
  void write(Key scope, const record::DocumentEntryView& variable, const StoredVariable* known) {
    if (known != nullptr && known->value == variable.value) return;
    value_.name = variable.name;
    value_.value = variable.value;
    if (common_.empty() || value_.scope_key != scope) {
      value_.scope_key = scope;
      common_.clear();
      record::encode_part<record::VariableView::kFirstCommonField, record::kFieldMax>(value_,
                                                                                      common_);
    }
    const auto encode = [&](std::string& out) {
      record::encode_part<1, record::VariableView::kFirstCommonField - 1>(value_, out);
      out += common_;
    };
    if (known != nullptr) {
      step_.event(VariableIntent::Updated, known->key, value_, encode);
    } else {
      step_.event(VariableIntent::Created, step_.next_key(), value_, encode);
    }
    if (readers_ != nullptr && readers_->are_concerned_by(variable.name)) {
      changes_.push_back({scope, variable.name, known == nullptr});
    }
  }

  // Triggers the conditional events for which the variables matter. Called once, after all of them
  // are written, because each event fires at most once for a document.
  void try_conditions() {
    if (!changes_.empty()) engine::try_conditions(step_, value_.process_instance_key, changes_);
  }

 private:
  Step& step_;
  const ConditionReaders* readers_;  // the conditions of the process instance; null for most
  record::VariableView value_;
  std::string common_;
  std::vector<VariableChange> changes_;
};

// Checks that the variables fit. `find(name)` returns the variable that a write would replace, or
// null.
template <typename Find>
Result<void, VariablesTooLarge> check(const Step& step, const VariableOwner& owner, Key scope,
                                      const record::DocumentView& variables, Find&& find) {
  // Usually all of them fit, even if they replace no variable.
  std::int64_t growth = bytes_of(variables);
  if (has_room_for(step, owner, growth)) return {};
  for (const record::DocumentEntryView& variable : variables.entries) {
    const StoredVariable* known = find(variable.name);
    if (known == nullptr) continue;
    growth -= static_cast<std::int64_t>(known->name.size() + known->value.size());
  }
  if (growth <= 0) return {};
  return check_room(step, owner, scope, growth);
}

}  // namespace

Result<void, VariablesTooLarge> check_room(const Step& step, const VariableOwner& owner, Key scope,
                                           std::int64_t growth) {
  if (has_room_for(step, owner, growth)) return {};
  const std::int64_t before = step.state().variables().bytes_of(owner.process_instance_key);
  return failure(VariablesTooLarge{
      fmt::format("the variables of process instance with key '{}' would have {} bytes together, "
                  "and at most {} are allowed (instance-variables-max)",
                  owner.process_instance_key.value(), before + growth,
                  step.instance_variables_max()),
      scope});
}

VariableOwner owner_of(const record::ProcessInstanceView& value) {
  return {value.process_instance_key, value.process_definition_key, value.bpmn_process_id,
          value.tenant_id, value.root_process_instance_key};
}

std::int64_t bytes_of(const record::DocumentView& variables) {
  std::size_t bytes = 0;
  for (const record::DocumentEntryView& variable : variables.entries) {
    bytes += variable.name.size() + variable.value.size();
  }
  return static_cast<std::int64_t>(bytes);
}

bool has_room_for(const Step& step, const VariableOwner& owner, std::int64_t bytes) {
  return step.state().variables().bytes_of(owner.process_instance_key) + bytes <=
         static_cast<std::int64_t>(step.instance_variables_max());
}

Result<void, VariablesTooLarge> check_local(const Step& step, const VariableOwner& owner, Key scope,
                                            const record::DocumentView& variables) {
  return check(step, owner, scope, variables, [&](std::string_view name) {
    return step.state().variables().find_local(scope, name);
  });
}

Result<void, VariablesTooLarge> check_merge(const Step& step, const VariableOwner& owner, Key scope,
                                            const record::DocumentView& variables) {
  return check(step, owner, scope, variables,
               [&](std::string_view name) { return step.state().variables().find(scope, name); });
}

Failure VariablesTooLarge::to_failure() const {
  return {record::ErrorType::MessageSizeExceeded,
          fmt::format("Expected to write variables, but {}. Make variables of the process instance "
                      "smaller, then resolve the incident",
                      reality),
          scope};
}

Rejection VariablesTooLarge::to_rejection(std::string_view attempt) const {
  return {record::RejectionType::InvalidState,
          fmt::format("Expected to {}, but {}", attempt, reality)};
}

Outcome set_local(Step& step, const VariableOwner& owner, Key scope,
                  const record::DocumentView& variables) {
  if (variables.empty()) return {};
  const auto checked = check_local(step, owner, scope, variables);
  if (!checked) return failure(checked.error().to_failure());
  set_local_checked(step, owner, scope, variables);
  return {};
}

Outcome merge(Step& step, const VariableOwner& owner, Key scope,
              const record::DocumentView& variables) {
  if (variables.empty()) return {};
  const auto checked = check_merge(step, owner, scope, variables);
  if (!checked) return failure(checked.error().to_failure());
  merge_checked(step, owner, scope, variables);
  return {};
}

void set_local_checked(Step& step, const VariableOwner& owner, Key scope,
                       const record::DocumentView& variables) {
  if (variables.empty()) return;
  VariableWriter writer{step, owner};
  const Variables& state = step.state().variables();
  for (const record::DocumentEntryView& variable : variables.entries) {
    writer.write(scope, variable, state.find_local(scope, variable.name));
  }
  writer.try_conditions();
}

void set_first(Step& step, const VariableOwner& owner, Key scope,
               const record::DocumentView& variables) {
  if (variables.empty()) return;
  VariableWriter writer{step, owner};
  for (const record::DocumentEntryView& variable : variables.entries) {
    writer.write(scope, variable, nullptr);
  }
}

void merge_checked(Step& step, const VariableOwner& owner, Key scope,
                   const record::DocumentView& variables) {
  if (variables.empty()) return;
  VariableWriter writer{step, owner};
  // Write the events of inner scopes first, and those of one scope in the order of the document.
  std::vector<const record::DocumentEntryView*> left;
  left.reserve(variables.entries.size());
  for (const record::DocumentEntryView& variable : variables.entries) left.push_back(&variable);
  while (!left.empty()) {
    const VariableScopeRow* row = step.state().variables().find_scope(scope);
    const Key parent = row != nullptr ? row->parent_scope_key : Key{};
    std::vector<const record::DocumentEntryView*> further;
    for (const record::DocumentEntryView* variable : left) {
      const StoredVariable* known = step.state().variables().find_local(scope, variable->name);
      if (known != nullptr || !parent.is_set()) {
        writer.write(scope, *variable, known);
      } else {
        further.push_back(variable);
      }
    }
    left = std::move(further);
    scope = parent;
  }
  writer.try_conditions();
}

}  // namespace beeline::engine
