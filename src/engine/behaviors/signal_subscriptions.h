#pragma once

#include <string>
#include <string_view>

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"

// The subscriptions to signals that element instances and start events open and close.
// signal_broadcast.h delivers the signals.
namespace beeline::engine {

// The signal that a catch event waits for, evaluated.
struct AwaitedSignal {
  std::string name;
};

// Evaluates the name of a signal, which is neither empty nor too long, in a scope.
[[nodiscard]] Result<std::string, Failure> evaluate_signal_name(const Step& step,
                                                                const bpmn::Element& event,
                                                                Key scope);
// The incident of a host two of whose events wait for the same signal.
[[nodiscard]] Failure same_signal_failure(const ElementContext& host,
                                          const bpmn::Element& catch_event, std::string_view name,
                                          const bpmn::Element& other);

void open_signal_subscription(Step& step, const ElementContext& host,
                              const bpmn::Element& catch_event, const AwaitedSignal& signal);
// Opens a signal start event of a version of a process.
void open_signal_start(Step& step, const Definition& definition, const bpmn::Element& start_event,
                       const AwaitedSignal& signal);
// Closes a subscription of either kind.
void close_signal_subscription(Step& step, Key subscription);

}  // namespace beeline::engine
