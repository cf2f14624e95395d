#include "engine/resends.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "engine/behaviors/distribution.h"
#include "engine/behaviors/message_protocol.h"

namespace beeline::engine {
namespace {

using Kind = PendingSend::Kind;

void collect_keys(Kind kind, const state::OrderedIndex<Key>& keys, std::vector<PendingSend>& into) {
  for (const Key key : keys) into.push_back({kind, key, PartitionId{}});
}

// Distributed commands that a partition has not acknowledged.
constexpr ResendSource kDistributed = {
    [](const EngineState& state) { return !state.distributions().sent().empty(); },
    [](const EngineState& state, std::vector<PendingSend>& into) {
      for (const auto& [key, target] : state.distributions().sent()) {
        into.push_back({Kind::Distribution, key, target});
      }
    },
    [](const EngineState& state, const PendingSend& pending) {
      return build_distributed(state, pending.key, pending.to);
    }};

// Subscriptions whose opening or closing the message's partition has not acknowledged yet.
template <Kind kKind>
const state::OrderedIndex<Key>& unsettled(const EngineState& state) {
  const ProcessMessageSubscriptions& subscriptions = state.process_message_subscriptions();
  return kKind == Kind::OpenSubscription ? subscriptions.opening_elsewhere()
                                         : subscriptions.closing_elsewhere();
}

template <Kind kKind>
OutgoingCommand settle(const EngineState& state, const PendingSend& pending) {
  const auto& subscription = state.process_message_subscriptions().get(pending.key).record;
  return make_outgoing(subscription.subscription_partition_id,
                       kKind == Kind::OpenSubscription ? record::MessageSubscriptionIntent::Create
                                                       : record::MessageSubscriptionIntent::Delete,
                       Key{}, message_side(subscription));
}

template <Kind kKind>
constexpr ResendSource kUnsettled = {
    [](const EngineState& state) { return !unsettled<kKind>(state).empty(); },
    [](const EngineState& state, std::vector<PendingSend>& into) {
      collect_keys(kKind, unsettled<kKind>(state), into);
    },
    settle<kKind>};

// Messages on their way to an instance. The attempt names the send, because the next message of the
// same subscription needs an acknowledgement of its own.
constexpr ResendSource kCorrelating = {
    [](const EngineState& state) {
      return !state.message_subscriptions().unacknowledged().empty();
    },
    [](const EngineState& state, std::vector<PendingSend>& into) {
      for (const auto& [attempt, subscription] : state.message_subscriptions().unacknowledged()) {
        into.push_back({Kind::CorrelateSubscription, attempt, PartitionId{}});
      }
    },
    [](const EngineState& state, const PendingSend& pending) {
      const MessageSubscriptions& subscriptions = state.message_subscriptions();
      const auto attempt = subscriptions.unacknowledged().from({pending.key, Key{}});
      BEELINE_ENSURE(attempt != subscriptions.unacknowledged().end(), "no attempt {} is pending",
                     pending.key.value());
      const auto& subscription = subscriptions.get(attempt->second).record;
      return make_outgoing(instance_partition(subscription),
                           record::ProcessMessageSubscriptionIntent::Correlate, Key{},
                           correlate_command(subscription, state.partition()));
    }};

}  // namespace

std::span<const ResendSource> resend_sources() {
  // The order is that of PendingSend::Kind.
  static constexpr std::array kSources = {kDistributed, kUnsettled<Kind::OpenSubscription>,
                                          kUnsettled<Kind::CloseSubscription>, kCorrelating};
  return kSources;
}

bool Resends::is_paused(PendingSend::Kind kind) const {
  return options_.distributions_paused && kind == Kind::Distribution;
}

std::vector<OutgoingCommand> Resends::due(const EngineState& state, Timestamp now) {
  if (next_scan_ && now < *next_scan_) return {};
  next_scan_ = now + options_.tick;
  const std::span<const ResendSource> sources = resend_sources();
  std::vector<PendingSend> pending;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (!is_paused(static_cast<Kind>(i))) sources[i].collect(state, pending);
  }

  absl::btree_map<PendingSend, Sent> still;
  std::vector<std::pair<Timestamp, PendingSend>> overdue;
  for (const PendingSend& each : pending) {
    const auto it = sent_.find(each);
    Sent sent = it != sent_.end() ? it->second : Sent{now + options_.first, options_.first};
    if (sent.next <= now) {
      overdue.emplace_back(sent.next, each);
      sent.wait = std::min(sent.wait * 2, options_.max);
      sent.next = now + sent.wait;
    }
    still.emplace(each, sent);
  }
  sent_ = std::move(still);

  std::ranges::sort(overdue);
  std::vector<OutgoingCommand> out;
  out.reserve(overdue.size());
  for (const auto& [since, each] : overdue) {
    out.push_back(sources[static_cast<std::size_t>(each.kind)].build(state, each));
  }
  return out;
}

std::optional<Timestamp> Resends::next_due(const EngineState& state) const {
  const std::span<const ResendSource> sources = resend_sources();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (!is_paused(static_cast<Kind>(i)) && sources[i].has_pending(state)) {
      return next_scan_.value_or(Timestamp{});
    }
  }
  return std::nullopt;
}

}  // namespace beeline::engine
