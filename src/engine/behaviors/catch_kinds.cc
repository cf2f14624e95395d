#include "engine/behaviors/catch_kinds.h"

#include <array>

#include "engine/behaviors/message_correlation.h"

namespace beeline::engine {
namespace {

constexpr CatchKind kMessageKind = {
    .is_kind_of = [](const bpmn::Element& event) { return event.parts().message.has_value(); },
    .plan = [](const Step& step, const ElementContext& host, const bpmn::Element& event,
               std::span<const PlannedCatch> before) -> Result<CatchPlan, Failure> {
      BEELINE_TRY(AwaitedMessage message, evaluate_message(step, host, event));
      for (const PlannedCatch& other : before) {
        const auto* same = std::get_if<AwaitedMessage>(&other.plan);
        if (same == nullptr || same->name != message.name) continue;
        return failure(same_message_failure(host, event, message.name, *other.event));
      }
      return message;
    },
    .open =
        [](Step& step, const ElementContext& host, const PlannedCatch& planned) {
          open_message_subscription(step, host, *planned.event,
                                    std::get<AwaitedMessage>(planned.plan));
        },
    .opened_by =
        [](const EngineState& state, Key host) {
          return state.process_message_subscriptions().of_element_instance(host);
        },
    .event_id = [](const EngineState& state, Key subscription) -> std::string_view {
      return state.process_message_subscriptions().get(subscription).record.element_id;
    },
    .definition_id = [](const EngineState& state, Key subscription) -> std::string_view {
      return state.process_message_subscriptions().get(subscription).record.event_definition_id;
    },
    .close = close_message_subscription,
    .starts_on = StartsOn::EveryPartition,
    .plan_start = [](const Step&, const bpmn::Element& event,
                     Takeover) -> Result<std::optional<CatchPlan>, Failure> {
      // Deployment has checked that a start event's message has a constant name.
      return AwaitedMessage{.name = event.parts().message->name.text, .correlation_key = {}};
    },
    .open_start =
        [](Step& step, const Definition& definition, const PlannedCatch& planned) {
          open_message_start(step, definition, *planned.event,
                             std::get<AwaitedMessage>(planned.plan).name);
        },
    .starts_of =
        [](const EngineState& state, Key definition) {
          const auto starts = state.message_starts().of_definition(definition);
          return std::vector<Key>{starts.begin(), starts.end()};
        },
    .close_start = close_message_start,
};

constexpr CatchKind kTimerKind = {
    .is_kind_of = [](const bpmn::Element& event) { return event.parts().timer.has_value(); },
    .plan = [](const Step& step, const ElementContext& host, const bpmn::Element& event,
               std::span<const PlannedCatch>) -> Result<CatchPlan, Failure> {
      return plan_timer(step, event, host.key);
    },
    .open =
        [](Step& step, const ElementContext& host, const PlannedCatch& planned) {
          create_timer(step, host, *planned.event, std::get<PlannedTimer>(planned.plan));
        },
    .opened_by = [](const EngineState& state,
                    Key host) { return state.timers().of_element_instance(host); },
    .event_id = [](const EngineState& state, Key timer) -> std::string_view {
      return state.timers().get(timer).record.target_element_id;
    },
    .definition_id = [](const EngineState& state, Key timer) -> std::string_view {
      return state.timers().get(timer).record.event_definition_id;
    },
    .close = cancel_timer,
    .starts_on = StartsOn::DeployingPartition,
    .plan_start = [](const Step& step, const bpmn::Element& event,
                     Takeover takeover) -> Result<std::optional<CatchPlan>, Failure> {
      BEELINE_TRY(PlannedTimer plan, plan_timer(step, event, Key{}));
      const bool has_passed =
          event.parts().timer->kind == bpmn::TimerKind::Date && plan.due.at <= step.now();
      if (takeover == Takeover::FormerVersion && has_passed) return std::nullopt;
      return plan;
    },
    .open_start =
        [](Step& step, const Definition& definition, const PlannedCatch& planned) {
          create_start_timer(step, definition, *planned.event,
                             std::get<PlannedTimer>(planned.plan));
        },
    .starts_of = [](const EngineState& state,
                    Key definition) { return state.timers().of_definition(definition); },
    .close_start = cancel_timer,
};

constexpr CatchKind kSignalKind = {
    .is_kind_of = [](const bpmn::Element& event) { return event.parts().signal.has_value(); },
    .plan = [](const Step& step, const ElementContext& host, const bpmn::Element& event,
               std::span<const PlannedCatch> before) -> Result<CatchPlan, Failure> {
      BEELINE_TRY(std::string name, evaluate_signal_name(step, event, host.key));
      for (const PlannedCatch& other : before) {
        const auto* same = std::get_if<AwaitedSignal>(&other.plan);
        if (same == nullptr || same->name != name) continue;
        return failure(same_signal_failure(host, event, name, *other.event));
      }
      return AwaitedSignal{std::move(name)};
    },
    .open =
        [](Step& step, const ElementContext& host, const PlannedCatch& planned) {
          open_signal_subscription(step, host, *planned.event,
                                   std::get<AwaitedSignal>(planned.plan));
        },
    .opened_by = [](const EngineState& state,
                    Key host) { return state.signals().of_element_instance(host); },
    .event_id = [](const EngineState& state, Key subscription) -> std::string_view {
      return state.signals().get(subscription).record.element_id;
    },
    .definition_id = [](const EngineState& state, Key subscription) -> std::string_view {
      return state.signals().get(subscription).record.event_definition_id;
    },
    .close = close_signal_subscription,
    .starts_on = StartsOn::EveryPartition,
    .plan_start = [](const Step&, const bpmn::Element& event,
                     Takeover) -> Result<std::optional<CatchPlan>, Failure> {
      // Deployment has checked that the name of a start event's signal is a constant.
      return AwaitedSignal{event.parts().signal->name.text};
    },
    .open_start =
        [](Step& step, const Definition& definition, const PlannedCatch& planned) {
          open_signal_start(step, definition, *planned.event,
                            std::get<AwaitedSignal>(planned.plan));
        },
    .starts_of = [](const EngineState& state,
                    Key definition) { return state.signals().of_definition(definition); },
    .close_start = close_signal_subscription,
};

constexpr CatchKind kConditionalKind = {
    .is_kind_of = [](const bpmn::Element& event) { return event.parts().conditional.has_value(); },
    .plan = [](const Step&, const ElementContext&, const bpmn::Element&,
               std::span<const PlannedCatch>) -> Result<CatchPlan, Failure> {
      return AwaitedCondition{};
    },
    .open =
        [](Step& step, const ElementContext& host, const PlannedCatch& planned) {
          open_conditional_subscription(step, host, *planned.event);
        },
    .opened_by =
        [](const EngineState& state, Key host) {
          return state.conditional_subscriptions().of_element_instance(host);
        },
    .event_id = [](const EngineState& state, Key subscription) -> std::string_view {
      return state.conditional_subscriptions().get(subscription).record.element_id;
    },
    .definition_id = [](const EngineState& state, Key subscription) -> std::string_view {
      return state.conditional_subscriptions().get(subscription).record.event_definition_id;
    },
    .close = close_conditional_subscription,
    .starts_on = StartsOn::EveryPartition,
    .plan_start = [](const Step&, const bpmn::Element&, Takeover)
        -> Result<std::optional<CatchPlan>, Failure> { return AwaitedCondition{}; },
    .open_start =
        [](Step& step, const Definition& definition, const PlannedCatch& planned) {
          open_conditional_start(step, definition, *planned.event);
        },
    .starts_of =
        [](const EngineState& state, Key definition) {
          return state.conditional_subscriptions().of_definition(definition);
        },
    .close_start = close_conditional_subscription,
};

constexpr std::array kCatchKinds = {kMessageKind, kTimerKind, kSignalKind, kConditionalKind};

}  // namespace

std::span<const CatchKind> catch_kinds() {
  return kCatchKinds;
}

}  // namespace beeline::engine
