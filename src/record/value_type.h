#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "record/intents.h"

// Every value type: its enumerator, and the protocol's number and name, in the order of the
// numbers; those from 200 on are ours, beyond the protocol's. The rest follows from the enumerator:
// the value of a record of type Job is a JobRecord (see values.h), and its bytes are a message Job
// of proto/records.proto.
#define BEELINE_VALUE_TYPES(VALUE)                                             \
  VALUE(Job, 0, "JOB")                                                         \
  VALUE(Deployment, 4, "DEPLOYMENT")                                           \
  VALUE(ProcessInstance, 5, "PROCESS_INSTANCE")                                \
  VALUE(Incident, 6, "INCIDENT")                                               \
  VALUE(Message, 10, "MESSAGE")                                                \
  VALUE(MessageSubscription, 11, "MESSAGE_SUBSCRIPTION")                       \
  VALUE(ProcessMessageSubscription, 12, "PROCESS_MESSAGE_SUBSCRIPTION")        \
  VALUE(JobBatch, 14, "JOB_BATCH")                                             \
  VALUE(Timer, 15, "TIMER")                                                    \
  VALUE(MessageStartEventSubscription, 16, "MESSAGE_START_EVENT_SUBSCRIPTION") \
  VALUE(Variable, 17, "VARIABLE")                                              \
  VALUE(VariableDocument, 18, "VARIABLE_DOCUMENT")                             \
  VALUE(ProcessInstanceCreation, 19, "PROCESS_INSTANCE_CREATION")              \
  VALUE(Error, 20, "ERROR")                                                    \
  VALUE(ProcessInstanceResult, 21, "PROCESS_INSTANCE_RESULT")                  \
  VALUE(Process, 22, "PROCESS")                                                \
  VALUE(ProcessEvent, 24, "PROCESS_EVENT")                                     \
  VALUE(Decision, 25, "DECISION")                                              \
  VALUE(DecisionRequirements, 26, "DECISION_REQUIREMENTS")                     \
  VALUE(DecisionEvaluation, 27, "DECISION_EVALUATION")                         \
  VALUE(Escalation, 29, "ESCALATION")                                          \
  VALUE(SignalSubscription, 30, "SIGNAL_SUBSCRIPTION")                         \
  VALUE(Signal, 31, "SIGNAL")                                                  \
  VALUE(ResourceDeletion, 32, "RESOURCE_DELETION")                             \
  VALUE(CommandDistribution, 33, "COMMAND_DISTRIBUTION")                       \
  VALUE(ProcessInstanceBatch, 34, "PROCESS_INSTANCE_BATCH")                    \
  VALUE(MessageBatch, 35, "MESSAGE_BATCH")                                     \
  VALUE(CompensationSubscription, 39, "COMPENSATION_SUBSCRIPTION")             \
  VALUE(MessageCorrelation, 40, "MESSAGE_CORRELATION")                         \
  VALUE(AsyncRequest, 56, "ASYNC_REQUEST")                                     \
  VALUE(MultiInstance, 58, "MULTI_INSTANCE")                                   \
  VALUE(RuntimeInstruction, 59, "RUNTIME_INSTRUCTION")                         \
  VALUE(ConditionalSubscription, 63, "CONDITIONAL_SUBSCRIPTION")               \
  VALUE(ConditionalEvaluation, 64, "CONDITIONAL_EVALUATION")                   \
  VALUE(ComplexGateway, 200, "COMPLEX_GATEWAY")

namespace beeline::record {

enum class ValueType : std::uint8_t {
#define BEELINE_VALUE_ENUMERATOR(enumerator, number, name) enumerator = number,
  BEELINE_VALUE_TYPES(BEELINE_VALUE_ENUMERATOR)
#undef BEELINE_VALUE_ENUMERATOR
};

// The intents of a value type, in the order of the numbers.
[[nodiscard]] std::span<const IntentName> intents_of(ValueType type);
[[nodiscard]] std::span<const ValueType> all_value_types();
[[nodiscard]] bool is_known(ValueType type);

// Return "JOB", "COMPLETE". "UNKNOWN" for a number that this version does not know.
[[nodiscard]] std::string_view name_of(ValueType type);
[[nodiscard]] std::string_view intent_name(ValueType type, IntentNumber intent);

}  // namespace beeline::record
