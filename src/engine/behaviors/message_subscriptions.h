#pragma once

#include <string>
#include <string_view>

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"

// The subscriptions that element instances open and close. message_correlation.h contains the part
// on the partition of the message.
namespace beeline::engine {

// The message that a catch event waits for, evaluated.
struct AwaitedMessage {
  std::string name;
  std::string correlation_key;
};

[[nodiscard]] Result<AwaitedMessage, Failure> evaluate_message(const Step& step,
                                                               const ElementContext& host,
                                                               const bpmn::Element& catch_event);
// Returns the failure of an event that waits for the same message name as `other` of its host.
[[nodiscard]] Failure same_message_failure(const ElementContext& host,
                                           const bpmn::Element& catch_event, std::string_view name,
                                           const bpmn::Element& other);
void open_message_subscription(Step& step, const ElementContext& host,
                               const bpmn::Element& catch_event, const AwaitedMessage& message);
// Does nothing if the subscription is being closed already.
void close_message_subscription(Step& step, Key subscription);

}  // namespace beeline::engine
