#pragma once

#include <cstdint>
#include <string_view>

// The numbers of these enumerations are on disk and on the wire: numbers are added and never
// changed.
namespace beeline::record {

enum class RecordType : std::uint8_t { Event = 0, Command = 1, CommandRejection = 2 };

enum class RejectionType : std::uint8_t {
  InvalidArgument = 0,
  NotFound = 1,
  AlreadyExists = 2,
  InvalidState = 3,
  ProcessingError = 4,
  ExceededBatchRecordSize = 5,
  Unauthorized = 6,
  Forbidden = 7,
  None = 255,
};

enum class ElementType : std::uint8_t {
  Unspecified = 0,
  Process = 1,
  SubProcess = 2,
  EventSubProcess = 3,
  AdHocSubProcess = 4,
  AdHocSubProcessInnerInstance = 5,
  StartEvent = 6,
  IntermediateCatchEvent = 7,
  IntermediateThrowEvent = 8,
  BoundaryEvent = 9,
  EndEvent = 10,
  ServiceTask = 11,
  ReceiveTask = 12,
  UserTask = 13,
  ManualTask = 14,
  Task = 15,
  ExclusiveGateway = 16,
  ParallelGateway = 17,
  EventBasedGateway = 18,
  InclusiveGateway = 19,
  SequenceFlow = 20,
  MultiInstanceBody = 21,
  CallActivity = 22,
  BusinessRuleTask = 23,
  ScriptTask = 24,
  SendTask = 25,
};

enum class EventType : std::uint8_t {
  Unspecified = 0,
  Conditional = 1,
  Error = 2,
  Escalation = 3,
  Link = 4,
  Message = 5,
  None = 6,
  Signal = 7,
  Terminate = 8,
  Timer = 9,
  Compensation = 10,
  // The protocol does not have these.
  Cancel = 11,
  Multiple = 12,
  ParallelMultiple = 13,
};

enum class JobKind : std::uint8_t {
  BpmnElement = 0,
  ExecutionListener = 1,
  TaskListener = 2,
  AdHocSubProcess = 3,
};

enum class ErrorType : std::uint8_t {
  Unknown = 0,
  IoMappingError = 1,
  JobNoRetries = 2,
  ExecutionListenerNoRetries = 3,
  TaskListenerNoRetries = 4,
  AdHocSubProcessNoRetries = 5,
  ConditionError = 6,
  ExtractValueError = 7,
  CalledElementError = 8,
  UnhandledErrorEvent = 9,
  MessageSizeExceeded = 10,
  CalledDecisionError = 11,
  DecisionEvaluationError = 12,
  FormNotFound = 13,
  ResourceNotFound = 14,
};

enum class UpdateSemantics : std::uint8_t { Propagate = 0, Local = 1 };

// The kind of loop that makes an activity run again and again.
enum class LoopType : std::uint8_t { MultiInstance = 0, Standard = 1 };

enum class RuntimeInstructionType : std::uint8_t { TerminateProcessInstance = 0 };

// Return the names of the protocol: "SERVICE_TASK", "IO_MAPPING_ERROR". "UNKNOWN" for a number that
// this version does not know.
[[nodiscard]] std::string_view name_of(RecordType type);
[[nodiscard]] std::string_view name_of(RejectionType type);
[[nodiscard]] std::string_view name_of(ElementType type);
[[nodiscard]] std::string_view name_of(EventType type);
[[nodiscard]] std::string_view name_of(JobKind kind);
[[nodiscard]] std::string_view name_of(ErrorType type);
[[nodiscard]] std::string_view name_of(UpdateSemantics semantics);
[[nodiscard]] std::string_view name_of(LoopType type);
[[nodiscard]] std::string_view name_of(RuntimeInstructionType type);

}  // namespace beeline::record
