#include "stream/state_items.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>

#include "record/json.h"

namespace beeline::stream {
namespace {

constexpr std::string_view kNull = "null";
// The end of the year 9999; later times are not shown as dates.
constexpr std::int64_t kDateMillisMax = 253'402'300'799'999;

std::string date_of(Timestamp time) {
  const auto seconds = std::chrono::sys_seconds(std::chrono::seconds(time.millis() / 1000));
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     time.millis() % 1000);
}

std::size_t bytes_of(const record::Document& document) {
  std::size_t bytes = 0;
  for (const record::DocumentEntry& entry : document.entries) {
    bytes += entry.name.size() + entry.value.size();
  }
  return bytes;
}

}  // namespace

Member text_member(std::string_view name, std::string_view text) {
  return {name, std::string(text), text.empty() ? std::string(kNull) : record::json_string(text)};
}

Member key_member(std::string_view name, Key key) {
  return text_member(name, key.value() > 0 ? fmt::format("{}", key.value()) : std::string());
}

Member number_member(std::string_view name, std::int64_t number) {
  const std::string text = fmt::format("{}", number);
  return {name, text, text};
}

Member time_member(std::string_view name, Timestamp time) {
  if (time.millis() < 0) return text_member(name, "");
  if (time.millis() > kDateMillisMax) return text_member(name, "never");
  return text_member(name, date_of(time));
}

std::string to_json(const Item& item) {
  std::string json = "{";
  for (const Member& member : item) {
    json += fmt::format("{}\"{}\":{}", json.size() > 1 ? "," : "", member.name, member.json);
  }
  return json + "}";
}

const bpmn::Element* element_of(const engine::EngineState& state,
                                const engine::ElementInstanceRow& row) {
  const engine::Definition* const definition = state.definitions().find(row.process_definition_key);
  if (definition == nullptr || definition->model == nullptr || row.element < 0) return nullptr;
  return &definition->model->element(bpmn::ElementIndex{row.element});
}

Item process_item(const engine::EngineState& state, Key key) {
  const engine::Definition* const definition = state.definitions().find(key);
  if (definition == nullptr) return {key_member("key", key)};
  return {key_member("key", key),
          text_member("bpmnProcessId", definition->bpmn_process_id),
          number_member("version", definition->version),
          text_member("versionTag", definition->version_tag),
          text_member("state", name_of(definition->state)),
          text_member("resourceName", definition->resource_name),
          key_member("deploymentKey", definition->deployment_key),
          number_member("instances", state.element_instances().process_instance_count(key))};
}

Item instance_item(const engine::EngineState& state, Key key,
                   const engine::ElementInstanceRow& row) {
  const engine::Definition* const definition = state.definitions().find(row.process_definition_key);
  std::string tags;
  if (const engine::TagsRow* const found = state.find_tags(key)) {
    for (const std::string& tag : found->tags) tags += (tags.empty() ? "" : ",") + tag;
  }
  const bool is_banned = state.is_banned(key);
  return {key_member("key", key),
          text_member("bpmnProcessId", definition == nullptr ? "" : definition->bpmn_process_id),
          number_member("version", definition == nullptr ? 0 : definition->version),
          key_member("processDefinitionKey", row.process_definition_key),
          key_member("parentProcessInstanceKey", row.parent_process_instance_key),
          text_member("state", name_of(row.state)),
          Member{"banned", is_banned ? "true" : "false", is_banned ? "true" : "false"},
          text_member("tags", tags)};
}

Item job_item(const engine::EngineState& state, Key key, const engine::JobRow& row) {
  Key process_instance;
  std::string_view process;
  std::string_view element_id;
  if (const auto* const instance = state.element_instances().find(row.element_instance_key)) {
    process_instance = instance->process_instance_key;
    if (const auto* const definition = state.definitions().find(instance->process_definition_key)) {
      process = definition->bpmn_process_id;
    }
    if (const bpmn::Element* const element = element_of(state, *instance)) element_id = element->id;
  }
  return {key_member("key", key),
          text_member("type", row.type),
          text_member("state", name_of(row.state)),
          number_member("retries", row.retries),
          text_member("worker", row.worker),
          time_member("deadline", row.deadline),
          time_member("retryAt", row.recurring_time),
          text_member("errorMessage", row.error_message),
          text_member("errorCode", row.error_code),
          text_member("bpmnProcessId", process),
          key_member("processInstanceKey", process_instance),
          text_member("elementId", element_id),
          key_member("elementInstanceKey", row.element_instance_key)};
}

