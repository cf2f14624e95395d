#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "engine/state/engine_state.h"

// Rows of the state as items of members, in the form in which state_view.h shows them.
namespace beeline::stream {

struct Member {
  std::string_view name;
  std::string text;  // the text that a filter is compared with; empty for null
  std::string json;
};
using Item = std::vector<Member>;

[[nodiscard]] Member text_member(std::string_view name, std::string_view text);
[[nodiscard]] Member key_member(std::string_view name, Key key);
[[nodiscard]] Member number_member(std::string_view name, std::int64_t number);
[[nodiscard]] Member time_member(std::string_view name, Timestamp time);
[[nodiscard]] std::string to_json(const Item& item);

inline constexpr std::string_view kProcessMembers[] = {
    "key",   "bpmnProcessId", "version",       "versionTag",
    "state", "resourceName",  "deploymentKey", "instances"};
[[nodiscard]] Item process_item(const engine::EngineState& state, Key key);

inline constexpr std::string_view kInstanceMembers[] = {
    "key",   "bpmnProcessId", "version", "processDefinitionKey", "parentProcessInstanceKey",
    "state", "banned",        "tags"};
[[nodiscard]] Item instance_item(const engine::EngineState& state, Key key,
                                 const engine::ElementInstanceRow& row);

inline constexpr std::string_view kJobMembers[] = {"key",
                                                   "type",
                                                   "state",
                                                   "retries",
                                                   "worker",
                                                   "deadline",
                                                   "retryAt",
                                                   "errorMessage",
                                                   "errorCode",
                                                   "bpmnProcessId",
                                                   "processInstanceKey",
                                                   "elementId",
                                                   "elementInstanceKey"};
[[nodiscard]] Item job_item(const engine::EngineState& state, Key key, const engine::JobRow& row);

inline constexpr std::string_view kIncidentMembers[] = {
    "key",       "errorType",          "errorMessage", "bpmnProcessId", "processInstanceKey",
    "elementId", "elementInstanceKey", "jobKey"};
[[nodiscard]] Item incident_item(Key key, const record::IncidentRecord& incident);

inline constexpr std::string_view kMessageMembers[] = {"key",       "name",      "correlationKey",
                                                       "messageId", "expiresAt", "variableBytes"};
[[nodiscard]] Item message_item(Key key, const record::MessageRecord& message);

inline constexpr std::string_view kTimerMembers[] = {"key",           "dueDate",
                                                     "bpmnProcessId", "processInstanceKey",
                                                     "elementId",     "elementInstanceKey",
                                                     "repetitions",   "interval"};
[[nodiscard]] Item timer_item(Key key, const record::TimerRecord& timer);

// The messages, signals and conditions that catch events and start events wait for. The key is that
// of the subscription; a start event has no instance.
inline constexpr std::string_view kEventMembers[] = {"key",
                                                     "type",
                                                     "name",
                                                     "correlationKey",
                                                     "state",
                                                     "bpmnProcessId",
                                                     "processDefinitionKey",
                                                     "processInstanceKey",
                                                     "elementId",
                                                     "elementInstanceKey"};
[[nodiscard]] Item event_item(Key key, const record::ProcessMessageSubscriptionRecord& subscription,
                              std::string_view state);
[[nodiscard]] Item event_item(Key key, const record::MessageStartEventSubscriptionRecord& start);
[[nodiscard]] Item event_item(Key key, const record::SignalSubscriptionRecord& subscription);
[[nodiscard]] Item event_item(Key key, const record::ConditionalSubscriptionRecord& subscription);

// Returns the element of an instance, or null if its definition is gone.
[[nodiscard]] const bpmn::Element* element_of(const engine::EngineState& state,
                                              const engine::ElementInstanceRow& row);

}  // namespace beeline::stream
