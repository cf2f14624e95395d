#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/engine.h"
#include "tests/support/cluster.h"

namespace beeline::testing {

// The contents of a golden journal: a sequence of things that a server may be asked to do, chosen
// so that all journeys together write every kind of event (golden_test.cc checks that), and so that
// something of each kind still exists at the end. Time is that of the cluster and keys count from
// one, so a journey writes the same bytes whenever the same version runs it.
//
// A journey may be changed at will: journals that were written with an earlier form stay as they
// are.
struct Journey {
  std::string_view name;
  std::int32_t partitions;
  void (*take)(Cluster& cluster);
  engine::EngineOptions options = {};
};

[[nodiscard]] std::span<const Journey> all_journeys();

}  // namespace beeline::testing
