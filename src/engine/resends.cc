#include "engine/resends.h"

#include <algorithm>

#include "engine/behaviors/distribution.h"

namespace beeline::engine {

std::span<const ResendSource> resend_sources() {
  // By PendingSend::Kind.
  static constexpr ResendSource kSources[] = {
      {has_sent_distributions, collect_sent_distributions, build_distributed},
  };
  return kSources;
}

std::vector<OutgoingCommand> Resends::due(const EngineState& state, Timestamp now) {
  if (next_scan_ && now < *next_scan_) return {};
  next_scan_ = now + kTick;
  const std::span<const ResendSource> sources = resend_sources();
  std::vector<PendingSend> pending;
  for (const ResendSource& source : sources) source.collect(state, pending);

  absl::btree_map<PendingSend, Sent> still;
  std::vector<std::pair<Timestamp, PendingSend>> overdue;
  for (const PendingSend& each : pending) {
    const auto it = sent_.find(each);
    Sent sent = it != sent_.end() ? it->second : Sent{now + kFirst, kFirst};
    if (sent.next <= now) {
      overdue.emplace_back(sent.next, each);
      sent.wait = std::min(sent.wait * 2, kMax);
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
  const auto waits = [&](const ResendSource& source) { return source.has_pending(state); };
  if (!std::ranges::any_of(resend_sources(), waits)) return std::nullopt;
  return next_scan_.value_or(Timestamp{});
}

}  // namespace beeline::engine
