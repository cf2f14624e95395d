#include "engine/batch_errors.h"

#include <fmt/format.h>

#include "base/check.h"
#include "engine/behaviors/definition_deletion.h"
#include "engine/behaviors/incidents.h"
#include "engine/behaviors/transitions.h"
#include "engine/processors/processors.h"

namespace beeline::engine {
namespace {

using record::ProcessInstanceIntent;
using record::RejectionType;
using record::ValueType;

template <typename Intent>
bool is(const record::Metadata& metadata, ValueType type, Intent intent) {
  return metadata.value_type == type &&
         metadata.intent == static_cast<record::IntentNumber>(intent);
}

// Commands of clients whose failure says nothing about the instance.
bool is_exempt_from_banning(const record::Metadata& m) {
  using record::IncidentIntent;
  using record::JobIntent;
  return is(m, ValueType::ProcessInstance, ProcessInstanceIntent::Cancel) ||
         m.value_type == ValueType::ProcessInstanceCreation ||
         is(m, ValueType::Job, JobIntent::Complete) || is(m, ValueType::Job, JobIntent::Fail) ||
         is(m, ValueType::Job, JobIntent::UpdateRetries) ||
         is(m, ValueType::Job, JobIntent::ThrowError) ||
         is(m, ValueType::Incident, IncidentIntent::Resolve);
}

constexpr std::string_view kTooLarge =
    "Expected to write the results of this step, but together they are larger than a batch may be. "
    "Make the variables smaller";

}  // namespace

void give_up_on_size(Step& step, const PendingCommand& initial) {
  const record::Metadata& metadata = initial.metadata;
  const bool activates =
      is(metadata, ValueType::ProcessInstance, ProcessInstanceIntent::ActivateElement);
  const bool completes =
      is(metadata, ValueType::ProcessInstance, ProcessInstanceIntent::CompleteElement);
  if (activates || completes) {
    const auto command = initial.element
                             ? *initial.element
                             : record::decode<record::ProcessInstanceView>(initial.value);
    if (command.element_type != record::ElementType::Process) {
      ElementContext context;
      const ElementInstanceRow* row = step.state().element_instances().find(metadata.key);
      if (row == nullptr) {
        context.key = metadata.key;
        context.value = command;
        context.definition = step.state().definitions().find(command.process_definition_key);
        context.element = find_element(context.model(), command);
        borrow_names(context);
        write_activating(step, context);
      } else {
        context = context_of(step, metadata.key);
        if (completes && row->state == ElementState::Activated) write_completing(step, context);
      }
      raise_incident(step, context,
                     {record::ErrorType::MessageSizeExceeded, std::string{kTooLarge}, context.key},
                     Key{});
      return;
    }
  }
  step.reject(RejectionType::ExceededBatchRecordSize, "");
}

void give_up_on_error(Step& step, const PendingCommand& initial, const std::string& error) {
  const Key instance = process_instance_of(step.state(), initial);
  step.reject(RejectionType::ProcessingError,
              fmt::format("Expected to process command '{}' without errors, but an error occurred: "
                          "{}",
                          record::text_name(initial.metadata), error));
  if (!instance.is_set() || is_exempt_from_banning(initial.metadata)) return;
  record::ErrorRecord value;
  value.exception_message = error;
  value.error_event_position = initial.metadata.position;
  value.process_instance_key = instance;
  step.event(record::ErrorIntent::Created, step.next_key(), value);
  // It no longer counts as one that needs its definition.
  if (const ElementInstanceRow* row = step.state().element_instances().find(instance)) {
    delete_drained(step, row->process_definition_key);
  }
}

bool is_refused_when_banned(const record::Metadata& m) {
  return !is(m, ValueType::ProcessInstance, ProcessInstanceIntent::Cancel) &&
         !is(m, ValueType::ProcessInstance, ProcessInstanceIntent::TerminateElement) &&
         !is(m, ValueType::ProcessInstanceBatch, record::ProcessInstanceBatchIntent::Terminate);
}

}  // namespace beeline::engine
