#pragma once

#include <string>
#include <string_view>

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"
#include "record/document.h"

// The two ways in which variables are written (spec: variables 2).
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
// Fails, and writes nothing, when check_local fails.
[[nodiscard]] Outcome set_local(Step& step, const VariableOwner& owner, Key scope,
                                const record::DocumentView& variables);
// Updates each variable where it is, from `scope` outwards; one that is nowhere is created at the
// root. Fails, and writes nothing, when check_merge fails.
[[nodiscard]] Outcome merge(Step& step, const VariableOwner& owner, Key scope,
                            const record::DocumentView& variables);

// How many bytes the names and values have.
[[nodiscard]] std::int64_t bytes_of(const record::DocumentView& variables);
// Whether the variables of the process instance may grow by so many bytes.
[[nodiscard]] bool has_room_for(const Step& step, const VariableOwner& owner, std::int64_t bytes);

// Why variables cannot be written: they would make those of the process instance too large.
struct VariablesTooLarge {
  std::string reality;  // "the variables of process instance with key '5' would have ..."
  Key scope;

  // For an element: an incident MESSAGE_SIZE_EXCEEDED.
  [[nodiscard]] Failure to_failure() const;
  // For the command of a client that wanted to do `attempt`, as in "complete job with key '7'".
  [[nodiscard]] Rejection to_rejection(std::string_view attempt) const;
};

// Whether the variables of the process instance may grow by so many bytes, with the reason.
[[nodiscard]] Result<void, VariablesTooLarge> check_room(const Step& step,
                                                         const VariableOwner& owner, Key scope,
                                                         std::int64_t growth);
// The same without asking whether there is room: for whoever has asked check_local or check_merge.
void set_local_checked(Step& step, const VariableOwner& owner, Key scope,
                       const record::DocumentView& variables);
// The same for a scope that has no variables yet. The names of a document differ, so each of them
// is new.
void set_first(Step& step, const VariableOwner& owner, Key scope,
               const record::DocumentView& variables);
void merge_checked(Step& step, const VariableOwner& owner, Key scope,
                   const record::DocumentView& variables);
// Whether set_local and merge would succeed. A write that does not make the variables of the
// process instance larger always does, also when they are too large already: that is how they
// become smaller.
[[nodiscard]] Result<void, VariablesTooLarge> check_local(const Step& step,
                                                          const VariableOwner& owner, Key scope,
                                                          const record::DocumentView& variables);
[[nodiscard]] Result<void, VariablesTooLarge> check_merge(const Step& step,
                                                          const VariableOwner& owner, Key scope,
                                                          const record::DocumentView& variables);

}  // namespace beeline::engine
