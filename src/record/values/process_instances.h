#pragma once

#include "record/values/common.h"

// Process instances and their elements: creation, life, result.
namespace beeline::record {

// Fields that only records of activation have: the paths on ELEMENT_ACTIVATING, the tags on records
// of a process. Without calls, and within a few scopes, the paths need no allocation.
struct ActivationPart {
  absl::InlinedVector<KeyPath, 1> element_instance_path;
  absl::InlinedVector<Key, 2> process_definition_path;
  absl::InlinedVector<std::int32_t, 2> calling_element_path;
  std::vector<std::string> tags;
  bool operator==(const ActivationPart&) const = default;
  // The numbers are those of the record that it is a part of.
  static constexpr auto fields() {
    using T = ActivationPart;
    return std::tuple{field(13, "elementInstancePath", &T::element_instance_path),
                      field(14, "processDefinitionPath", &T::process_definition_path),
                      field(15, "callingElementPath", &T::calling_element_path),
                      field(16, "tags", &T::tags)};
  }
};

#define BEELINE_PROCESS_INSTANCE_INTENTS(COMMAND, EVENT)  \
  COMMAND(Cancel, 0, "CANCEL")                            \
  EVENT(SequenceFlowTaken, 1, "SEQUENCE_FLOW_TAKEN")      \
  EVENT(ElementActivating, 2, "ELEMENT_ACTIVATING")       \
  EVENT(ElementActivated, 3, "ELEMENT_ACTIVATED")         \
  EVENT(ElementCompleting, 4, "ELEMENT_COMPLETING")       \
  EVENT(ElementCompleted, 5, "ELEMENT_COMPLETED")         \
  EVENT(ElementTerminating, 6, "ELEMENT_TERMINATING")     \
  EVENT(ElementTerminated, 7, "ELEMENT_TERMINATED")       \
  COMMAND(ActivateElement, 8, "ACTIVATE_ELEMENT")         \
  COMMAND(CompleteElement, 9, "COMPLETE_ELEMENT")         \
  COMMAND(TerminateElement, 10, "TERMINATE_ELEMENT")      \
  EVENT(SequenceFlowDeleted, 15, "SEQUENCE_FLOW_DELETED") \
  EVENT(Canceling, 16, "CANCELING")
BEELINE_INTENTS(ProcessInstanceIntent, BEELINE_PROCESS_INSTANCE_INTENTS);

template <typename Text>
struct BasicProcessInstanceRecord {
  static constexpr ValueType kType = ValueType::ProcessInstance;
  using Intent = ProcessInstanceIntent;

  Text bpmn_process_id;
  std::int32_t version = -1;
  Key process_definition_key;
  Key process_instance_key;
  Text element_id;
  ElementType element_type = ElementType::Unspecified;
  EventType event_type = EventType::Unspecified;
  Key flow_scope_key;
  Key parent_process_instance_key;
  Key parent_element_instance_key;
  Text tenant_id{kDefaultTenant};
  Key root_process_instance_key;
  Rare<ActivationPart> activation;
  // The place of the element in its model, if the maker of the value knows it. Not on the log.
  std::int32_t element_place = -1;
  bool operator==(const BasicProcessInstanceRecord&) const = default;
  static constexpr auto kSubject = &BasicProcessInstanceRecord::element_id;
  static constexpr Owner kOwner = Owner::Element;
  static constexpr auto fields() {
    using T = BasicProcessInstanceRecord;
    return std::tuple{
        field(1, "bpmnProcessId", &T::bpmn_process_id),
        field(2, "version", &T::version),
        field(3, "processDefinitionKey", &T::process_definition_key),
        field(4, "processInstanceKey", &T::process_instance_key),
        field(5, "elementId", &T::element_id),
        field(6, "bpmnElementType", &T::element_type),
        field(7, "bpmnEventType", &T::event_type),
        field(8, "flowScopeKey", &T::flow_scope_key),
        field(9, "parentProcessInstanceKey", &T::parent_process_instance_key),
        field(10, "parentElementInstanceKey", &T::parent_element_instance_key),
        field(11, "tenantId", &T::tenant_id),
        field(12, "rootProcessInstanceKey", &T::root_process_instance_key),
        field(13, "elementInstancePath", &T::activation, &ActivationPart::element_instance_path),
        field(14, "processDefinitionPath", &T::activation,
              &ActivationPart::process_definition_path),
        field(15, "callingElementPath", &T::activation, &ActivationPart::calling_element_path),
        field(16, "tags", &T::activation, &ActivationPart::tags)};
  }
};
using ProcessInstanceRecord = BasicProcessInstanceRecord<std::string>;
using ProcessInstanceView = BasicProcessInstanceRecord<std::string_view>;

// A field of an instance creation: an element to start at instead of the start event.
struct StartInstruction {
  static constexpr std::string_view kSchemaName = "StartInstruction";

  std::string element_id;
  bool operator==(const StartInstruction&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "elementId", &StartInstruction::element_id)};
  }
};

// A field of an instance creation: what is to happen after an element of the instance has ended.
struct RuntimeInstruction {
  static constexpr std::string_view kSchemaName = "CreationRuntimeInstruction";

