#pragma once

#include <string>
#include <vector>

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"

// The subscriptions that element instances open and close. What happens on the partition of the
// message is in message_correlation.h.
namespace beeline::engine {

// What a catch event waits for, evaluated.
struct AwaitedMessage {
  const bpmn::Element* catch_event = nullptr;
  std::string name;
  std::string correlation_key;
};

// For all message events of the host; fails with the first that does not evaluate.
[[nodiscard]] Result<std::vector<AwaitedMessage>, Failure> evaluate_messages(
    const Step& step, const ElementContext& host);
void open_message_subscription(Step& step, const ElementContext& host,
                               const AwaitedMessage& message);
// Nothing happens to one that is being closed already.
void close_message_subscription(Step& step, Key subscription);

}  // namespace beeline::engine
