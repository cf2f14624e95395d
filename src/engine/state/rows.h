#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "record/document.h"
#include "record/enums.h"
#include "record/field.h"
#include "record/values.h"

// The rows of the engine's tables. Each has one field list, like a record, and is stored in the
// same wire form, so the same rules apply: numbers are never reused, fields are only added.
namespace beeline::engine {

using record::field;

enum class ElementState : std::uint8_t {
  Activating = 0,
  Activated = 1,
  Completing = 2,
  Completed = 3,
  Terminating = 4,
  Terminated = 5,
};
[[nodiscard]] std::string_view name_of(ElementState state);

// How often a sequence flow was taken; a flow is identified by its place in the model.
struct FlowCount {
  std::int32_t flow = -1;
  std::int32_t count = 0;
  bool operator==(const FlowCount&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "flow", &FlowCount::flow), field(2, "count", &FlowCount::count)};
  }
};

// Counters that most elements never need.
struct LoopCounters {
  std::int32_t loop_counter = 0;         // in an inner instance: its number, from 1 on
  std::int32_t number_of_instances = 0;  // in a body: the number of instances created
  std::int32_t completed = 0;
  std::int32_t terminated = 0;
  bool operator==(const LoopCounters&) const = default;
  static constexpr auto fields() {
    using T = LoopCounters;
    return std::tuple{field(1, "loopCounter", &T::loop_counter),
                      field(2, "numberOfInstances", &T::number_of_instances),
                      field(3, "completed", &T::completed), field(4, "terminated", &T::terminated)};
  }
};

// An element instance. Names of the process and the element follow from the definition. There are
// millions, so the order of the members leaves no holes.
struct ElementInstanceRow {
  ElementState state = ElementState::Activating;
  bool accepts_events = true;
  bool event_interrupted = false;  // an interrupting event has been triggered
  // In a process: a client has canceled it. In a transaction: its cancel end event is at work.
  bool is_canceling = false;
  std::int32_t element = -1;  // the place in the model
  Key process_definition_key;
  Key process_instance_key;
  Key flow_scope_key;
  Key parent_process_instance_key;  // in a called process: the caller
  Key parent_element_instance_key;
  Key root_process_instance_key;
  std::int32_t child_count = 0;
  std::int32_t active_flow_count = 0;
  std::vector<FlowCount> active_flows;  // flows taken whose target is not activated yet
  std::vector<FlowCount> taken_flows;   // flows into joins that were not consumed yet
  std::int32_t interrupted_by = -1;     // the place of the element that interrupted this scope
  std::int32_t depth = 1;               // the depth of calls
  Key job_key;
  Key called_instance_key;
  LoopCounters loop;
  bool operator==(const ElementInstanceRow&) const = default;
  static constexpr auto fields() {
    using T = ElementInstanceRow;
    return std::tuple{field(1, "state", &T::state),
                      field(2, "processDefinitionKey", &T::process_definition_key),
                      field(3, "processInstanceKey", &T::process_instance_key),
                      field(4, "element", &T::element),
                      field(5, "flowScopeKey", &T::flow_scope_key),
                      field(6, "parentProcessInstanceKey", &T::parent_process_instance_key),
                      field(7, "parentElementInstanceKey", &T::parent_element_instance_key),
                      field(8, "rootProcessInstanceKey", &T::root_process_instance_key),
                      field(9, "childCount", &T::child_count),
                      field(10, "activeFlowCount", &T::active_flow_count),
                      field(11, "activeFlows", &T::active_flows),
                      field(12, "takenFlows", &T::taken_flows),
                      field(13, "interruptedBy", &T::interrupted_by),
                      field(14, "jobKey", &T::job_key),
                      field(15, "calledInstanceKey", &T::called_instance_key),
                      field(16, "acceptsEvents", &T::accepts_events),
                      field(17, "eventInterrupted", &T::event_interrupted),
                      field(18, "isCanceling", &T::is_canceling),
                      field(19, "depth", &T::depth),
                      field(20, "loop", &T::loop)};
  }
};

struct StoredVariable {
  std::string name;
  std::string value;
  Key key;
  bool operator==(const StoredVariable&) const = default;
  static constexpr auto fields() {
    using T = StoredVariable;
    return std::tuple{field(1, "name", &T::name), field(2, "value", &T::value),
                      field(3, "key", &T::key)};
  }
};