  RuntimeInstructionType type = RuntimeInstructionType::TerminateProcessInstance;
  std::string after_element_id;
  bool operator==(const RuntimeInstruction&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "type", &RuntimeInstruction::type),
                      field(2, "afterElementId", &RuntimeInstruction::after_element_id)};
  }
};

#define BEELINE_PROCESS_INSTANCE_CREATION_INTENTS(COMMAND, EVENT) \
  COMMAND(Create, 0, "CREATE")                                    \
  EVENT(Created, 1, "CREATED")                                    \
  COMMAND(CreateWithAwaitingResult, 2, "CREATE_WITH_AWAITING_RESULT")
BEELINE_INTENTS(ProcessInstanceCreationIntent, BEELINE_PROCESS_INSTANCE_CREATION_INTENTS);

template <typename Text>
struct BasicProcessInstanceCreationRecord {
  static constexpr ValueType kType = ValueType::ProcessInstanceCreation;
  using Intent = ProcessInstanceCreationIntent;

  Text bpmn_process_id;
  std::int32_t version = -1;  // -1 is the latest
  Key process_definition_key;
  DocumentOf<Text> variables;
  Key process_instance_key;
  std::vector<std::string> fetch_variables;
  std::vector<StartInstruction> start_instructions;
  std::vector<std::string> tags;
  Text tenant_id{kDefaultTenant};
  std::uint64_t awaited_by = 0;  // the request that waits for the end of the instance
  std::vector<RuntimeInstruction> runtime_instructions;
  bool operator==(const BasicProcessInstanceCreationRecord&) const = default;
  static constexpr auto kSubject = &BasicProcessInstanceCreationRecord::bpmn_process_id;
  static constexpr Owner kOwner = Owner::Nobody;

  // Before version 2, an instance always began at its start event.
  static constexpr std::uint16_t version_of(Intent intent) {
    return intent == Intent::Created ? 2 : 1;
  }

  static constexpr auto fields() {
    using T = BasicProcessInstanceCreationRecord;
    return std::tuple{field(1, "bpmnProcessId", &T::bpmn_process_id),
                      field(2, "version", &T::version),
                      field(3, "processDefinitionKey", &T::process_definition_key),
                      field(4, "variables", &T::variables),
                      field(5, "processInstanceKey", &T::process_instance_key),
                      field(6, "fetchVariables", &T::fetch_variables),
                      field(7, "startInstructions", &T::start_instructions),
                      field(8, "tags", &T::tags),
                      field(9, "tenantId", &T::tenant_id),
                      field(10, "awaitedBy", &T::awaited_by),
                      field(11, "runtimeInstructions", &T::runtime_instructions)};
  }
};
using ProcessInstanceCreationRecord = BasicProcessInstanceCreationRecord<std::string>;
using ProcessInstanceCreationView = BasicProcessInstanceCreationRecord<std::string_view>;

#define BEELINE_PROCESS_INSTANCE_RESULT_INTENTS(COMMAND, EVENT) EVENT(Completed, 0, "COMPLETED")
BEELINE_INTENTS(ProcessInstanceResultIntent, BEELINE_PROCESS_INSTANCE_RESULT_INTENTS);

// A response only; it is never on the log.
struct ProcessInstanceResultRecord {
  static constexpr ValueType kType = ValueType::ProcessInstanceResult;
  using Intent = ProcessInstanceResultIntent;

  std::string bpmn_process_id;
  std::int32_t version = -1;
  Key process_definition_key;
  Key process_instance_key;
  Document variables;
  std::vector<std::string> tags;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const ProcessInstanceResultRecord&) const = default;
  static constexpr NoSubject kSubject{};
  static constexpr Owner kOwner = Owner::Nobody;
  static constexpr auto fields() {
    using T = ProcessInstanceResultRecord;
    return std::tuple{field(1, "bpmnProcessId", &T::bpmn_process_id),
                      field(2, "version", &T::version),
                      field(3, "processDefinitionKey", &T::process_definition_key),
                      field(4, "processInstanceKey", &T::process_instance_key),
                      field(5, "variables", &T::variables),
                      field(6, "tags", &T::tags),
                      field(7, "tenantId", &T::tenant_id)};
  }
};

#define BEELINE_PROCESS_INSTANCE_BATCH_INTENTS(COMMAND, EVENT) \
  COMMAND(Terminate, 0, "TERMINATE")                           \
  COMMAND(Activate, 1, "ACTIVATE")                             \
  EVENT(Terminated, 2, "TERMINATED")                           \
  EVENT(Activated, 3, "ACTIVATED")
BEELINE_INTENTS(ProcessInstanceBatchIntent, BEELINE_PROCESS_INSTANCE_BATCH_INTENTS);

struct ProcessInstanceBatchRecord {
  static constexpr ValueType kType = ValueType::ProcessInstanceBatch;
  using Intent = ProcessInstanceBatchIntent;

