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

// Returns true for commands of clients whose failure does not show that the instance is broken.
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

std::string describe_size(const BatchTooLarge& size) {
  return fmt::format(
      "but they are larger than the {} bytes that one step may write (it was "
      "stopped at {} bytes)",
      size.limit, size.bytes);
}

bool is_element_command(const record::Metadata& m) {
  return is(m, ValueType::ProcessInstance, ProcessInstanceIntent::ActivateElement) ||
         is(m, ValueType::ProcessInstance, ProcessInstanceIntent::CompleteElement);
}

// Brings the element instance into the state from which resolving the incident runs the command
// again.
ElementContext stop_element(Step& step, const PendingCommand& initial) {
  const Key key = initial.metadata.key;
  if (const ElementInstanceRow* row = step.state().element_instances().find(key)) {
    ElementContext context = context_of(step, key);
    if (row->state == ElementState::Activated) write_completing(step, context);
    return context;
  }
  ElementContext context;
  context.key = key;
  context.value = initial.element ? *initial.element
                                  : record::decode<record::ProcessInstanceView>(initial.value);
  context.definition = step.state().definitions().find(context.value.process_definition_key);
  context.element = find_element(context.model(), context.value);
  borrow_names(context);
  write_activating(step, context);
  return context;
}

}  // namespace

void give_up_on_size(Step& step, const PendingCommand& initial, const BatchTooLarge& size) {
  if (!is_element_command(initial.metadata)) {
    return step.reject(
        RejectionType::ExceededBatchRecordSize,
        fmt::format("Expected to write the results of command '{}', {}. Send less data in one "
                    "command, or make the existing variables of the process smaller",
                    record::text_name(initial.metadata), describe_size(size)));
  }
  const ElementContext context = stop_element(step, initial);
  raise_incident(
      step, context,
      {record::ErrorType::MessageSizeExceeded,
       fmt::format("Expected to write the results of this step, {}. Make the variables that its "
                   "mappings and expressions read smaller, then resolve the incident",
                   describe_size(size)),
       context.key},
      Key{});
}

void give_up_on_error(Step& step, const PendingCommand& initial, const std::string& error) {
  const Key instance = process_instance_of(step.state(), initial);
  step.reject(RejectionType::ProcessingError,
              fmt::format("Expected to process command '{}' without errors, but an error occurred: "
                          "{}",
                          record::text_name(initial.metadata), error));
  if (!instance.is_set() || is_exempt_from_banning(initial.metadata)) return;
  ban_instance(step, instance, initial.metadata.position, error);
}

void ban_instance(Step& step, Key instance, Position command, const std::string& error) {
  record::ErrorRecord value;
  value.exception_message = error;
  value.error_event_position = command;
  value.process_instance_key = instance;
  step.event(record::ErrorIntent::Created, step.next_key(), value);
  // A banned instance does not keep its definition from being deleted.
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
