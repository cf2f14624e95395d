#include "record/enums.h"

#include <array>
#include <cstddef>

namespace beeline::record {
namespace {

template <typename Enum, std::size_t N>
std::string_view look_up(const std::array<std::string_view, N>& names, Enum value) {
  const auto index = static_cast<std::size_t>(value);
  return index < N ? names[index] : "UNKNOWN";
}

}  // namespace

std::string_view name_of(RecordType type) {
  static constexpr std::array<std::string_view, 3> kNames = {"EVENT", "COMMAND",
                                                             "COMMAND_REJECTION"};
  return look_up(kNames, type);
}

std::string_view name_of(RejectionType type) {
  if (type == RejectionType::None) return "NULL_VAL";
  static constexpr std::array<std::string_view, 8> kNames = {
      "INVALID_ARGUMENT", "NOT_FOUND",        "ALREADY_EXISTS",
      "INVALID_STATE",    "PROCESSING_ERROR", "EXCEEDED_BATCH_RECORD_SIZE",
      "UNAUTHORIZED",     "FORBIDDEN"};
  return look_up(kNames, type);
}

std::string_view name_of(ElementType type) {
  static constexpr std::array<std::string_view, 26> kNames = {"UNSPECIFIED",
                                                              "PROCESS",
                                                              "SUB_PROCESS",
                                                              "EVENT_SUB_PROCESS",
                                                              "AD_HOC_SUB_PROCESS",
                                                              "AD_HOC_SUB_PROCESS_INNER_INSTANCE",
                                                              "START_EVENT",
                                                              "INTERMEDIATE_CATCH_EVENT",
                                                              "INTERMEDIATE_THROW_EVENT",
                                                              "BOUNDARY_EVENT",
                                                              "END_EVENT",
                                                              "SERVICE_TASK",
                                                              "RECEIVE_TASK",
                                                              "USER_TASK",
                                                              "MANUAL_TASK",
                                                              "TASK",
                                                              "EXCLUSIVE_GATEWAY",
                                                              "PARALLEL_GATEWAY",
                                                              "EVENT_BASED_GATEWAY",
                                                              "INCLUSIVE_GATEWAY",
                                                              "SEQUENCE_FLOW",
                                                              "MULTI_INSTANCE_BODY",
                                                              "CALL_ACTIVITY",
                                                              "BUSINESS_RULE_TASK",
                                                              "SCRIPT_TASK",
                                                              "SEND_TASK"};
  return look_up(kNames, type);
}

std::string_view name_of(EventType type) {
  static constexpr std::array<std::string_view, 14> kNames = {
      "UNSPECIFIED",  "CONDITIONAL", "ERROR",    "ESCALATION",       "LINK",
      "MESSAGE",      "NONE",        "SIGNAL",   "TERMINATE",        "TIMER",
      "COMPENSATION", "CANCEL",      "MULTIPLE", "PARALLEL_MULTIPLE"};
  return look_up(kNames, type);
}

std::string_view name_of(JobKind kind) {
  static constexpr std::array<std::string_view, 4> kNames = {"BPMN_ELEMENT", "EXECUTION_LISTENER",
                                                             "TASK_LISTENER", "AD_HOC_SUB_PROCESS"};
  return look_up(kNames, kind);
}

std::string_view name_of(ErrorType type) {
  static constexpr std::array<std::string_view, 15> kNames = {"UNKNOWN",
                                                              "IO_MAPPING_ERROR",
                                                              "JOB_NO_RETRIES",
                                                              "EXECUTION_LISTENER_NO_RETRIES",
                                                              "TASK_LISTENER_NO_RETRIES",
                                                              "AD_HOC_SUB_PROCESS_NO_RETRIES",
                                                              "CONDITION_ERROR",
                                                              "EXTRACT_VALUE_ERROR",
                                                              "CALLED_ELEMENT_ERROR",
                                                              "UNHANDLED_ERROR_EVENT",
                                                              "MESSAGE_SIZE_EXCEEDED",
                                                              "CALLED_DECISION_ERROR",
                                                              "DECISION_EVALUATION_ERROR",
                                                              "FORM_NOT_FOUND",
                                                              "RESOURCE_NOT_FOUND"};
  return look_up(kNames, type);
}

std::string_view name_of(UpdateSemantics semantics) {
  static constexpr std::array<std::string_view, 2> kNames = {"PROPAGATE", "LOCAL"};
  return look_up(kNames, semantics);
}

std::string_view name_of(LoopType type) {
  static constexpr std::array<std::string_view, 2> kNames = {"MULTI_INSTANCE", "STANDARD"};
  return look_up(kNames, type);
}

std::string_view name_of(RuntimeInstructionType type) {
  static constexpr std::array<std::string_view, 1> kNames = {"TERMINATE_PROCESS_INSTANCE"};
  return look_up(kNames, type);
}

}  // namespace beeline::record
