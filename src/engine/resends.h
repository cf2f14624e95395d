#pragma once

#include <absl/container/btree_map.h>

#include <compare>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "engine/options.h"
#include "engine/state/engine_state.h"
#include "engine/step.h"

namespace beeline::engine {

// A command to another partition that has not been acknowledged. It is computed from the state; the
// time of its last send is not, and is kept in memory only.
struct PendingSend {
  // In the order of resend_sources().
  enum class Kind { Distribution, OpenSubscription, CloseSubscription, CorrelateSubscription };
  Kind kind{};
  Key key;         // the key of the waiting row, or another key that identifies it
  PartitionId to;  // set if several partitions are waited for under one key
  auto operator<=>(const PendingSend&) const = default;
};

// One kind of row that waits for another partition: how to find such rows, and how to send their
// command again.
struct ResendSource {
  bool (*has_pending)(const EngineState& state);
  void (*collect)(const EngineState& state, std::vector<PendingSend>& into);
  OutgoingCommand (*build)(const EngineState& state, const PendingSend& pending);
};

// The sources, by PendingSend::Kind.
[[nodiscard]] std::span<const ResendSource> resend_sources();

// Sends unacknowledged commands again: after `first`, then after twice as long each time, up to
// `max`, without end. A row is first found by the search after it began to wait, so commands that
// were pending before a restart are sent within `tick` and `first` of it.
//
// Threading: it belongs to the partition's thread.
class Resends {
 public:
  explicit Resends(ResendOptions options) : options_(options) {}

  [[nodiscard]] std::vector<OutgoingCommand> due(const EngineState& state, Timestamp now);
  // Returns when due() should be called next; nothing if nothing is pending.
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
