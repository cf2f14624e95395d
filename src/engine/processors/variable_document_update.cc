#include <fmt/format.h>

#include "engine/behaviors/variable_writing.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::UpdateSemantics;
using record::VariableDocumentIntent;

void variable_document_update(Step& step, Key, const record::VariableDocumentRecord& command) {
  const ElementInstanceRow* row = step.state().element_instances().find(command.scope_key);
  if (row == nullptr || row->state == ElementState::Terminating) {
    return step.reject(record::RejectionType::NotFound,
                       fmt::format("Expected to update variables for element with key '{}', but no "
                                   "such element was found",
                                   command.scope_key.value()));
  }
  const ElementContext context = context_of(step, command.scope_key);
  const VariableOwner owner = owner_of(context.value);
  const bool is_local = command.update_semantics == UpdateSemantics::Local;
  const auto checked = is_local ? check_local(step, owner, command.scope_key, command.variables)
                                : check_merge(step, owner, command.scope_key, command.variables);
  if (!checked) {
    return step.reject(checked.error().to_rejection(
        fmt::format("update variables for element with key '{}'", command.scope_key.value())));
  }
  if (is_local) {
    set_local_checked(step, owner, command.scope_key, command.variables);
  } else {
    merge_checked(step, owner, command.scope_key, command.variables);
  }
  const Key key = step.next_key();
  step.event(VariableDocumentIntent::Updated, key, command);
  step.respond(VariableDocumentIntent::Updated, key, command);
}

}  // namespace beeline::engine