  Key process_instance_key;
  Key batch_element_instance_key;
  // TERMINATE: the first child key to look at; ACTIVATE: how many children are still to be made.
  std::int64_t index = -1;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const ProcessInstanceBatchRecord&) const = default;
  static constexpr NoSubject kSubject{};
  static constexpr Owner kOwner = Owner::Instance;
  static constexpr auto fields() {
    using T = ProcessInstanceBatchRecord;
    return std::tuple{field(1, "processInstanceKey", &T::process_instance_key),
                      field(2, "batchElementInstanceKey", &T::batch_element_instance_key),
                      field(3, "index", &T::index), field(4, "tenantId", &T::tenant_id)};
  }
};

// LOOP_MAXIMUM_EVALUATED is ours; its number leaves the protocol room to grow.
#define BEELINE_MULTI_INSTANCE_INTENTS(COMMAND, EVENT)             \
  EVENT(InputCollectionEvaluated, 0, "INPUT_COLLECTION_EVALUATED") \
  EVENT(OutputCollected, 1, "OUTPUT_COLLECTED")                    \
  EVENT(LoopMaximumEvaluated, 32, "LOOP_MAXIMUM_EVALUATED")
BEELINE_INTENTS(MultiInstanceIntent, BEELINE_MULTI_INSTANCE_INTENTS);

// The items of a multi-instance activity, fixed when it begins; or how often an activity with a
// standard loop may run.
struct MultiInstanceRecord {
  static constexpr ValueType kType = ValueType::MultiInstance;
  using Intent = MultiInstanceIntent;

  std::vector<std::string> input_collection;  // the JSON of each item
  Key process_instance_key;
  Key process_definition_key;
  std::string tenant_id{kDefaultTenant};
  std::int32_t index = 0;  // OUTPUT_COLLECTED: number of the item, from 1
  std::string value;       // and the JSON of its result
  LoopType loop_type = LoopType::MultiInstance;
  std::int32_t loop_maximum = -1;  // LOOP_MAXIMUM_EVALUATED: -1 if the loop has no maximum
  bool operator==(const MultiInstanceRecord&) const = default;
  static constexpr NoSubject kSubject{};
  static constexpr Owner kOwner = Owner::Nobody;
  static constexpr auto fields() {
    using T = MultiInstanceRecord;
    return std::tuple{field(1, "inputCollection", &T::input_collection),
                      field(2, "processInstanceKey", &T::process_instance_key),
                      field(3, "processDefinitionKey", &T::process_definition_key),
                      field(4, "tenantId", &T::tenant_id),
                      field(5, "index", &T::index),
                      field(6, "value", &T::value),
                      field(7, "loopType", &T::loop_type),
                      field(8, "loopMaximum", &T::loop_maximum)};
  }
};

#define BEELINE_COMPLEX_GATEWAY_INTENTS(COMMAND, EVENT) EVENT(Reset, 0, "RESET")
BEELINE_INTENTS(ComplexGatewayIntent, BEELINE_COMPLEX_GATEWAY_INTENTS);

// A complex gateway that begins its next round, although not all of its flows have delivered.
struct ComplexGatewayRecord {
  static constexpr ValueType kType = ValueType::ComplexGateway;
  using Intent = ComplexGatewayIntent;

  std::string element_id;
  Key flow_scope_key;
  Key process_instance_key;
  Key process_definition_key;
  std::string bpmn_process_id;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const ComplexGatewayRecord&) const = default;
  static constexpr auto kSubject = &ComplexGatewayRecord::element_id;
  static constexpr Owner kOwner = Owner::Nobody;
  static constexpr auto fields() {
    using T = ComplexGatewayRecord;
    return std::tuple{field(1, "elementId", &T::element_id),
                      field(2, "flowScopeKey", &T::flow_scope_key),
                      field(3, "processInstanceKey", &T::process_instance_key),
                      field(4, "processDefinitionKey", &T::process_definition_key),
                      field(5, "bpmnProcessId", &T::bpmn_process_id),
                      field(6, "tenantId", &T::tenant_id)};
  }
};

#define BEELINE_RUNTIME_INSTRUCTION_INTENTS(COMMAND, EVENT) EVENT(Interrupted, 0, "INTERRUPTED")
BEELINE_INTENTS(RuntimeInstructionIntent, BEELINE_RUNTIME_INSTRUCTION_INTENTS);

// A run-time instruction that takes effect.
struct RuntimeInstructionRecord {
  static constexpr ValueType kType = ValueType::RuntimeInstruction;
  using Intent = RuntimeInstructionIntent;

  std::string element_id;  // the element that has ended
  Key process_instance_key;
  Key process_definition_key;
  std::string bpmn_process_id;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const RuntimeInstructionRecord&) const = default;
  static constexpr auto kSubject = &RuntimeInstructionRecord::element_id;
  static constexpr Owner kOwner = Owner::Nobody;
  static constexpr auto fields() {
    using T = RuntimeInstructionRecord;
    return std::tuple{field(1, "elementId", &T::element_id),
                      field(2, "processInstanceKey", &T::process_instance_key),
                      field(3, "processDefinitionKey", &T::process_definition_key),
                      field(4, "bpmnProcessId", &T::bpmn_process_id),
                      field(5, "tenantId", &T::tenant_id)};
  }
};

}  // namespace beeline::record
