#include "engine/behaviors/signal_broadcast.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/check.h"
#include "engine/behaviors/distribution.h"
#include "engine/behaviors/instance_start.h"
#include "engine/behaviors/parallel_triggers.h"
#include "engine/behaviors/triggers.h"

namespace beeline::engine {
namespace {

using record::SignalIntent;
using record::SignalRecord;
using record::SignalSubscriptionRecord;

// True on a partition to which another one distributes the signal.
bool is_from_elsewhere(const SignalRecord& signal) {
  return signal.min_pending_key.is_set();
}

void start_by_signal(Step& step, const SignalSubscriptionRecord& subscription,
                     const SignalRecord& signal, SignalRecord& served) {
  const Definition& definition =
      step.state().definitions().get(subscription.process_definition_key);
  const bpmn::Element& start_event =
      start_event_of(definition, subscription.element_id, subscription.event_definition_id);
  const Key instance = step.next_key();
  start_by_event(step, instance, definition, start_event, signal.variables);
  ++served.delivered_count;
  if (signal.awaits_count) served.started_instances.push_back(instance);
}

void trigger_by_signal(Step& step, const SignalSubscriptionRecord& subscription,
                       const SignalRecord& signal, SignalRecord& served) {
  const EngineState& state = step.state();
  // The subscriptions of a banned instance stay until the instance is canceled.
  if (state.has_banned() && state.is_banned(subscription.process_instance_key)) return;
  try {
    step.before_receiver(subscription.element_instance_key);
    const ElementContext host = context_of(step, subscription.element_instance_key);
    const bpmn::Element& event =
        catch_event_of(host, subscription.element_id, subscription.event_definition_id);
    if (!can_trigger(step, host, event) || !can_collect(step, host, event, signal.variables)) {
      return;
    }
    trigger_event(step, host, event, signal.variables);
    ++served.delivered_count;
  } catch (const std::exception& error) {
    throw ReceiverFailed{
        subscription.process_instance_key,
        fmt::format("signal '{}' cannot be delivered to element '{}' of process instance {}: {}",
                    signal.signal_name, subscription.element_id,
                    subscription.process_instance_key.value(), error.what())};
  }
}

// Serves receivers behind the cursor of `served`, to which it adds. Returns false if receivers are
// left although the step has done its share.
bool serve_receivers(Step& step, const SignalRecord& signal, SignalRecord& served) {
  // The receivers are collected before the first is served, since serving one may close others.
  const std::size_t limit = step.signal_receivers_max();
  const std::vector<Key> receivers = step.state().signals().of_name(
      signal.tenant_id, signal.signal_name, signal.cursor, signal.snapshot_key, limit + 1);
  for (std::size_t i = 0; i < receivers.size(); ++i) {
    // A payload may be larger than the share of a step; each step serves one receiver at least.
    if (i == limit || (i > 0 && step.bytes_left() == 0)) return false;
    served.cursor = receivers[i];
    const SignalSubscriptionRow* row = step.state().signals().find(receivers[i]);
    if (row == nullptr) continue;
    // A copy, since triggering may close the subscription.
    const SignalSubscriptionRecord subscription = row->record;
    if (subscription.element_instance_key.is_set()) {
      trigger_by_signal(step, subscription, signal, served);
    } else if (!is_from_elsewhere(signal)) {
      start_by_signal(step, subscription, signal, served);
    }
  }
  return true;
}

// Brings the signal to the other partitions. A client that waits for the number of receivers is
// answered when they have reported, any other client at once.
void distribute_signal(Step& step, const SignalRecord& signal) {
  SignalRecord sent;
  sent.signal_name = signal.signal_name;
  sent.variables = signal.variables;
  sent.tenant_id = signal.tenant_id;
  sent.started_instances = signal.started_instances;
  DistributedCommand command = distributed(SignalIntent::Broadcast, sent);
  command.head.principal = signal.principal;
  const bool is_distributed =
      distribute(step, std::move(command),
                 DistributionPlan{.awaited_by = signal.awaits_count ? signal.request_id : 0,
                                  .result = signal.delivered_count});
  if (is_distributed && signal.awaits_count) return;
  SignalRecord answer = std::move(sent);
  answer.variables = {};
  answer.delivered_count = signal.delivered_count;
  step.respond_to(signal.request_id, SignalIntent::Broadcasted, signal.snapshot_key, answer);
}

// Ends a broadcast on this partition; `signal` has the sums of all steps.
void end_broadcast(Step& step, Key key, const SignalRecord& signal, bool was_paused) {
  if (was_paused) {
    SignalRecord completed;
    completed.signal_name = signal.signal_name;
    completed.tenant_id = signal.tenant_id;
    completed.delivered_count = signal.delivered_count;
    step.event(SignalIntent::Completed, key, completed);
  }
  if (!is_from_elsewhere(signal)) return distribute_signal(step, signal);
  step.set_result(signal.delivered_count);
  // The engine acknowledges the current command itself.
  if (!was_paused) return;
  record::Metadata command{record::make_head<SignalRecord>(SignalIntent::Broadcast, key).view()};
  command.min_pending_key = signal.min_pending_key;
  acknowledge_distributed(step, command);
}

// Serves a share of the receivers. `signal` has the sums of the steps before.
void serve_share(Step& step, Key key, SignalRecord signal, bool was_paused) {
  SignalRecord served;
  served.cursor = signal.cursor;
  if (!serve_receivers(step, signal, served)) {
    SignalRecord paused = served;
    if (!was_paused) {
      paused = signal;
      paused.cursor = served.cursor;
      paused.delivered_count = served.delivered_count;
      paused.started_instances = std::move(served.started_instances);
    }
    paused.signal_name = signal.signal_name;
    paused.tenant_id = signal.tenant_id;
    paused.snapshot_key = signal.snapshot_key;
    step.event(SignalIntent::Paused, key, paused);
    if (is_from_elsewhere(signal) && !was_paused) step.postpone_acknowledgement();
    SignalRecord next;
    next.signal_name = signal.signal_name;
    next.tenant_id = signal.tenant_id;
    return step.command(SignalIntent::Continue, key, next);
  }
  signal.delivered_count += served.delivered_count;
  signal.started_instances.insert(signal.started_instances.end(), served.started_instances.begin(),
                                  served.started_instances.end());
  end_broadcast(step, key, signal, was_paused);
}

}  // namespace

void begin_broadcast(Step& step, Key key, SignalRecord signal) {
  serve_share(step, key, std::move(signal), false);
}

void continue_broadcast(Step& step, Key key) {
  const SignalBroadcastRow* row = step.state().signals().find_broadcast(key);
  BEELINE_ENSURE(row != nullptr, "no broadcast with key {}", key.value());
  serve_share(step, key, row->record, true);
}

void abandon_broadcast(Step& step, Key key) {
  const SignalBroadcastRow* row = step.state().signals().find_broadcast(key);
  if (row == nullptr) return;
  const SignalRecord signal = row->record;
  end_broadcast(step, key, signal, true);
}

}  // namespace beeline::engine
