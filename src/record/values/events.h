#pragma once

#include "record/values/common.h"

// Timers, and the triggers of catch events.
namespace beeline::record {

#define BEELINE_TIMER_INTENTS(COMMAND, EVENT) \
  EVENT(Created, 0, "CREATED")                \
  COMMAND(Trigger, 1, "TRIGGER")              \
  EVENT(Triggered, 2, "TRIGGERED")            \
  COMMAND(Cancel, 3, "CANCEL")                \
  EVENT(Canceled, 4, "CANCELED")
BEELINE_INTENTS(TimerIntent, BEELINE_TIMER_INTENTS);

struct TimerRecord {
  static constexpr ValueType kType = ValueType::Timer;
  using Intent = TimerIntent;

  Key element_instance_key;  // unset for a start event
  Key process_instance_key;
  Timestamp due_date{0};
  std::string target_element_id;
  std::int32_t repetitions = 1;  // -1 is for ever
  Key process_definition_key;
  std::string bpmn_process_id;
  ElementType element_type = ElementType::Unspecified;
  std::string tenant_id{kDefaultTenant};
  std::string interval;             // the text of a cycle, as it was evaluated
  std::string event_definition_id;  // in a multiple event
  bool operator==(const TimerRecord&) const = default;
  static constexpr auto kSubject = &TimerRecord::target_element_id;
  static constexpr Owner kOwner = Owner::Timer;
  static constexpr auto fields() {
    using T = TimerRecord;
    return std::tuple{field(1, "elementInstanceKey", &T::element_instance_key),
                      field(2, "processInstanceKey", &T::process_instance_key),
                      field(3, "dueDate", &T::due_date),
                      field(4, "targetElementId", &T::target_element_id),
                      field(5, "repetitions", &T::repetitions),
                      field(6, "processDefinitionKey", &T::process_definition_key),
                      field(7, "bpmnProcessId", &T::bpmn_process_id),
                      field(8, "elementType", &T::element_type),
                      field(9, "tenantId", &T::tenant_id),
                      field(10, "interval", &T::interval),
                      field(11, "eventDefinitionId", &T::event_definition_id)};
  }
};

// COLLECTED is ours; its number leaves the protocol room to grow. It keeps a trigger of a
// parallel-multiple event, which fires when all of its definitions were triggered.
#define BEELINE_PROCESS_EVENT_INTENTS(COMMAND, EVENT) \
  EVENT(Triggering, 0, "TRIGGERING")                  \
  EVENT(Triggered, 1, "TRIGGERED")                    \
  EVENT(Collected, 20, "COLLECTED")
BEELINE_INTENTS(ProcessEventIntent, BEELINE_PROCESS_EVENT_INTENTS);

template <typename Text>
struct BasicProcessEventRecord {
  static constexpr ValueType kType = ValueType::ProcessEvent;
  using Intent = ProcessEventIntent;

  Key scope_key;
  Text target_element_id;
  DocumentOf<Text> variables;
  Key process_definition_key;
  Key process_instance_key;
  Text tenant_id{kDefaultTenant};
  Text event_definition_id;  // in a multiple event: the definition that was triggered
  bool operator==(const BasicProcessEventRecord&) const = default;
  static constexpr auto kSubject = &BasicProcessEventRecord::target_element_id;
  static constexpr Owner kOwner = Owner::Nobody;
  static constexpr auto fields() {
    using T = BasicProcessEventRecord;
    return std::tuple{field(1, "scopeKey", &T::scope_key),
                      field(2, "targetElementId", &T::target_element_id),
                      field(3, "variables", &T::variables),
                      field(4, "processDefinitionKey", &T::process_definition_key),
                      field(5, "processInstanceKey", &T::process_instance_key),
                      field(6, "tenantId", &T::tenant_id),
                      field(7, "eventDefinitionId", &T::event_definition_id)};
  }
};
using ProcessEventRecord = BasicProcessEventRecord<std::string>;
using ProcessEventView = BasicProcessEventRecord<std::string_view>;

}  // namespace beeline::record
