#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/sim/chance.h"

namespace beeline::sim {

// The names that random processes wait for and random clients send.
inline constexpr const char* kMessageNames[] = {"paid", "sent"};
// What interrupts nothing, beside the above.
inline constexpr const char* kNewsName = "news";
inline constexpr const char* kCorrelationKeys[] = {"a", "b", "c", "123"};
inline constexpr const char* kJobTypes[] = {"work0", "work1", "work2"};
// What instances can be created of.
inline constexpr const char* kProcessIds[] = {"order", "claim"};

// Resources to deploy: two random processes out of tasks, timers, messages, gateways, subprocesses,
// multi-instance and calls; the one they call; and one that messages start.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> random_resources(Chance& chance);

}  // namespace beeline::sim