// The variables of one scope. One row contains all of them: they are read, copied and deleted
// together, and a scope has a handful.
struct VariableScopeRow {
  Key parent_scope_key;
  // By name; use for_each_variable to walk them. If there are many, a new one that belongs in the
  // middle joins the last `unmerged`, which have their own order, and these are merged from time to
  // time: moving half of ten thousand for each new one would stall the partition.
  std::vector<StoredVariable> variables;
  std::uint32_t unmerged = 0;  // not stored: a stored row has all in order
  bool operator==(const VariableScopeRow&) const = default;
  static constexpr auto fields() {
    using T = VariableScopeRow;
    return std::tuple{field(1, "parentScopeKey", &T::parent_scope_key),
                      field(2, "variables", &T::variables)};
  }
};

// Calls `visit(variable)` in the order of names.
template <typename Visit>
inline void for_each_variable(const VariableScopeRow& row, Visit&& visit) {
  if (row.unmerged == 0) {
    for (const StoredVariable& variable : row.variables) visit(variable);
    return;
  }
  const auto middle = row.variables.end() - static_cast<std::ptrdiff_t>(row.unmerged);
  auto late = middle;
  for (auto it = row.variables.begin(); it != middle; ++it) {
    for (; late != row.variables.end() && late->name < it->name; ++late) visit(*late);
    visit(*it);
  }
  for (; late != row.variables.end(); ++late) visit(*late);
}

enum class JobState : std::uint8_t { Activatable = 0, Activated = 1, Failed = 2, ErrorThrown = 3 };
[[nodiscard]] std::string_view name_of(JobState state);

// A job. Data that it shares with its element instance is looked up there.
struct JobRow {
  JobState state = JobState::Activatable;
  std::string type;
  Key element_instance_key;
  std::int32_t retries = 0;
  std::int32_t priority = 0;
  Timestamp deadline{-1};
  Timestamp recurring_time{-1};
  std::string worker;
  std::string error_message;
  std::string error_code;
  bool is_too_large = false;  // if true, it is not handed out until its incident is resolved
  record::Headers headers;
  std::vector<std::string> tags;
  std::string tenant_id{record::kDefaultTenant};
  bool operator==(const JobRow&) const = default;
  static constexpr auto fields() {
    using T = JobRow;
    return std::tuple{field(1, "state", &T::state),
                      field(2, "type", &T::type),
                      field(3, "elementInstanceKey", &T::element_instance_key),
                      field(4, "retries", &T::retries),
                      field(5, "priority", &T::priority),
                      field(6, "deadline", &T::deadline),
                      field(7, "recurringTime", &T::recurring_time),
                      field(8, "worker", &T::worker),
                      field(9, "errorMessage", &T::error_message),
                      field(10, "errorCode", &T::error_code),
                      field(11, "isTooLarge", &T::is_too_large),
                      field(12, "headers", &T::headers),
                      field(13, "tags", &T::tags),
                      field(14, "tenantId", &T::tenant_id)};
  }
};

struct IncidentRow {
  record::IncidentRecord record;
  bool operator==(const IncidentRow&) const = default;
  static constexpr auto fields() { return std::tuple{field(1, "record", &IncidentRow::record)}; }
};

// Draining: it is to be deleted, and instances still need it. Deleted: only banned instances need
// it.
enum class DefinitionState : std::uint8_t { Active = 0, Draining = 1, Deleted = 2 };
[[nodiscard]] std::string_view name_of(DefinitionState state);

struct ProcessRow {
  record::ProcessRecord record;
  DefinitionState state = DefinitionState::Active;
  bool operator==(const ProcessRow&) const = default;
  static constexpr auto fields() {
    using T = ProcessRow;
    return std::tuple{field(1, "record", &T::record), field(2, "state", &T::state)};
  }
};

// A process that is being deleted, with the partitions that still have it. Exists on the partition
// where the deletion began.
struct ProcessDeletionRow {
  std::vector<std::int32_t> partitions;
  bool operator==(const ProcessDeletionRow&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "partitions", &ProcessDeletionRow::partitions)};
  }
};

struct DecisionRequirementsRow {
  record::DecisionRequirementsRecord record;
  bool operator==(const DecisionRequirementsRow&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "record", &DecisionRequirementsRow::record)};
  }
};

struct DecisionRow {
  record::DecisionRecord record;
  bool operator==(const DecisionRow&) const = default;
  static constexpr auto fields() { return std::tuple{field(1, "record", &DecisionRow::record)}; }
};

struct Trigger {
  Key key;
  std::string target_element_id;
  record::Document variables;
  std::string event_definition_id;  // in a multiple event
  bool operator==(const Trigger&) const = default;
  static constexpr auto fields() {
    using T = Trigger;
    return std::tuple{field(1, "key", &T::key), field(2, "targetElementId", &T::target_element_id),
                      field(3, "variables", &T::variables),
                      field(4, "eventDefinitionId", &T::event_definition_id)};
  }
};

