#pragma once

#include <string>
#include <string_view>

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"
#include "record/document.h"

// The two ways in which variables are written (spec: variables 2).
namespace beeline::engine {

// The owner of variables: the fields of a variable's record besides name, value and scope. It
// borrows from the value it was made from.
struct VariableOwner {
  Key process_instance_key;
  Key process_definition_key;
  std::string_view bpmn_process_id;
  std::string_view tenant_id;
  Key root_process_instance_key;
};
[[nodiscard]] VariableOwner owner_of(const record::ProcessInstanceView& value);

// Creates or updates each variable in this scope itself; a variable with the same value is not
// written. Fails, and writes nothing, if check_local fails.
[[nodiscard]] Outcome set_local(Step& step, const VariableOwner& owner, Key scope,
                                const record::DocumentView& variables);
// Updates each variable where it exists, from `scope` outwards; a variable that exists nowhere is
// created at the root. Fails, and writes nothing, if check_merge fails.
[[nodiscard]] Outcome merge(Step& step, const VariableOwner& owner, Key scope,
                            const record::DocumentView& variables);

// Returns the total size of the names and values.
[[nodiscard]] std::int64_t bytes_of(const record::DocumentView& variables);
// True if the variables of the process instance may grow by this many bytes.
[[nodiscard]] bool has_room_for(const Step& step, const VariableOwner& owner, std::int64_t bytes);

// Why variables cannot be written: the variables of the process instance would become too large.
struct VariablesTooLarge {
  std::string reality;  // "the variables of process instance with key '5' would have ..."
  Key scope;

  // For an element: an incident MESSAGE_SIZE_EXCEEDED.
  [[nodiscard]] Failure to_failure() const;
  // For a client's command that attempted `attempt`, for example "complete job with key '7'".
  [[nodiscard]] Rejection to_rejection(std::string_view attempt) const;
};

// Checks whether the variables of the process instance may grow by this many bytes, and returns the
// reason if not.
[[nodiscard]] Result<void, VariablesTooLarge> check_room(const Step& step,
                                                         const VariableOwner& owner, Key scope,
                                                         std::int64_t growth);
// Writes without checking for room: for a caller that has called check_local or check_merge.
void set_local_checked(Step& step, const VariableOwner& owner, Key scope,
                       const record::DocumentView& variables);
// Does the same for a scope without variables. The names of a document differ, so each of them is
// new.
void set_first(Step& step, const VariableOwner& owner, Key scope,
               const record::DocumentView& variables);
void merge_checked(Step& step, const VariableOwner& owner, Key scope,
                   const record::DocumentView& variables);
// Check whether set_local and merge would succeed. A write that does not make the variables of the
// process instance larger always succeeds, even if they are too large already, so they can be made
// smaller.
[[nodiscard]] Result<void, VariablesTooLarge> check_local(const Step& step,
                                                          const VariableOwner& owner, Key scope,
                                                          const record::DocumentView& variables);
[[nodiscard]] Result<void, VariablesTooLarge> check_merge(const Step& step,
                                                          const VariableOwner& owner, Key scope,
                                                          const record::DocumentView& variables);

}  // namespace beeline::engine
