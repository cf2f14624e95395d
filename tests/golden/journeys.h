#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/engine.h"
#include "tests/support/cluster.h"

namespace beeline::testing {

// What a golden journal holds: one thing after another that a server may be asked to do, chosen so
// that all journeys together write every kind of event (golden_test.cc checks that), and so that
// something of each kind is still there at the end. Time is that of the cluster and keys count from
// one, so a journey writes the same bytes whenever the same version takes it.
//
// A journey may be changed at will: what was written with an earlier form stays as it is.
struct Journey {
  std::string_view name;
  std::int32_t partitions;
  void (*take)(Cluster& cluster);
  engine::EngineOptions options = {};
};

[[nodiscard]] std::span<const Journey> all_journeys();

}  // namespace beeline::testing
