#include <fmt/format.h>

#include <algorithm>

#include "engine/behaviors/element_context.h"
#include "engine/behaviors/start_instructions.h"
#include "engine/behaviors/variable_writing.h"
#include "engine/failure.h"
#include "engine/processors/processors.h"

namespace beeline::engine {
namespace {

using record::ProcessInstanceCreationIntent;
using record::ProcessInstanceCreationView;
using record::RejectionType;

constexpr std::size_t kTagsMax = 10;
constexpr std::size_t kTagCharsMax = 100;

Result<const Definition*, Rejection> find_definition(const Step& step,
                                                     const ProcessInstanceCreationView& command) {
  const Definitions& definitions = step.state().definitions();
  if (command.process_definition_key.is_set()) {
    const Definition* found = definitions.find(command.process_definition_key);
    if (found != nullptr && found->tenant_id == command.tenant_id &&
        found->state != DefinitionState::Deleted) {
      return found;
    }
    return failure(
        Rejection{RejectionType::NotFound,
                  fmt::format("Expected to find process definition with key '{}', but none found",
                              command.process_definition_key.value())});
  }
  if (command.bpmn_process_id.empty()) {
    return failure(Rejection{RejectionType::InvalidArgument,
                             "Expected at least a bpmnProcessId or a key greater than -1, but none "
                             "given"});
  }
  if (command.version < 0) {
    const Definition* found = definitions.find_latest(command.tenant_id, command.bpmn_process_id);
    if (found != nullptr) return found;
    return failure(Rejection{
        RejectionType::NotFound,
        fmt::format("Expected to find process definition with process ID '{}', but none found",
                    command.bpmn_process_id)});
  }
  const Definition* found =
      definitions.find_version(command.tenant_id, command.bpmn_process_id, command.version);
  if (found != nullptr) return found;
  return failure(
      Rejection{RejectionType::NotFound,
                fmt::format("Expected to find process definition with process ID '{}' and version "
                            "'{}', but none found",
                            command.bpmn_process_id, command.version)});
}

bool is_tag(std::string_view tag) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (tag.empty() || tag.size() > kTagCharsMax || !is_letter(tag.front())) return false;
  return std::all_of(tag.begin(), tag.end(), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') ||
           std::string_view{"_-:."}.find(c) != std::string_view::npos;
  });
}

Result<void, Rejection> check_tags(const std::vector<std::string>& tags) {
  if (tags.size() > kTagsMax) {
    return failure(Rejection{
        RejectionType::InvalidArgument,
        fmt::format("Expected at most {} tags, but {} were given", kTagsMax, tags.size())});
  }
  for (const std::string& tag : tags) {
    if (is_tag(tag)) continue;
    return failure(Rejection{
        RejectionType::InvalidArgument,
        fmt::format("Expected tag '{}' to begin with a letter and to have only letters, digits and "
                    "'_', '-', ':', '.', at most {} of them",
                    tag, kTagCharsMax)});
  }
  return {};
}

Result<const Definition*, Rejection> check(const Step& step,
                                           const ProcessInstanceCreationView& command) {
  BEELINE_TRY(const Definition* definition, find_definition(step, command));
  if (!definition->is_active()) {
    return failure(Rejection{
        RejectionType::InvalidState,
        fmt::format("Expected to create instance of process with ID '{}' and version {} (key {}), "
                    "but it is being deleted",
                    definition->bpmn_process_id, definition->version, definition->key.value())});
  }
  if (command.start_instructions.empty() && !definition->model->root().none_start.is_set()) {
    return failure(Rejection{RejectionType::InvalidState,
                             "Expected to create instance of process with none start event, but "
                             "there is no such event"});
  }
  BEELINE_TRY_VOID(check_instructions(*definition->model, command));
  BEELINE_TRY_VOID(check_tags(command.tags));
  const auto bytes = static_cast<std::size_t>(bytes_of(command.variables));
  if (bytes > step.instance_variables_max()) {
    return failure(Rejection{
        RejectionType::InvalidArgument,
        fmt::format("Expected to create instance of process with ID '{}' with variables of at most "
                    "{} bytes together (instance-variables-max), but they have {}",
                    definition->bpmn_process_id, step.instance_variables_max(), bytes)});
  }
  return definition;
}

}  // namespace

void process_instance_creation_create(Step& step, Key, const ProcessInstanceCreationView& command) {
  const auto checked = check(step, command);
  if (!checked) return step.reject(checked.error());
  const Definition& definition = **checked;

  const Key instance = step.next_key();
  record::ProcessInstanceView process = process_value(definition, instance);
  if (!command.tags.empty()) process.activation.set().tags = command.tags;
  set_first(step, owner_of(process), instance, command.variables);
  if (command.start_instructions.empty()) {
    step.command(record::ProcessInstanceIntent::ActivateElement, instance, process);
  } else {
    begin_at_elements(step, definition, process, command.start_instructions);
  }

  const bool awaits_result =
      step.command_metadata().intent ==
      static_cast<record::IntentNumber>(ProcessInstanceCreationIntent::CreateWithAwaitingResult);
  // Copy all fields of the command except the variables, which have their own events.
  ProcessInstanceCreationView created;
  fill_owner(created, definition);
  created.version = definition.version;
  created.process_instance_key = instance;
  created.fetch_variables = command.fetch_variables;
  created.start_instructions = command.start_instructions;
  created.runtime_instructions = command.runtime_instructions;
  created.tags = command.tags;
  if (awaits_result) created.awaited_by = step.command_metadata().request_id;
  step.event(ProcessInstanceCreationIntent::Created, step.next_key(), created);
  if (!awaits_result) step.respond_with_event(instance);
}

}  // namespace beeline::engine
