#include "engine/behaviors/message_subscriptions.h"

#include <fmt/format.h>

#include "base/partition_hash.h"
#include "bpmn/parse.h"
#include "engine/behaviors/expressions.h"
#include "engine/behaviors/message_protocol.h"

namespace beeline::engine {
namespace {

using record::MessageSubscriptionIntent;
using record::ProcessMessageSubscriptionIntent;
using record::ProcessMessageSubscriptionRecord;

Failure message_failure(const bpmn::Element& catch_event, std::string_view problem, Key scope) {
  return Failure{record::ErrorType::ExtractValueError,
                 fmt::format("Failed to open the message subscription of {}: {}",
                             described(catch_event), problem),
                 scope};
}

Outcome check_length(const bpmn::Element& catch_event, std::string_view what, std::string_view text,
                     Key scope) {
  if (text.size() <= bpmn::kTextCharsMax) return {};
  return failure(message_failure(
      catch_event,
      fmt::format("{} has {} characters, more than {}", what, text.size(), bpmn::kTextCharsMax),
      scope));
}

Result<std::string, Failure> evaluate_name(const Step& step, const bpmn::Element& event,
                                           Key scope) {
  BEELINE_TRY(std::string name, evaluate_string(step, event.parts().message->name, scope));
  if (name.empty()) return failure(message_failure(event, "the message name is empty", scope));
  BEELINE_TRY_VOID(check_length(event, "the message name", name, scope));
  return name;
}

// Returns the correlation key, which is empty if the message has no key expression.
Result<std::string, Failure> evaluate_key(const Step& step, const bpmn::Element& event, Key scope) {
  const auto& expression = event.parts().message->correlation_key;
  if (!expression) return std::string{};
  Result<std::string, Failure> key = evaluate_correlation_key(step, *expression, scope);
  if (!key) {
    // A boundary event evaluates its key in the scope around its host. Name that scope, because
    // only a variable changed there can resolve the incident.
    key.error().variable_scope_key = scope;
    return key;
  }
  BEELINE_TRY_VOID(check_length(event, "the correlation key", *key, scope));
  return key;
}

}  // namespace

Result<AwaitedMessage, Failure> evaluate_message(const Step& step, const ElementContext& host,
                                                 const bpmn::Element& catch_event) {
  AwaitedMessage message;
  BEELINE_TRY(message.name, evaluate_name(step, catch_event, host.key));
  // The correlation key of a boundary event must not use the local variables of its host.
  const bool is_boundary = catch_event.type == record::ElementType::BoundaryEvent;
  const Key scope = is_boundary ? host.value.flow_scope_key : host.key;
  BEELINE_TRY(message.correlation_key, evaluate_key(step, catch_event, scope));
  return message;
}

Failure same_message_failure(const ElementContext& host, const bpmn::Element& catch_event,
                             std::string_view name, const bpmn::Element& other) {
  return message_failure(
      catch_event,
      fmt::format("the message name '{}' is already used by {}", name, described(other)), host.key);
}

void open_message_subscription(Step& step, const ElementContext& host,
                               const bpmn::Element& catch_event, const AwaitedMessage& message) {
  ProcessMessageSubscriptionRecord value;
  value.subscription_partition_id =
      partition_of_correlation_key(message.correlation_key, step.state().partition_count());
  fill_owner(value, host);
  value.element_id = catch_event.id;
  value.event_definition_id = catch_event.parts().definition_id;
  value.element_type = catch_event.type;
  value.message_name = message.name;
  value.correlation_key = message.correlation_key;
  value.interrupting = catch_event.interrupting;
  step.event(ProcessMessageSubscriptionIntent::Creating, step.next_key(), value);
  send_to_message(step, value.subscription_partition_id, MessageSubscriptionIntent::Create, value);
}

void close_message_subscription(Step& step, Key subscription) {
  const ProcessMessageSubscriptionRow& row =
      step.state().process_message_subscriptions().get(subscription);
  if (row.state == SubscriptionState::Closing) return;
  const ProcessMessageSubscriptionRecord value = row.record;
  step.event(ProcessMessageSubscriptionIntent::Deleting, subscription, value);
  send_to_message(step, value.subscription_partition_id, MessageSubscriptionIntent::Delete, value);
}

}  // namespace beeline::engine
