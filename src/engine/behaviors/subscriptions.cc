#include "engine/behaviors/subscriptions.h"

#include <utility>
#include <vector>

#include "engine/behaviors/message_subscriptions.h"
#include "engine/behaviors/timers.h"

namespace beeline::engine {
namespace {

using record::EventType;

bool starts_event_subprocess(const ElementContext& host, std::string_view element_id) {
  const bpmn::Element* event = host.model().find(element_id);
  return event != nullptr && host.model().starts_event_subprocess(*event);
}

}  // namespace

Outcome subscribe(Step& step, const ElementContext& host) {
  BEELINE_TRY(const std::vector<AwaitedMessage> messages, evaluate_messages(step, host));
  std::vector<std::pair<const bpmn::Element*, PlannedTimer>> timers;
  for (const bpmn::ElementIndex index : host.element->events) {
    const bpmn::Element& event = host.element_at(index);
    if (event.event_type != EventType::Timer) continue;
    BEELINE_TRY(PlannedTimer plan, plan_timer(step, event, host.key));
    timers.emplace_back(&event, std::move(plan));
  }
  for (const AwaitedMessage& message : messages) open_message_subscription(step, host, message);
  for (const auto& [event, plan] : timers) create_timer(step, host, *event, plan);
  return {};
}

void unsubscribe(Step& step, const ElementContext& host) {
  if (host.element->events.empty()) return;
  for (const Key key : step.state().timers().of_element_instance(host.key)) cancel_timer(step, key);
  for (const Key key : step.state().process_message_subscriptions().of_element_instance(host.key)) {
    close_message_subscription(step, key);
  }
}

void close_event_subprocess_subscriptions(Step& step, const ElementContext& host) {
  for (const Key key : step.state().timers().of_element_instance(host.key)) {
    const TimerRow* timer = step.state().timers().find(key);
    if (starts_event_subprocess(host, timer->record.target_element_id)) cancel_timer(step, key);
  }
  const ProcessMessageSubscriptions& messages = step.state().process_message_subscriptions();
  for (const Key key : messages.of_element_instance(host.key)) {
    if (starts_event_subprocess(host, messages.find(key)->record.element_id)) {
      close_message_subscription(step, key);
    }
  }
}

}  // namespace beeline::engine
