#include "record/value_type.h"

#include <array>

namespace beeline::record {
namespace {

constexpr RecordType C = RecordType::Command;
constexpr RecordType E = RecordType::Event;

template <typename Intent>
constexpr IntentName command(Intent intent, std::string_view name) {
  return {static_cast<IntentNumber>(intent), name, C};
}
template <typename Intent>
constexpr IntentName event(Intent intent, std::string_view name) {
  return {static_cast<IntentNumber>(intent), name, E};
}

constexpr IntentName kJob[] = {
    event(JobIntent::Created, "CREATED"),
    command(JobIntent::Complete, "COMPLETE"),
    event(JobIntent::Completed, "COMPLETED"),
    command(JobIntent::TimeOut, "TIME_OUT"),
    event(JobIntent::TimedOut, "TIMED_OUT"),
    command(JobIntent::Fail, "FAIL"),
    event(JobIntent::Failed, "FAILED"),
    command(JobIntent::UpdateRetries, "UPDATE_RETRIES"),
    event(JobIntent::RetriesUpdated, "RETRIES_UPDATED"),
    command(JobIntent::Cancel, "CANCEL"),
    event(JobIntent::Canceled, "CANCELED"),
    command(JobIntent::ThrowError, "THROW_ERROR"),
    event(JobIntent::ErrorThrown, "ERROR_THROWN"),
    command(JobIntent::RecurAfterBackoff, "RECUR_AFTER_BACKOFF"),
    event(JobIntent::RecurredAfterBackoff, "RECURRED_AFTER_BACKOFF"),
    command(JobIntent::Yield, "YIELD"),
    event(JobIntent::Yielded, "YIELDED"),
    command(JobIntent::UpdateTimeout, "UPDATE_TIMEOUT"),
    event(JobIntent::TimeoutUpdated, "TIMEOUT_UPDATED"),
};
constexpr IntentName kDeployment[] = {command(DeploymentIntent::Create, "CREATE"),
                                      event(DeploymentIntent::Created, "CREATED")};
constexpr IntentName kProcessInstance[] = {
    command(ProcessInstanceIntent::Cancel, "CANCEL"),
    event(ProcessInstanceIntent::SequenceFlowTaken, "SEQUENCE_FLOW_TAKEN"),
    event(ProcessInstanceIntent::ElementActivating, "ELEMENT_ACTIVATING"),
    event(ProcessInstanceIntent::ElementActivated, "ELEMENT_ACTIVATED"),
    event(ProcessInstanceIntent::ElementCompleting, "ELEMENT_COMPLETING"),
    event(ProcessInstanceIntent::ElementCompleted, "ELEMENT_COMPLETED"),
    event(ProcessInstanceIntent::ElementTerminating, "ELEMENT_TERMINATING"),
    event(ProcessInstanceIntent::ElementTerminated, "ELEMENT_TERMINATED"),
    command(ProcessInstanceIntent::ActivateElement, "ACTIVATE_ELEMENT"),
    command(ProcessInstanceIntent::CompleteElement, "COMPLETE_ELEMENT"),
    command(ProcessInstanceIntent::TerminateElement, "TERMINATE_ELEMENT"),
    event(ProcessInstanceIntent::Canceling, "CANCELING"),
};
constexpr IntentName kIncident[] = {event(IncidentIntent::Created, "CREATED"),
                                    command(IncidentIntent::Resolve, "RESOLVE"),
                                    event(IncidentIntent::Resolved, "RESOLVED")};
constexpr IntentName kMessage[] = {
    command(MessageIntent::Publish, "PUBLISH"), event(MessageIntent::Published, "PUBLISHED"),
    command(MessageIntent::Expire, "EXPIRE"), event(MessageIntent::Expired, "EXPIRED")};
constexpr IntentName kMessageSubscription[] = {
    command(MessageSubscriptionIntent::Create, "CREATE"),
    event(MessageSubscriptionIntent::Created, "CREATED"),
    command(MessageSubscriptionIntent::Correlate, "CORRELATE"),
    event(MessageSubscriptionIntent::Correlated, "CORRELATED"),
    command(MessageSubscriptionIntent::Reject, "REJECT"),
    event(MessageSubscriptionIntent::Rejected, "REJECTED"),
    command(MessageSubscriptionIntent::Delete, "DELETE"),
    event(MessageSubscriptionIntent::Deleted, "DELETED"),
    event(MessageSubscriptionIntent::Correlating, "CORRELATING"),
};
constexpr IntentName kProcessMessageSubscription[] = {
    event(ProcessMessageSubscriptionIntent::Creating, "CREATING"),
    command(ProcessMessageSubscriptionIntent::Create, "CREATE"),
    event(ProcessMessageSubscriptionIntent::Created, "CREATED"),
    command(ProcessMessageSubscriptionIntent::Correlate, "CORRELATE"),
    event(ProcessMessageSubscriptionIntent::Correlated, "CORRELATED"),
    event(ProcessMessageSubscriptionIntent::Deleting, "DELETING"),
    command(ProcessMessageSubscriptionIntent::Delete, "DELETE"),
    event(ProcessMessageSubscriptionIntent::Deleted, "DELETED"),
};
constexpr IntentName kJobBatch[] = {command(JobBatchIntent::Activate, "ACTIVATE"),
                                    event(JobBatchIntent::Activated, "ACTIVATED")};
constexpr IntentName kTimer[] = {
    event(TimerIntent::Created, "CREATED"), command(TimerIntent::Trigger, "TRIGGER"),
    event(TimerIntent::Triggered, "TRIGGERED"), command(TimerIntent::Cancel, "CANCEL"),
    event(TimerIntent::Canceled, "CANCELED")};
constexpr IntentName kMessageStartEventSubscription[] = {
    event(MessageStartEventSubscriptionIntent::Created, "CREATED"),
    event(MessageStartEventSubscriptionIntent::Correlated, "CORRELATED"),
    event(MessageStartEventSubscriptionIntent::Deleted, "DELETED")};
constexpr IntentName kVariable[] = {event(VariableIntent::Created, "CREATED"),
                                    event(VariableIntent::Updated, "UPDATED")};
constexpr IntentName kVariableDocument[] = {command(VariableDocumentIntent::Update, "UPDATE"),
                                            event(VariableDocumentIntent::Updated, "UPDATED")};
constexpr IntentName kCreation[] = {command(ProcessInstanceCreationIntent::Create, "CREATE"),
                                    event(ProcessInstanceCreationIntent::Created, "CREATED"),
                                    command(ProcessInstanceCreationIntent::CreateWithAwaitingResult,
                                            "CREATE_WITH_AWAITING_RESULT")};
constexpr IntentName kError[] = {event(ErrorIntent::Created, "CREATED")};
constexpr IntentName kResult[] = {event(ProcessInstanceResultIntent::Completed, "COMPLETED")};
constexpr IntentName kProcess[] = {
    event(ProcessIntent::Created, "CREATED"),
    event(ProcessIntent::Deleting, "DELETING"),
    event(ProcessIntent::Deleted, "DELETED"),
    event(ProcessIntent::Draining, "DRAINING"),
    command(ProcessIntent::DeleteComplete, "DELETE_COMPLETE"),
    event(ProcessIntent::DeleteCompleted, "DELETE_COMPLETED"),
    event(ProcessIntent::FullyDeleted, "FULLY_DELETED"),
};
constexpr IntentName kProcessEvent[] = {event(ProcessEventIntent::Triggering, "TRIGGERING"),
                                        event(ProcessEventIntent::Triggered, "TRIGGERED")};
constexpr IntentName kDecision[] = {event(DecisionIntent::Created, "CREATED"),
                                    event(DecisionIntent::Deleted, "DELETED")};
constexpr IntentName kDecisionRequirements[] = {
    event(DecisionRequirementsIntent::Created, "CREATED"),
    event(DecisionRequirementsIntent::Deleted, "DELETED")};
constexpr IntentName kDecisionEvaluation[] = {
    event(DecisionEvaluationIntent::Evaluated, "EVALUATED"),
    event(DecisionEvaluationIntent::Failed, "FAILED"),
    command(DecisionEvaluationIntent::Evaluate, "EVALUATE")};
constexpr IntentName kBatch[] = {command(ProcessInstanceBatchIntent::Terminate, "TERMINATE"),
                                 command(ProcessInstanceBatchIntent::Activate, "ACTIVATE"),
                                 event(ProcessInstanceBatchIntent::Terminated, "TERMINATED"),
                                 event(ProcessInstanceBatchIntent::Activated, "ACTIVATED")};
constexpr IntentName kMessageBatch[] = {command(MessageBatchIntent::Expire, "EXPIRE"),
                                        command(MessageBatchIntent::Correlate, "CORRELATE"),
                                        command(MessageBatchIntent::Start, "START")};
constexpr IntentName kMessageCorrelation[] = {
    command(MessageCorrelationIntent::Correlate, "CORRELATE"),
    event(MessageCorrelationIntent::Correlating, "CORRELATING"),
    event(MessageCorrelationIntent::Correlated, "CORRELATED"),
    event(MessageCorrelationIntent::NotCorrelated, "NOT_CORRELATED"),
    event(MessageCorrelationIntent::CandidatesChanged, "CANDIDATES_CHANGED")};
constexpr IntentName kResourceDeletion[] = {command(ResourceDeletionIntent::Delete, "DELETE"),
                                            event(ResourceDeletionIntent::Deleting, "DELETING"),
                                            event(ResourceDeletionIntent::Deleted, "DELETED")};
constexpr IntentName kCommandDistribution[] = {
    event(CommandDistributionIntent::Started, "STARTED"),
    event(CommandDistributionIntent::Distributing, "DISTRIBUTING"),
    command(CommandDistributionIntent::Acknowledge, "ACKNOWLEDGE"),
    event(CommandDistributionIntent::Acknowledged, "ACKNOWLEDGED"),
    event(CommandDistributionIntent::Finished, "FINISHED"),
    event(CommandDistributionIntent::Enqueued, "ENQUEUED"),
    command(CommandDistributionIntent::Finish, "FINISH"),
    event(CommandDistributionIntent::Received, "RECEIVED"),
    command(CommandDistributionIntent::TimeOut, "TIME_OUT"),
    event(CommandDistributionIntent::TimedOut, "TIMED_OUT"),
};
constexpr IntentName kAsyncRequest[] = {event(AsyncRequestIntent::Received, "RECEIVED"),
                                        event(AsyncRequestIntent::Processed, "PROCESSED")};

constexpr IntentName kMultiInstance[] = {
    event(MultiInstanceIntent::InputCollectionEvaluated, "INPUT_COLLECTION_EVALUATED"),
    event(MultiInstanceIntent::OutputCollected, "OUTPUT_COLLECTED")};

struct ValueTypeName {
  ValueType type;
  std::string_view name;
  std::span<const IntentName> intents;
};

constexpr ValueTypeName kValueTypes[] = {
    {ValueType::Job, "JOB", kJob},
    {ValueType::Deployment, "DEPLOYMENT", kDeployment},
    {ValueType::ProcessInstance, "PROCESS_INSTANCE", kProcessInstance},
    {ValueType::Incident, "INCIDENT", kIncident},
    {ValueType::Message, "MESSAGE", kMessage},
    {ValueType::MessageSubscription, "MESSAGE_SUBSCRIPTION", kMessageSubscription},
    {ValueType::ProcessMessageSubscription, "PROCESS_MESSAGE_SUBSCRIPTION",
     kProcessMessageSubscription},
    {ValueType::JobBatch, "JOB_BATCH", kJobBatch},
    {ValueType::Timer, "TIMER", kTimer},
    {ValueType::MessageStartEventSubscription, "MESSAGE_START_EVENT_SUBSCRIPTION",
     kMessageStartEventSubscription},
    {ValueType::Variable, "VARIABLE", kVariable},
    {ValueType::VariableDocument, "VARIABLE_DOCUMENT", kVariableDocument},
    {ValueType::ProcessInstanceCreation, "PROCESS_INSTANCE_CREATION", kCreation},
    {ValueType::Error, "ERROR", kError},
    {ValueType::ProcessInstanceResult, "PROCESS_INSTANCE_RESULT", kResult},
    {ValueType::Process, "PROCESS", kProcess},
    {ValueType::ProcessEvent, "PROCESS_EVENT", kProcessEvent},
    {ValueType::Decision, "DECISION", kDecision},
    {ValueType::DecisionRequirements, "DECISION_REQUIREMENTS", kDecisionRequirements},
    {ValueType::DecisionEvaluation, "DECISION_EVALUATION", kDecisionEvaluation},
    {ValueType::ResourceDeletion, "RESOURCE_DELETION", kResourceDeletion},
    {ValueType::CommandDistribution, "COMMAND_DISTRIBUTION", kCommandDistribution},
    {ValueType::ProcessInstanceBatch, "PROCESS_INSTANCE_BATCH", kBatch},
    {ValueType::MessageBatch, "MESSAGE_BATCH", kMessageBatch},
    {ValueType::MessageCorrelation, "MESSAGE_CORRELATION", kMessageCorrelation},
    {ValueType::AsyncRequest, "ASYNC_REQUEST", kAsyncRequest},
    {ValueType::MultiInstance, "MULTI_INSTANCE", kMultiInstance},
};

const ValueTypeName* find(ValueType type) {
  for (const ValueTypeName& known : kValueTypes) {
    if (known.type == type) return &known;
  }
  return nullptr;
}

}  // namespace

std::span<const IntentName> intents_of(ValueType type) {
  const ValueTypeName* known = find(type);
  return known != nullptr ? known->intents : std::span<const IntentName>{};
}

std::span<const ValueType> all_value_types() {
  static constexpr auto kAll = [] {
    std::array<ValueType, std::size(kValueTypes)> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = kValueTypes[i].type;
    return all;
  }();
  return kAll;
}

bool is_known(ValueType type) {
  return find(type) != nullptr;
}

std::string_view name_of(ValueType type) {
  const ValueTypeName* known = find(type);
  return known != nullptr ? known->name : "UNKNOWN";
}

std::string_view intent_name(ValueType type, IntentNumber intent) {
  for (const IntentName& known : intents_of(type)) {
    if (known.number == intent) return known.name;
  }
  return "UNKNOWN";
}

}  // namespace beeline::record
