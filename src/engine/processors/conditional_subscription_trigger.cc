#include <fmt/format.h>

#include "engine/behaviors/parallel_triggers.h"
#include "engine/behaviors/triggers.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::ConditionalSubscriptionIntent;
using record::ConditionalSubscriptionRecord;
using record::RejectionType;

void conditional_subscription_trigger(Step& step, Key key, const ConditionalSubscriptionRecord&) {
  const auto reject = [&](RejectionType type, std::string_view reality) {
    step.reject(type, fmt::format("Expected to trigger conditional subscription with key '{}', but "
                                  "{}",
                                  key.value(), reality));
  };
  const ConditionalSubscriptionRow* row = step.state().conditional_subscriptions().find(key);
  if (row == nullptr || !row->record.element_instance_key.is_set()) {
    return reject(RejectionType::NotFound, "no such subscription was found");
  }
  // A copy, since triggering may remove the row.
  const ConditionalSubscriptionRecord subscription = row->record;
  const ElementContext host = context_of(step, subscription.element_instance_key);
  const bpmn::Element& event =
      catch_event_of(host, subscription.element_id, subscription.event_definition_id);
  if (!can_trigger(step, host, event)) {
    return reject(RejectionType::InvalidState,
                  "the element it belongs to can not be triggered any more");
  }
  if (!can_collect(step, host, event, {})) {
    return reject(RejectionType::InvalidState,
                  "the element it belongs to keeps as many further triggers as it may");
  }
  step.event(ConditionalSubscriptionIntent::Triggered, key, subscription);
  trigger_event(step, host, event, {});
}

}  // namespace beeline::engine
