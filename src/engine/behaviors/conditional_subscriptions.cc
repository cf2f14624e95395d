#include "engine/behaviors/conditional_subscriptions.h"

#include "base/check.h"
#include "engine/behaviors/conditions.h"

namespace beeline::engine {
namespace {

using record::ConditionalSubscriptionIntent;
using record::ConditionalSubscriptionRecord;

void describe_condition(ConditionalSubscriptionRecord& value, const bpmn::Element& event) {
  const auto& conditional = event.parts().conditional;
  BEELINE_ENSURE(conditional.has_value(), "element '{}' has no condition", event.id);
  value.element_id = event.id;
  value.event_definition_id = event.parts().definition_id;
  value.element_type = event.type;
  value.condition = "=" + conditional->condition.text;
  value.variable_names = conditional->variables;
  if (conditional->on_create != conditional->on_update) {
    value.variable_events.emplace_back(conditional->on_create ? "create" : "update");
  }
  value.interrupting = event.interrupting;
}

}  // namespace

void open_conditional_subscription(Step& step, const ElementContext& host,
                                   const bpmn::Element& catch_event) {
  ConditionalSubscriptionRecord value;
  fill_owner(value, host);
  value.scope_key = host.key;
  describe_condition(value, catch_event);
  const Key key = step.next_key();
  step.event(ConditionalSubscriptionIntent::Created, key, value);
  try_condition(step, key);
}

void open_conditional_start(Step& step, const Definition& definition,
                            const bpmn::Element& start_event) {
  ConditionalSubscriptionRecord value;
  fill_owner(value, definition);
  describe_condition(value, start_event);
  step.event(ConditionalSubscriptionIntent::Created, step.next_key(), value);
}

void close_conditional_subscription(Step& step, Key subscription) {
  // A copy, since the event removes the row.
  const ConditionalSubscriptionRecord value =
      step.state().conditional_subscriptions().get(subscription).record;
  step.event(ConditionalSubscriptionIntent::Deleted, subscription, value);
}

}  // namespace beeline::engine
