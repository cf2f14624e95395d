#pragma once

#include <string>
#include <string_view>

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"

// The subscriptions that element instances open and close. What happens on the partition of the
// message is in message_correlation.h.
namespace beeline::engine {

// The message that a catch event waits for, evaluated.
struct AwaitedMessage {
  std::string name;
  std::string correlation_key;
};

[[nodiscard]] Result<AwaitedMessage, Failure> evaluate_message(const Step& step,
                                                               const ElementContext& host,
                                                               const bpmn::Element& catch_event);
// The failure of an event that waits for a message name for which `other` of its host waits too.
[[nodiscard]] Failure same_message_failure(const ElementContext& host,
                                           const bpmn::Element& catch_event, std::string_view name,
                                           const bpmn::Element& other);
void open_message_subscription(Step& step, const ElementContext& host,
                               const bpmn::Element& catch_event, const AwaitedMessage& message);
// Does nothing to a subscription that is being closed already.
void close_message_subscription(Step& step, Key subscription);

}  // namespace beeline::engine
