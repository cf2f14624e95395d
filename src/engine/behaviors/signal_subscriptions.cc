#include "engine/behaviors/signal_subscriptions.h"

#include <fmt/format.h>

#include "base/check.h"
#include "bpmn/parse.h"
#include "engine/behaviors/expressions.h"

namespace beeline::engine {
namespace {

using record::SignalSubscriptionIntent;
using record::SignalSubscriptionRecord;

Failure signal_failure(const bpmn::Element& event, std::string_view problem, Key scope) {
  return Failure{
      record::ErrorType::ExtractValueError,
      fmt::format("Failed to evaluate the signal name of {}: {}", described(event), problem),
      scope};
}

}  // namespace

Result<std::string, Failure> evaluate_signal_name(const Step& step, const bpmn::Element& event,
                                                  Key scope) {
  const auto& signal = event.parts().signal;
  BEELINE_ENSURE(signal.has_value(), "element '{}' has no signal", event.id);
  BEELINE_TRY(std::string name, evaluate_string(step, signal->name, scope));
  if (name.empty()) return failure(signal_failure(event, "the signal name is empty", scope));
  if (name.size() > bpmn::kTextCharsMax) {
    return failure(signal_failure(event,
                                  fmt::format("the signal name has {} characters, more than {}",
                                              name.size(), bpmn::kTextCharsMax),
                                  scope));
  }
  return name;
}

Failure same_signal_failure(const ElementContext& host, const bpmn::Element& catch_event,
                            std::string_view name, const bpmn::Element& other) {
  return signal_failure(
      catch_event,
      fmt::format("the signal name '{}' is already used by {}", name, described(other)), host.key);
}

void open_signal_subscription(Step& step, const ElementContext& host,
                              const bpmn::Element& catch_event, const AwaitedSignal& signal) {
  SignalSubscriptionRecord value;
  fill_owner(value, host);
  value.signal_name = signal.name;
  value.element_id = catch_event.id;
  value.event_definition_id = catch_event.parts().definition_id;
  value.element_type = catch_event.type;
  step.event(SignalSubscriptionIntent::Created, step.next_key(), value);
}

void open_signal_start(Step& step, const Definition& definition, const bpmn::Element& start_event,
                       const AwaitedSignal& signal) {
  SignalSubscriptionRecord value;
  fill_owner(value, definition);
  value.signal_name = signal.name;
  value.element_id = start_event.id;
  value.event_definition_id = start_event.parts().definition_id;
  value.element_type = start_event.type;
  step.event(SignalSubscriptionIntent::Created, step.next_key(), value);
}

void close_signal_subscription(Step& step, Key subscription) {
  // A copy, since the event removes the row.
  const SignalSubscriptionRecord value = step.state().signals().get(subscription).record;
  step.event(SignalSubscriptionIntent::Deleted, subscription, value);
}

}  // namespace beeline::engine
