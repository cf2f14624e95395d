#pragma once

#include "engine/behaviors/element_context.h"
#include "record/document.h"

// The two ways in which variables are written (spec 4.2).
namespace beeline::engine {

// Whose variables they are: what a variable's record says besides name, value and scope. Borrows
// from the value it was made of.
struct VariableOwner {
  Key process_instance_key;
  Key process_definition_key;
  std::string_view bpmn_process_id;
  std::string_view tenant_id;
  Key root_process_instance_key;
};
[[nodiscard]] VariableOwner owner_of(const record::ProcessInstanceView& value);

// Creates or updates each variable in this very scope; one whose value is the same is left alone.
void set_local(Step& step, const VariableOwner& owner, Key scope,
               const record::DocumentView& variables);
// Updates each variable where it is, from `scope` outwards; one that is nowhere is created at the
// root.
void merge(Step& step, const VariableOwner& owner, Key scope,
           const record::DocumentView& variables);

}  // namespace beeline::engine
