#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "record/enums.h"

// What kinds of value a record carries and what can be said of each. The numbers are the
// protocol's.
namespace beeline::record {

enum class ValueType : std::uint8_t {
  Job = 0,
  Deployment = 4,
  ProcessInstance = 5,
  Incident = 6,
  Message = 10,
  MessageSubscription = 11,
  ProcessMessageSubscription = 12,
  JobBatch = 14,
  Timer = 15,
  MessageStartEventSubscription = 16,
  Variable = 17,
  VariableDocument = 18,
  ProcessInstanceCreation = 19,
  Error = 20,
  ProcessInstanceResult = 21,
  Process = 22,
  ProcessEvent = 24,
  Decision = 25,
  DecisionRequirements = 26,
  DecisionEvaluation = 27,
  ResourceDeletion = 32,
  CommandDistribution = 33,
  ProcessInstanceBatch = 34,
  MessageBatch = 35,
  MessageCorrelation = 40,
  AsyncRequest = 56,
  MultiInstance = 58,
};

// The intent of a record as it stands in the header; each value type has its own enumeration.
using IntentNumber = std::uint8_t;

enum class JobIntent : IntentNumber {
  Created = 0,
  Complete = 1,
  Completed = 2,
  TimeOut = 3,
  TimedOut = 4,
  Fail = 5,
  Failed = 6,
  UpdateRetries = 7,
  RetriesUpdated = 8,
  Cancel = 9,
  Canceled = 10,
  ThrowError = 11,
  ErrorThrown = 12,
  RecurAfterBackoff = 13,
  RecurredAfterBackoff = 14,
  Yield = 15,
  Yielded = 16,
  UpdateTimeout = 17,
  TimeoutUpdated = 18,
};

enum class DeploymentIntent : IntentNumber { Create = 0, Created = 1 };

enum class ProcessInstanceIntent : IntentNumber {
  Cancel = 0,
  SequenceFlowTaken = 1,
  ElementActivating = 2,
  ElementActivated = 3,
  ElementCompleting = 4,
  ElementCompleted = 5,
  ElementTerminating = 6,
  ElementTerminated = 7,
  ActivateElement = 8,
  CompleteElement = 9,
  TerminateElement = 10,
  Canceling = 16,
};

enum class IncidentIntent : IntentNumber { Created = 0, Resolve = 1, Resolved = 2 };
enum class MessageIntent : IntentNumber { Publish = 0, Published = 1, Expire = 2, Expired = 3 };
enum class MessageSubscriptionIntent : IntentNumber {
  Create = 0,
  Created = 1,
  Correlate = 2,
  Correlated = 3,
  Reject = 4,
  Rejected = 5,
  Delete = 6,
  Deleted = 7,
  Correlating = 8,
};
enum class ProcessMessageSubscriptionIntent : IntentNumber {
  Creating = 0,
  Create = 1,
  Created = 2,
  Correlate = 3,
  Correlated = 4,
  Deleting = 5,
  Delete = 6,
  Deleted = 7,
};
enum class JobBatchIntent : IntentNumber { Activate = 0, Activated = 1 };
enum class TimerIntent : IntentNumber {
  Created = 0,
  Trigger = 1,
  Triggered = 2,
  Cancel = 3,
  Canceled = 4,
};
enum class MessageStartEventSubscriptionIntent : IntentNumber {
  Created = 0,
  Correlated = 1,
  Deleted = 2,
};
enum class VariableIntent : IntentNumber { Created = 0, Updated = 1 };
enum class VariableDocumentIntent : IntentNumber { Update = 0, Updated = 1 };
enum class ProcessInstanceCreationIntent : IntentNumber {
  Create = 0,
  Created = 1,
  CreateWithAwaitingResult = 2,
};
enum class ErrorIntent : IntentNumber { Created = 0 };
enum class ProcessInstanceResultIntent : IntentNumber { Completed = 0 };
enum class ProcessIntent : IntentNumber {
  Created = 0,
  Deleting = 1,
  Deleted = 2,
  Draining = 3,
  DeleteComplete = 4,
  DeleteCompleted = 5,
  FullyDeleted = 6,
};
enum class ProcessEventIntent : IntentNumber { Triggering = 0, Triggered = 1 };
enum class DecisionIntent : IntentNumber { Created = 0, Deleted = 1 };
enum class DecisionRequirementsIntent : IntentNumber { Created = 0, Deleted = 1 };
enum class DecisionEvaluationIntent : IntentNumber { Evaluated = 0, Failed = 1, Evaluate = 2 };
enum class ProcessInstanceBatchIntent : IntentNumber {
  Terminate = 0,
  Activate = 1,
  Terminated = 2,
  Activated = 3,
};
enum class ResourceDeletionIntent : IntentNumber { Delete = 0, Deleting = 1, Deleted = 2 };
// RECEIVED, TIME_OUT and TIMED_OUT are ours; their numbers leave the protocol room to grow.
enum class CommandDistributionIntent : IntentNumber {
  Started = 0,
  Distributing = 1,
  Acknowledge = 2,
  Acknowledged = 3,
  Finished = 4,
  Enqueued = 5,
  Finish = 8,
  Received = 20,
  TimeOut = 21,
  TimedOut = 22,
};
enum class MessageBatchIntent : IntentNumber { Expire = 0, Correlate = 1, Start = 2 };
enum class MessageCorrelationIntent : IntentNumber {
  Correlate = 1,
  Correlating = 2,
  Correlated = 3,
  NotCorrelated = 4,
  CandidatesChanged = 5,
};
enum class AsyncRequestIntent : IntentNumber { Received = 0, Processed = 1 };
enum class MultiInstanceIntent : IntentNumber { InputCollectionEvaluated = 0, OutputCollected = 1 };

struct IntentName {
  IntentNumber number;
  std::string_view name;
  RecordType written_as;  // Command or Event
};

// All that can be said of a value type, in the order of the numbers.
[[nodiscard]] std::span<const IntentName> intents_of(ValueType type);
[[nodiscard]] std::span<const ValueType> all_value_types();
[[nodiscard]] bool is_known(ValueType type);

// "JOB", "COMPLETE". "UNKNOWN" for a number this version does not know.
[[nodiscard]] std::string_view name_of(ValueType type);
[[nodiscard]] std::string_view intent_name(ValueType type, IntentNumber intent);

}  // namespace beeline::record