Item incident_item(Key key, const record::IncidentRecord& incident) {
  return {key_member("key", key),
          text_member("errorType", name_of(incident.error_type)),
          text_member("errorMessage", incident.error_message),
          text_member("bpmnProcessId", incident.bpmn_process_id),
          key_member("processInstanceKey", incident.process_instance_key),
          text_member("elementId", incident.element_id),
          key_member("elementInstanceKey", incident.element_instance_key),
          key_member("jobKey", incident.job_key)};
}

Item message_item(Key key, const record::MessageRecord& message) {
  return {key_member("key", key),
          text_member("name", message.name),
          text_member("correlationKey", message.correlation_key),
          text_member("messageId", message.message_id),
          time_member("expiresAt", message.deadline),
          number_member("variableBytes", static_cast<std::int64_t>(bytes_of(message.variables)))};
}

Item timer_item(Key key, const record::TimerRecord& timer) {
  return {key_member("key", key),
          time_member("dueDate", timer.due_date),
          text_member("bpmnProcessId", timer.bpmn_process_id),
          key_member("processInstanceKey", timer.process_instance_key),
          text_member("elementId", timer.target_element_id),
          key_member("elementInstanceKey", timer.element_instance_key),
          number_member("repetitions", timer.repetitions),
          text_member("interval", timer.interval)};
}

namespace {

constexpr std::string_view kOpened = "OPENED";

// For a subscription that may be a start event's.
template <typename T>
Item item_of(Key key, std::string_view kind, std::string_view name, const T& subscription) {
  const bool is_start = !subscription.element_instance_key.is_set();
  return {key_member("key", key),
          text_member("type", is_start ? fmt::format("{} start", kind) : std::string{kind}),
          text_member("name", name),
          text_member("correlationKey", ""),
          text_member("state", kOpened),
          text_member("bpmnProcessId", subscription.bpmn_process_id),
          key_member("processDefinitionKey", subscription.process_definition_key),
          key_member("processInstanceKey", subscription.process_instance_key),
          text_member("elementId", subscription.element_id),
          key_member("elementInstanceKey", subscription.element_instance_key)};
}

}  // namespace

Item event_item(Key key, const record::ProcessMessageSubscriptionRecord& subscription,
                std::string_view state) {
  return {key_member("key", key),
          text_member("type", "message"),
          text_member("name", subscription.message_name),
          text_member("correlationKey", subscription.correlation_key),
          text_member("state", state),
          text_member("bpmnProcessId", subscription.bpmn_process_id),
          key_member("processDefinitionKey", subscription.process_definition_key),
          key_member("processInstanceKey", subscription.process_instance_key),
          text_member("elementId", subscription.element_id),
          key_member("elementInstanceKey", subscription.element_instance_key)};
}

Item event_item(Key key, const record::MessageStartEventSubscriptionRecord& start) {
  return {key_member("key", key),
          text_member("type", "message start"),
          text_member("name", start.message_name),
          text_member("correlationKey", ""),
          text_member("state", kOpened),
          text_member("bpmnProcessId", start.bpmn_process_id),
          key_member("processDefinitionKey", start.process_definition_key),
          key_member("processInstanceKey", Key{}),
          text_member("elementId", start.start_event_id),
          key_member("elementInstanceKey", Key{})};
}

Item event_item(Key key, const record::SignalSubscriptionRecord& subscription) {
  return item_of(key, "signal", subscription.signal_name, subscription);
}

Item event_item(Key key, const record::ConditionalSubscriptionRecord& subscription) {
  return item_of(key, "condition", subscription.condition, subscription);
}

}  // namespace beeline::stream
