#include "engine/behaviors/variable_writing.h"

#include <vector>

namespace beeline::engine {
namespace {

using record::VariableIntent;

// Writes the records of variables. All but name and value is the same in those of one scope and is
// encoded once.
class VariableWriter {
 public:
  VariableWriter(Step& step, const VariableOwner& owner) : step_(step) {
    value_.process_instance_key = owner.process_instance_key;
    value_.process_definition_key = owner.process_definition_key;
    value_.bpmn_process_id = owner.bpmn_process_id;
    value_.tenant_id = owner.tenant_id;
    value_.root_process_instance_key = owner.root_process_instance_key;
  }

  void write(Key scope, const record::DocumentEntryView& variable) {
    const StoredVariable* known = step_.state().variables().find_local(scope, variable.name);
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
  }

 private:
  Step& step_;
  record::VariableView value_;
  std::string common_;
};

}  // namespace

VariableOwner owner_of(const record::ProcessInstanceView& value) {
  return {value.process_instance_key, value.process_definition_key, value.bpmn_process_id,
          value.tenant_id, value.root_process_instance_key};
}

void set_local(Step& step, const VariableOwner& owner, Key scope,
               const record::DocumentView& variables) {
  if (variables.empty()) return;
  VariableWriter writer{step, owner};
  for (const record::DocumentEntryView& variable : variables.entries) {
    writer.write(scope, variable);
  }
}

void merge(Step& step, const VariableOwner& owner, Key scope,
           const record::DocumentView& variables) {
  if (variables.empty()) return;
  VariableWriter writer{step, owner};
  // Events go from the inner scopes to the outer ones, within a scope in the document's order.
  std::vector<const record::DocumentEntryView*> left;
  left.reserve(variables.entries.size());
  for (const record::DocumentEntryView& variable : variables.entries) left.push_back(&variable);
  while (!left.empty()) {
    const VariableScopeRow* row = step.state().variables().find_scope(scope);
    const Key parent = row != nullptr ? row->parent_scope_key : Key{};
    std::vector<const record::DocumentEntryView*> further;
    for (const record::DocumentEntryView* variable : left) {
      const bool is_here = step.state().variables().find_local(scope, variable->name) != nullptr;
      if (is_here || !parent.is_set()) {
        writer.write(scope, *variable);
      } else {
        further.push_back(variable);
      }
    }
    left = std::move(further);
    scope = parent;
  }
}

}  // namespace beeline::engine
