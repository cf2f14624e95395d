#include "engine/behaviors/compensation.h"

#include "base/check.h"
#include "engine/behaviors/cancellation.h"
#include "engine/behaviors/runtime_instructions.h"
#include "engine/behaviors/transitions.h"

namespace beeline::engine {
namespace {

using record::CompensationSubscriptionIntent;
using record::CompensationSubscriptionRecord;
using record::ElementType;

void remove_subscription(Step& step, Key key, CompensationSubscriptionIntent intent) {
  const CompensationSubscriptionRecord value =
      step.state().compensation_subscriptions().get(key).record;
  step.event(intent, key, value);
}

// Deletes what is in the scope of this key, the inner subscriptions before those around them.
bool delete_in_scope(Step& step, Key scope) {
  const CompensationSubscriptions& all = step.state().compensation_subscriptions();
  while (true) {
    const Key key = all.last_in_scope(scope);
    if (!key.is_set()) return true;
    if (!delete_in_scope(step, all.get(key).record.compensable_activity_instance_key)) return false;
    if (step.bytes_left() == 0) return false;
    remove_subscription(step, key, CompensationSubscriptionIntent::Deleted);
  }
}

// Gives a subscription to another scope, as one that nothing has triggered.
void move_subscription(Step& step, Key key, Key scope) {
  CompensationSubscriptionRecord value = step.state().compensation_subscriptions().get(key).record;
  value.compensable_activity_scope_key = scope;
  value.compensation_handler_instance_key = Key{};
  value.throw_event_id.clear();
  value.throw_event_instance_key = Key{};
  step.event(CompensationSubscriptionIntent::Moved, key, value);
}

// Moves what is in the scope of this key, but not what is inside the activities found there.
bool move_in_scope(Step& step, Key scope, Key to) {
  const CompensationSubscriptions& all = step.state().compensation_subscriptions();
  while (true) {
    const Key key = all.last_in_scope(scope);
    if (!key.is_set()) return true;
    if (step.bytes_left() == 0) return false;
    move_subscription(step, key, to);
  }
}

// The boundary event of an activity writes its whole life at once. Returns the key that its handler
// will have; unset if the boundary event ends the process instance.
Key activate_handler(Step& step, const ElementContext& scope, const bpmn::Element& boundary) {
  ElementContext event = child_context(scope, boundary);
  write_activating(step, event);
  write_activated(step, event);
  write_completing(step, event);
  write_completed(step, event);
  if (ends_instance(step, event)) return Key{};
  const Key handler = step.next_key();
  go_on_to_activate(step, scope, scope.element_at(boundary.parts().compensation->handler), handler);
  return handler;
}

// One throw event at work.
struct Compensating {
  const ElementContext& throw_event;
  ElementContext scope;  // the flow scope of the throw event, where handlers run
};

void trigger_subscription(Step& step, const Compensating& at, Key key) {
  CompensationSubscriptionRecord value = step.state().compensation_subscriptions().get(key).record;
  const bpmn::Element* activity = at.throw_event.model().find(value.compensable_activity_id);
  BEELINE_ENSURE(activity != nullptr, "no activity '{}'", value.compensable_activity_id);
  if (!value.compensation_handler_id.empty()) {
    value.compensation_handler_instance_key =
        activate_handler(step, at.scope, at.throw_event.element_at(activity->compensated_by));
  }
  value.throw_event_id = at.throw_event.element->id;
  value.throw_event_instance_key = at.throw_event.key;
  step.event(CompensationSubscriptionIntent::Triggered, key, value);
}

// Triggers what is in the scope of this key and nothing has triggered yet: the activity `only` if
// that is not null, or else all. Returns false if some are left because the batch is full.
bool trigger_in_scope(Step& step, const Compensating& at, Key scope, const bpmn::Element* only) {
  const CompensationSubscriptions& all = step.state().compensation_subscriptions();
  for (Key key = all.last_in_scope(scope); key.is_set(); key = all.last_in_scope(scope, key)) {
    const CompensationSubscriptionRecord& found = all.get(key).record;
    if (only != nullptr && found.compensable_activity_id != only->id) continue;
    const bool is_new = !found.throw_event_instance_key.is_set();
    if (!is_new && found.throw_event_instance_key != at.throw_event.key) continue;
    const Key inside = found.compensable_activity_instance_key;
    if (is_new) {
      if (step.bytes_left() == 0) return false;
      trigger_subscription(step, at, key);
    }
    // A batch that was full may have left some inside an activity that it triggered.
    if (!trigger_in_scope(step, at, inside, nullptr)) return false;
  }
  return true;
}

// A multiple event may have a job besides, whose completion completes the event if it comes later.
void complete_if_done(Step& step, Key throw_event) {
  if (is_compensating(step, throw_event)) return;
  const ElementInstanceRow* row = step.state().element_instances().find(throw_event);
  if (row == nullptr || row->job_key.is_set()) return;
  go_on_to_complete(step, context_of(step, throw_event));
}

// A scope without a handler is compensated when the last activity inside is.
void complete_around(Step& step, Key scope, Key throw_event) {
  const CompensationSubscriptions& all = step.state().compensation_subscriptions();
  while (!all.any_triggered_in_scope(scope, throw_event).is_set()) {
    const Key key = all.of_activity(scope);
    if (!key.is_set()) return;
    const CompensationSubscriptionRecord& around = all.get(key).record;
    if (!around.compensation_handler_id.empty()) return;
    scope = around.compensable_activity_scope_key;
    remove_subscription(step, key, CompensationSubscriptionIntent::Completed);
  }
}

}  // namespace

void remember_activity(Step& step, const ElementContext& activity) {
  const bpmn::Element& element = *activity.element;
  const bool has_inside =
      (element.type == ElementType::SubProcess || element.type == ElementType::MultiInstanceBody) &&
      step.state().compensation_subscriptions().last_in_scope(activity.key).is_set();
  if (!element.compensated_by.is_set() && !has_inside) return;
  CompensationSubscriptionRecord value;
  fill_owner(value, activity);
  value.compensable_activity_id = element.id;
  value.compensable_activity_instance_key = activity.key;
  value.compensable_activity_scope_key = activity.value.flow_scope_key;
  if (element.compensated_by.is_set()) {
    const bpmn::Element& boundary = activity.element_at(element.compensated_by);
    value.compensation_handler_id = activity.element_at(boundary.parts().compensation->handler).id;
  }
  step.event(CompensationSubscriptionIntent::Created, step.next_key(), value);
}

bool forget_unreachable(Step& step, const ElementContext& context) {
  const ElementType type = context.element->type;
  const bool is_last_chance = type == ElementType::Process ||
                              type == ElementType::EventSubProcess ||
                              context.element->for_compensation;
  return !is_last_chance || delete_in_scope(step, context.key);
}

bool release_activities(Step& step, const ElementContext& scope) {
  if (step.state().compensation_subscriptions().empty()) return true;
  const Key transaction = canceling_transaction_around(step, scope.key);
  return transaction.is_set() ? move_in_scope(step, scope.key, transaction)
                              : delete_in_scope(step, scope.key);
}

bool release_triggered(Step& step, const ElementContext& throw_event) {
  const CompensationSubscriptions& all = step.state().compensation_subscriptions();
  const Key transaction = canceling_transaction_around(step, throw_event.key);
  while (true) {
    const Key key = all.any_of_throw_event(throw_event.key);
    if (!key.is_set()) return true;
    if (step.bytes_left() == 0) return false;
    if (!transaction.is_set()) {
      remove_subscription(step, key, CompensationSubscriptionIntent::Deleted);
      continue;
    }
    // Inside an activity that is to be compensated too, it is found through that activity.
    const Key scope = all.get(key).record.compensable_activity_scope_key;
    move_subscription(step, key, all.of_activity(scope).is_set() ? scope : transaction);
  }
}

bool is_compensating(const Step& step, Key throw_event) {
  const CompensationSubscriptions& all = step.state().compensation_subscriptions();
  return !all.empty() && all.any_of_throw_event(throw_event).is_set();
}

bool begin_compensation(Step& step, const ElementContext& throw_event) {
  const Compensating at{throw_event, scope_context(step, throw_event)};
  const auto& definition = throw_event.element->parts().compensation;
  const bpmn::Element* only = definition && definition->activity.is_set()
                                  ? &throw_event.element_at(definition->activity)
                                  : nullptr;
  bool is_done = trigger_in_scope(step, at, at.scope.key, only);
  if (is_done && at.scope.element->type == ElementType::EventSubProcess) {
    is_done = trigger_in_scope(step, at, at.scope.value.flow_scope_key, only);
  }
  if (is_done) return is_compensating(step, throw_event.key);
  CompensationSubscriptionRecord value;
  fill_owner(value, throw_event);
  value.throw_event_id = throw_event.element->id;
  value.throw_event_instance_key = throw_event.key;
  step.command(CompensationSubscriptionIntent::Trigger, step.next_key(), value);
  return true;
}

void compensate(Step& step, const ElementContext& throw_event) {
  if (!begin_compensation(step, throw_event)) complete_if_done(step, throw_event.key);
}

void compensate_transaction(Step& step, const ElementContext& transaction) {
  if (row_of(step, transaction.key).child_count != 1) return;
  Key last;
  step.state().element_instances().for_each_child(transaction.key, ChildKey{},
                                                  [&](Key child, const ElementInstanceRow&) {
                                                    last = child;
                                                    return false;
                                                  });
  compensate(step, context_of(step, last));
}

void handler_completed(Step& step, const ElementContext& handler) {
  if (!handler.element->for_compensation) return;
  const CompensationSubscriptions& all = step.state().compensation_subscriptions();
  const Key key = all.of_handler(handler.key);
  if (!key.is_set()) return;
  const Key scope = all.get(key).record.compensable_activity_scope_key;
  const Key throw_event = all.get(key).record.throw_event_instance_key;
  remove_subscription(step, key, CompensationSubscriptionIntent::Completed);
  complete_around(step, scope, throw_event);
  complete_if_done(step, throw_event);
}

}  // namespace beeline::engine