// The triggers of an element instance that have not been used yet, in the order of keys.
struct TriggersRow {
  std::vector<Trigger> triggers;
  // Triggers of parallel-multiple events that wait for the triggers of the other definitions.
  std::vector<Trigger> collected;
  bool operator==(const TriggersRow&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "triggers", &TriggersRow::triggers),
                      field(2, "collected", &TriggersRow::collected)};
  }
};

// A client that waits for the end of a process instance.
struct AwaitedResultRow {
  std::uint64_t request_id = 0;
  std::vector<std::string> fetch_variables;
  bool operator==(const AwaitedResultRow&) const = default;
  static constexpr auto fields() {
    using T = AwaitedResultRow;
    return std::tuple{field(1, "requestId", &T::request_id),
                      field(2, "fetchVariables", &T::fetch_variables)};
  }
};

// A process instance that met a bug: only commands that end it are processed.
struct BannedRow {
  std::int64_t since = 0;  // position of the error event
  bool operator==(const BannedRow&) const = default;
  static constexpr auto fields() { return std::tuple{field(1, "since", &BannedRow::since)}; }
};

struct TimerRow {
  record::TimerRecord record;
  bool operator==(const TimerRow&) const = default;
  static constexpr auto fields() { return std::tuple{field(1, "record", &TimerRow::record)}; }
};

struct TagsRow {
  std::vector<std::string> tags;
  bool operator==(const TagsRow&) const = default;
  static constexpr auto fields() { return std::tuple{field(1, "tags", &TagsRow::tags)}; }
};

// A process instance that ends after one of these elements.
struct RuntimeInstructionsRow {
  std::vector<std::string> after_element_ids;
  bool is_interrupted = false;  // one of them has ended; the instance is about to be terminated
  bool operator==(const RuntimeInstructionsRow&) const = default;
  static constexpr auto fields() {
    using T = RuntimeInstructionsRow;
    return std::tuple{field(1, "afterElementIds", &T::after_element_ids),
                      field(2, "isInterrupted", &T::is_interrupted)};
  }
};

// The flows that have delivered in the current rounds of the complex gateways of a scope: of each
// gateway that has fired and waits for tokens of its other flows. In the order of their places.
struct GatewayRoundsRow {
  std::vector<std::int32_t> delivered_flows;
  bool operator==(const GatewayRoundsRow&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "deliveredFlows", &GatewayRoundsRow::delivered_flows)};
  }
};

// A completed activity that can be compensated, or is being compensated.
struct CompensationSubscriptionRow {
  record::CompensationSubscriptionRecord record;
  bool operator==(const CompensationSubscriptionRow&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "record", &CompensationSubscriptionRow::record)};
  }
};

// The items of a multi-instance body: the JSON of each item.
struct InputCollectionRow {
  std::vector<std::string> items;
  bool operator==(const InputCollectionRow&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "items", &InputCollectionRow::items)};
  }
};

// The output of one item of a multi-instance body: JSON.
struct OutputItemRow {
  std::string value;
  bool operator==(const OutputItemRow&) const = default;
  static constexpr auto fields() { return std::tuple{field(1, "value", &OutputItemRow::value)}; }
};

// A command on its way to the other partitions.
struct DistributionRow {
  record::ValueType value_type = record::ValueType::Job;
  std::int32_t intent = 0;
  std::string value;  // the value of the command, in wire form
  std::string queue;
  std::uint64_t awaited_by = 0;        // the request that is answered when all have it, or when its
  Timestamp answer_by{-1};             // time has come
  std::int64_t result = 0;             // the sum of what targets reported
  record::EncodedPrincipal principal;  // the sender of the command
  bool operator==(const DistributionRow&) const = default;
  static constexpr auto fields() {
    using T = DistributionRow;
    return std::tuple{field(1, "valueType", &T::value_type), field(2, "intent", &T::intent),
                      field(3, "value", &T::value),          field(4, "queue", &T::queue),
                      field(5, "awaitedBy", &T::awaited_by), field(6, "answerBy", &T::answer_by),
                      field(7, "result", &T::result),        field(8, "principal", &T::principal)};
  }
};

// A partition that has not acknowledged a distributed command.
struct DistributionTargetRow {
  bool is_sent = false;  // otherwise it waits for its turn in the queue
  std::string queue;
  bool operator==(const DistributionTargetRow&) const = default;
  static constexpr auto fields() {
    using T = DistributionTargetRow;
    return std::tuple{field(1, "isSent", &T::is_sent), field(2, "queue", &T::queue)};
  }
};

