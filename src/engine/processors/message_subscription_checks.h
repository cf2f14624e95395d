#pragma once

#include <fmt/format.h>

#include <string_view>

#include "engine/failure.h"
#include "engine/step.h"

// The checks that commands of the message's side of a subscription make first.
namespace beeline::engine {

[[nodiscard]] inline SubscriptionKey find_subscription(
    const Step& step, const record::MessageSubscriptionRecord& command) {
  return step.state().message_subscriptions().find_of(command.element_instance_key,
                                                      command.message_name);
}

template <typename Record>
[[nodiscard]] std::string subscription_refusal(std::string_view verb, const Record& command,
                                               std::string_view reality) {
  return fmt::format("Expected to {} subscription of element with key '{}' to message '{}', but {}",
                     verb, command.element_instance_key.value(), command.message_name, reality);
}

// True if the command concerns the message that is on its way.
[[nodiscard]] inline bool is_current_attempt(const MessageSubscriptionRow& row,
                                             const record::MessageSubscriptionRecord& command) {
  return row.is_correlating && row.record.attempt == command.attempt &&
         row.record.message_key == command.message_key;
}

[[nodiscard]] inline bool is_elsewhere(const Step& step,
                                       const record::MessageSubscriptionRecord& subscription) {
  return partition_of(subscription.process_instance_key) != step.state().partition();
}

}  // namespace beeline::engine
