#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/scenario.h"

// Models and filters that several message scenarios share.
namespace beeline::testing {

// Returns a process with one token, which waits for "paid" with the key in the variable `order`.
inline Model one_catch(const std::string& id = "order") {
  return process(id, start() >> catch_event(message("wait", "paid", "=order")) >> end());
}

// Selects the records of messages and subscriptions, and rejections.
inline const std::vector<std::string> kMessages = {"E MESSAGE", "E PROCESS_MESSAGE", "C MESSAGE",
                                                   "C PROCESS_MESSAGE", "R"};

// The commands between the two sides of a subscription, as they are named on a wire
// (tests/support/two_partitions.h).
inline constexpr std::string_view kOpen = "MESSAGE_SUBSCRIPTION CREATE";
inline constexpr std::string_view kOpened = "PROCESS_MESSAGE_SUBSCRIPTION CREATE";
inline constexpr std::string_view kCorrelate = "PROCESS_MESSAGE_SUBSCRIPTION CORRELATE";
inline constexpr std::string_view kTaken = "MESSAGE_SUBSCRIPTION CORRELATE";
inline constexpr std::string_view kRefused = "MESSAGE_SUBSCRIPTION REJECT";
inline constexpr std::string_view kClose = "MESSAGE_SUBSCRIPTION DELETE";
inline constexpr std::string_view kClosed = "PROCESS_MESSAGE_SUBSCRIPTION DELETE";

// Counts the records whose description begins with this, such as "E ELEMENT COMPLETED wait".
inline std::size_t times(const World& world, std::string_view line) {
  return static_cast<std::size_t>(std::ranges::count_if(
      world.records(),
      [&](const record::OwnedRecord& record) { return describe(record).starts_with(line); }));
}

}  // namespace beeline::testing