// A command of another partition that was carried out here.
struct ReceivedDistributionRow {
  std::int64_t result = 0;
  bool operator==(const ReceivedDistributionRow&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "result", &ReceivedDistributionRow::result)};
  }
};

// Every command of a partition below this key counts as received.
struct DistributionFloorRow {
  Key key;
  bool operator==(const DistributionFloorRow&) const = default;
  static constexpr auto fields() { return std::tuple{field(1, "key", &DistributionFloorRow::key)}; }
};

// A message that can still be correlated.
struct MessageRow {
  record::MessageRecord record;
  bool operator==(const MessageRow&) const = default;
  static constexpr auto fields() { return std::tuple{field(1, "record", &MessageRow::record)}; }
};

// The processes that have received a buffered message. The row is separate from the message, so
// adding a process does not copy the message's variables.
struct MessageMarksRow {
  std::vector<std::string> bpmn_process_ids;
  bool operator==(const MessageMarksRow&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "bpmnProcessIds", &MessageMarksRow::bpmn_process_ids)};
  }
};

// The message's side of a subscription.
struct MessageSubscriptionRow {
  record::MessageSubscriptionRecord record;
  bool is_correlating = false;  // a message is on its way to the instance
  bool operator==(const MessageSubscriptionRow&) const = default;
  static constexpr auto fields() {
    using T = MessageSubscriptionRow;
    return std::tuple{field(1, "record", &T::record),
                      field(2, "isCorrelating", &T::is_correlating)};
  }
};

enum class SubscriptionState : std::uint8_t { Opening = 0, Opened = 1, Closing = 2 };
[[nodiscard]] std::string_view name_of(SubscriptionState state);

// The instance's side of a subscription. It may outlive its element instance while it waits for
// the other side to be closed.
struct ProcessMessageSubscriptionRow {
  record::ProcessMessageSubscriptionRecord record;
  SubscriptionState state = SubscriptionState::Opening;
  bool operator==(const ProcessMessageSubscriptionRow&) const = default;
  static constexpr auto fields() {
    using T = ProcessMessageSubscriptionRow;
    return std::tuple{field(1, "record", &T::record), field(2, "state", &T::state)};
  }
};

struct MessageStartSubscriptionRow {
  record::MessageStartEventSubscriptionRecord record;
  bool operator==(const MessageStartSubscriptionRow&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "record", &MessageStartSubscriptionRow::record)};
  }
};

// An instance that a message with a correlation key started: until it ends, no other message with
// this key starts this process.
struct MessageStartLockRow {
  std::string tenant_id;
  std::string bpmn_process_id;
  std::string correlation_key;
  bool operator==(const MessageStartLockRow&) const = default;
  static constexpr auto fields() {
    using T = MessageStartLockRow;
    return std::tuple{field(1, "tenantId", &T::tenant_id),
                      field(2, "bpmnProcessId", &T::bpmn_process_id),
                      field(3, "correlationKey", &T::correlation_key)};
  }
};

// A client that waits for the answer who received its message.
struct MessageCorrelationRow {
  record::MessageCorrelationRecord record;
  bool operator==(const MessageCorrelationRow&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "record", &MessageCorrelationRow::record)};
  }
};

struct SignalSubscriptionRow {
  record::SignalSubscriptionRecord record;
  bool operator==(const SignalSubscriptionRow&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "record", &SignalSubscriptionRow::record)};
  }
};

// A signal that has not reached all of its receivers on this partition. The cursor, the count and
// the started instances in the record are those of all steps so far.
struct SignalBroadcastRow {
  record::SignalRecord record;
  bool operator==(const SignalBroadcastRow&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "record", &SignalBroadcastRow::record)};
  }
};

struct ConditionalSubscriptionRow {
  record::ConditionalSubscriptionRecord record;
  bool operator==(const ConditionalSubscriptionRow&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "record", &ConditionalSubscriptionRow::record)};
  }
};

struct CounterRow {
  std::int64_t value = 0;
  bool operator==(const CounterRow&) const = default;
  static constexpr auto fields() { return std::tuple{field(1, "value", &CounterRow::value)}; }
};

// How a table stores a row: by its field list. Defined for each row in rows.cc.
template <typename Row>
struct RowCodec {
  static void encode(const Row& row, std::string& out);
  static Row decode(std::string_view bytes);
};

}  // namespace beeline::engine
