#include <algorithm>
#include <array>

#include "base/check.h"
#include "engine/processors/processors.h"
#include "record/codec.h"

namespace beeline::engine {
namespace {

using namespace record;  // NOLINT: this whole file is a table of names from that namespace

template <typename T, void (*Function)(Step&, Key, const T&)>
void decode_and_process(Step& step, const PendingCommand& command) {
  const Metadata& metadata = command.metadata;
  if constexpr (std::is_same_v<T, ProcessInstanceView>) {
    if (command.element) return Function(step, metadata.key, *command.element);
  }
  const std::optional<T> decoded = try_decode<T>(command.value);
  if (!decoded) {
    step.reject(RejectionType::InvalidArgument,
                fmt::format("Expected a value of {}, but its bytes cannot be decoded",
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

// Every command has an entry, including those that only partitions send to each other.
constexpr Entry kEntries[] = {
    on<DeploymentRecord, deployment_create>(DeploymentIntent::Create),
    on<ResourceDeletionRecord, resource_deletion_delete>(ResourceDeletionIntent::Delete),
    on<ProcessRecord, process_delete_complete>(ProcessIntent::DeleteComplete),
    on<CommandDistributionRecord, command_distribution_acknowledge>(
        CommandDistributionIntent::Acknowledge),
    on<CommandDistributionRecord, command_distribution_finish>(CommandDistributionIntent::Finish),
    on<CommandDistributionRecord, command_distribution_time_out>(
        CommandDistributionIntent::TimeOut),
    on<CompensationSubscriptionRecord, compensation_subscription_trigger>(
        CompensationSubscriptionIntent::Trigger),
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
    on<ConditionalSubscriptionRecord, conditional_subscription_trigger>(
        ConditionalSubscriptionIntent::Trigger),
    on<ConditionalSubscriptionRecord, conditional_subscription_evaluate>(
        ConditionalSubscriptionIntent::Evaluate),
    on<ConditionalEvaluationRecord, conditional_evaluation_evaluate>(
        ConditionalEvaluationIntent::Evaluate),
    on<SignalRecord, signal_broadcast>(SignalIntent::Broadcast),
    on<SignalRecord, signal_continue>(SignalIntent::Continue),
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

constexpr bool has_processor(ValueType type, IntentNumber intent) {
  return std::ranges::any_of(
      kEntries, [&](const Entry& entry) { return entry.type == type && entry.intent == intent; });
}

template <typename T>
constexpr bool every_command_has_a_processor() {
  return std::ranges::all_of(intents_of(typename T::Intent{}), [](const IntentName& intent) {
    return has_processor(T::kType, intent.number) == (intent.written_as == RecordType::Command);
  });
}

template <typename... Ts>
constexpr bool is_complete(TypeList<Ts...>) {
  return (every_command_has_a_processor<Ts>() && ...);
}
static_assert(is_complete(AllValues{}), "a command has no processor, or an event has one");

template <typename... Ts>
constexpr IntentNumber highest_intent(TypeList<Ts...>) {
  return std::max({intents_of(typename Ts::Intent{}).back().number...});
}

constexpr auto kProcessors = [] {
  std::array<std::array<Processor, highest_intent(AllValues{}) + 1>, 256> made{};
  for (const Entry& entry : kEntries) {
    made[static_cast<std::size_t>(entry.type)][entry.intent] = entry.processor;
  }
  return made;
}();

}  // namespace

Processor find_processor(ValueType type, IntentNumber intent) {
  const auto& of_type = kProcessors[static_cast<std::size_t>(type)];
  return intent < of_type.size() ? of_type[intent] : nullptr;
}

}  // namespace beeline::engine
