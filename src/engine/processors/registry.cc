#include <array>

#include "base/check.h"
#include "engine/processors/processors.h"
#include "record/codec.h"

namespace beeline::engine {
namespace {

using namespace record;  // NOLINT: the whole of this file is a table of its names

template <typename T, void (*Function)(Step&, Key, const T&)>
void decode_and_process(Step& step, const PendingCommand& command) {
  const Metadata& metadata = command.metadata;
  if constexpr (std::is_same_v<T, ProcessInstanceView>) {
    if (command.element) return Function(step, metadata.key, *command.element);
  }
  const std::optional<T> decoded = try_decode<T>(command.value);
  if (!decoded) {
    step.reject(RejectionType::InvalidArgument,
                fmt::format("Expected a value of {}, but its bytes are not one",
                            name_of(metadata.value_type)));
    return;
  }
  Function(step, metadata.key, *decoded);
}

struct Entry {
  ValueType type;
  IntentNumber intent;
  Processor processor;
};

template <typename T, void (*Function)(Step&, Key, const T&)>
constexpr Entry on(typename T::Intent intent) {
  return {T::kType, static_cast<IntentNumber>(intent), &decode_and_process<T, Function>};
}

constexpr Entry kEntries[] = {
    on<DeploymentRecord, deployment_create>(DeploymentIntent::Create),
    on<ResourceDeletionRecord, resource_deletion_delete>(ResourceDeletionIntent::Delete),
    on<ProcessRecord, process_delete_complete>(ProcessIntent::DeleteComplete),
    on<CommandDistributionRecord, command_distribution_acknowledge>(
        CommandDistributionIntent::Acknowledge),
    on<CommandDistributionRecord, command_distribution_finish>(CommandDistributionIntent::Finish),
    on<CommandDistributionRecord, command_distribution_time_out>(
        CommandDistributionIntent::TimeOut),
    on<ProcessInstanceCreationView, process_instance_creation_create>(
        ProcessInstanceCreationIntent::Create),
    on<ProcessInstanceCreationView, process_instance_creation_create>(
        ProcessInstanceCreationIntent::CreateWithAwaitingResult),
    on<ProcessInstanceView, process_instance_activate_element>(
        ProcessInstanceIntent::ActivateElement),
    on<ProcessInstanceView, process_instance_complete_element>(
        ProcessInstanceIntent::CompleteElement),
    on<ProcessInstanceView, process_instance_terminate_element>(
        ProcessInstanceIntent::TerminateElement),
    on<ProcessInstanceView, process_instance_cancel>(ProcessInstanceIntent::Cancel),
    on<ProcessInstanceBatchRecord, process_instance_batch_terminate>(
        ProcessInstanceBatchIntent::Terminate),
    on<ProcessInstanceBatchRecord, process_instance_batch_activate>(
        ProcessInstanceBatchIntent::Activate),
    on<JobBatchView, job_batch_activate>(JobBatchIntent::Activate),
    on<JobView, job_complete>(JobIntent::Complete),
    on<JobView, job_fail>(JobIntent::Fail),
    on<JobView, job_throw_error>(JobIntent::ThrowError),
    on<JobView, job_time_out>(JobIntent::TimeOut),
    on<JobView, job_recur_after_backoff>(JobIntent::RecurAfterBackoff),
    on<JobView, job_update_retries>(JobIntent::UpdateRetries),
    on<JobView, job_update_timeout>(JobIntent::UpdateTimeout),
    on<JobView, job_yield>(JobIntent::Yield),
    on<JobView, job_cancel>(JobIntent::Cancel),
    on<IncidentRecord, incident_resolve>(IncidentIntent::Resolve),
    on<VariableDocumentRecord, variable_document_update>(VariableDocumentIntent::Update),
    on<TimerRecord, timer_trigger>(TimerIntent::Trigger),
    on<TimerRecord, timer_cancel>(TimerIntent::Cancel),
    on<MessageRecord, message_publish>(MessageIntent::Publish),
    on<MessageRecord, message_expire>(MessageIntent::Expire),
    on<MessageBatchRecord, message_batch_expire>(MessageBatchIntent::Expire),
    on<MessageBatchRecord, message_batch_correlate>(MessageBatchIntent::Correlate),
    on<MessageBatchRecord, message_batch_start>(MessageBatchIntent::Start),
    on<MessageCorrelationRecord, message_correlation_correlate>(
        MessageCorrelationIntent::Correlate),
    on<MessageSubscriptionRecord, message_subscription_create>(MessageSubscriptionIntent::Create),
    on<MessageSubscriptionRecord, message_subscription_correlate>(
        MessageSubscriptionIntent::Correlate),
    on<MessageSubscriptionRecord, message_subscription_reject>(MessageSubscriptionIntent::Reject),
    on<MessageSubscriptionRecord, message_subscription_delete>(MessageSubscriptionIntent::Delete),
    on<ProcessMessageSubscriptionRecord, process_message_subscription_create>(
        ProcessMessageSubscriptionIntent::Create),
    on<ProcessMessageSubscriptionRecord, process_message_subscription_correlate>(
        ProcessMessageSubscriptionIntent::Correlate),
    on<ProcessMessageSubscriptionRecord, process_message_subscription_delete>(
        ProcessMessageSubscriptionIntent::Delete),
    on<DecisionEvaluationRecord, decision_evaluation_evaluate>(DecisionEvaluationIntent::Evaluate),
};

Key instance_of_element(const EngineState& state, Key element_instance) {
  const ElementInstanceRow* row = state.element_instances().find(element_instance);
  return row != nullptr ? row->process_instance_key : Key{};
}

}  // namespace

Processor find_processor(ValueType type, IntentNumber intent) {
  static const auto table = [] {
    std::array<std::array<Processor, 32>, 256> made{};
    for (const Entry& entry : kEntries) {
      made[static_cast<std::size_t>(entry.type)][entry.intent] = entry.processor;
    }
    return made;
  }();
  return intent < 32 ? table[static_cast<std::size_t>(type)][intent] : nullptr;
}

Key process_instance_of(const EngineState& state, const PendingCommand& command) {
  const Metadata& metadata = command.metadata;
  if (command.element && command.element->process_instance_key.is_set()) {
    return command.element->process_instance_key;
  }
  std::string buffer;
  const std::string_view value = command.bytes(buffer);
  switch (metadata.value_type) {
    case ValueType::ProcessInstance: {
      const auto decoded = try_decode<ProcessInstanceView>(value);
      if (decoded && decoded->process_instance_key.is_set()) return decoded->process_instance_key;
      return instance_of_element(state, metadata.key);
    }
    case ValueType::ProcessInstanceBatch: {
      const auto decoded = try_decode<ProcessInstanceBatchRecord>(value);
      return decoded ? decoded->process_instance_key : Key{};
    }
    case ValueType::Job: {
      const JobRow* job = state.jobs().find(metadata.key);
      return job != nullptr ? instance_of_element(state, job->element_instance_key) : Key{};
    }
    case ValueType::Incident: {
      const IncidentRow* incident = state.incidents().find(metadata.key);
      return incident != nullptr ? incident->record.process_instance_key : Key{};
    }
    case ValueType::VariableDocument: {
      const auto decoded = try_decode<VariableDocumentRecord>(value);
      return decoded ? instance_of_element(state, decoded->scope_key) : Key{};
    }
    case ValueType::Timer: {
      const TimerRow* timer = state.timers().find(metadata.key);
      return timer != nullptr && timer->record.element_instance_key.is_set()
                 ? timer->record.process_instance_key
                 : Key{};
    }
    case ValueType::ProcessMessageSubscription: {
      // Opening and closing only keep the two sides together, and go on for an instance that is
      // banned: no row must be left of it.
      if (metadata.intent !=
          static_cast<IntentNumber>(ProcessMessageSubscriptionIntent::Correlate)) {
        return Key{};
      }
      const auto decoded = try_decode<ProcessMessageSubscriptionRecord>(value);
      return decoded ? decoded->process_instance_key : Key{};
    }
    case ValueType::Message:
    case ValueType::MessageSubscription:
    case ValueType::MessageStartEventSubscription:
    case ValueType::MessageBatch:
    case ValueType::MessageCorrelation:
    case ValueType::Deployment:
    case ValueType::JobBatch:
    case ValueType::Variable:
    case ValueType::ProcessInstanceCreation:
    case ValueType::Error:
    case ValueType::ProcessInstanceResult:
    case ValueType::Process:
    case ValueType::ProcessEvent:
    case ValueType::Decision:
    case ValueType::DecisionRequirements:
    case ValueType::DecisionEvaluation:
    case ValueType::ResourceDeletion:
    case ValueType::CommandDistribution:
    case ValueType::AsyncRequest:
    case ValueType::MultiInstance:
      return Key{};
  }
  return Key{};
}

}  // namespace beeline::engine
