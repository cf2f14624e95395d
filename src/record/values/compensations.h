#pragma once

#include "record/values/common.h"

// Completed activities that can be compensated.
namespace beeline::record {

// TRIGGER and MOVED are beeline's own. A throw event that has more to compensate than fits one
// batch goes on with TRIGGER. MOVED gives a subscription another scope and takes back its trigger.
#define BEELINE_COMPENSATION_SUBSCRIPTION_INTENTS(COMMAND, EVENT) \
  EVENT(Created, 0, "CREATED")                                    \
  EVENT(Triggered, 1, "TRIGGERED")                                \
  EVENT(Completed, 2, "COMPLETED")                                \
  EVENT(Deleted, 3, "DELETED")                                    \
  COMMAND(Trigger, 5, "TRIGGER")                                  \
  EVENT(Moved, 6, "MOVED")
BEELINE_INTENTS(CompensationSubscriptionIntent, BEELINE_COMPENSATION_SUBSCRIPTION_INTENTS);

struct CompensationSubscriptionRecord {
  static constexpr ValueType kType = ValueType::CompensationSubscription;
  using Intent = CompensationSubscriptionIntent;

  std::string compensable_activity_id;
  Key compensable_activity_instance_key;  // of an instance that is gone
  // The flow scope that it had; from MOVED on, the transaction that compensates it instead.
  Key compensable_activity_scope_key;
  // Empty for a scope that has no handler itself, but contains activities with one.
  std::string compensation_handler_id;
  Key compensation_handler_instance_key;  // from TRIGGERED on
  std::string throw_event_id;             // from TRIGGERED on
  Key throw_event_instance_key;           // from TRIGGERED on
  Key process_instance_key;
  Key process_definition_key;
  std::string bpmn_process_id;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const CompensationSubscriptionRecord&) const = default;
  static constexpr auto kSubject = &CompensationSubscriptionRecord::compensable_activity_id;
  static constexpr Owner kOwner = Owner::Instance;
  static constexpr auto fields() {
    using T = CompensationSubscriptionRecord;
    return std::tuple{
        field(1, "compensableActivityId", &T::compensable_activity_id),
        field(2, "compensableActivityInstanceKey", &T::compensable_activity_instance_key),
        field(3, "compensableActivityScopeKey", &T::compensable_activity_scope_key),
        field(4, "compensationHandlerId", &T::compensation_handler_id),
        field(5, "compensationHandlerInstanceKey", &T::compensation_handler_instance_key),
        field(6, "throwEventId", &T::throw_event_id),
        field(7, "throwEventInstanceKey", &T::throw_event_instance_key),
        field(8, "processInstanceKey", &T::process_instance_key),
        field(9, "processDefinitionKey", &T::process_definition_key),
        field(10, "bpmnProcessId", &T::bpmn_process_id),
        field(11, "tenantId", &T::tenant_id)};
  }
};

}  // namespace beeline::record
