#pragma once

#include <absl/container/btree_map.h>

#include <compare>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "engine/state/engine_state.h"
#include "engine/step.h"

namespace beeline::engine {

// A command to another partition whose acknowledgement has not come. It follows from the state;
// when it was last sent does not, and is kept in memory only.
struct PendingSend {
  // In the order of resend_sources().
  enum class Kind { Distribution, OpenSubscription, CloseSubscription, CorrelateSubscription };
  Kind kind{};
  Key key;         // of the row that waits, or what else tells it from others
  PartitionId to;  // where several partitions are waited for under one key
  auto operator<=>(const PendingSend&) const = default;
};

// One kind of row that waits for another partition: how to find them, and how to send again.
struct ResendSource {
  bool (*has_pending)(const EngineState& state);
  void (*collect)(const EngineState& state, std::vector<PendingSend>& into);
  OutgoingCommand (*build)(const EngineState& state, const PendingSend& pending);
};

// The sources, by PendingSend::Kind.
[[nodiscard]] std::span<const ResendSource> resend_sources();

struct ResendOptions {
  Milliseconds tick{5'000};  // from one look at what is pending to the next
  Milliseconds first{10'000};
  Milliseconds max{300'000};
  // Distributed commands go out once and are not sent again: for whoever has to keep partitions
  // that cannot be reached from being asked all the time.
  bool distributions_paused = false;
};

// Sends again what was not acknowledged: after `first`, then after twice as long each time, up to
// `max`, without end. A row is first seen by the look after it began to wait, so what was pending
// before a restart goes out within `tick` and `first` of it.
//
// Threading: belongs to the partition's thread.
class Resends {
 public:
  explicit Resends(ResendOptions options) : options_(options) {}

  [[nodiscard]] std::vector<OutgoingCommand> due(const EngineState& state, Timestamp now);
  // When due() should be asked next; nothing when nothing is pending.
  [[nodiscard]] std::optional<Timestamp> next_due(const EngineState& state) const;

 private:
  struct Sent {
    Timestamp next;
    Milliseconds wait;
  };
  [[nodiscard]] bool is_paused(PendingSend::Kind kind) const;

  ResendOptions options_;
  absl::btree_map<PendingSend, Sent> sent_;
  std::optional<Timestamp> next_scan_;
};

}  // namespace beeline::engine
