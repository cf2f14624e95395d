#pragma once

#include <fmt/format.h>

#include <string>

#include "tests/support/scenario.h"

// Processes that wait for conditions, for the tests of conditional events.
namespace beeline::testing {

inline Model conditional_catch() {
  return process("order", start() >> catch_event(conditional("wait", "=x > 5")) >> end());
}

inline Model conditional_boundary() {
  return process("order", start() >> service_task("ship", job("ship")) >> end("shipped"),
                 boundary("ship", conditional("stop", "=x > 5")) >> end("stopped"));
}

inline Model conditional_in_subprocess() {
  return process(
      "order", start() >>
                   subprocess("sub", start("s") >> service_task("ship", job("ship")) >> end("e"),
                              boundary("ship", conditional("stop", "=x > 5")) >> end("stopped")) >>
                   end());
}

inline Model conditional_gateway(const std::string& id = "order") {
  return process(id,
                 start() >> event_based_gateway("gate") >>
                     catch_event(conditional("by_x", "=x > 5")) >> end("ended_x"),
                 from("gate") >> catch_event(conditional("by_y", "=y > 5")) >> end("ended_y"),
                 from("gate") >> catch_event(timer("late", 1h)) >> end("too_late"));
}

inline void expect_no_conditions(const World& world) {
  EXPECT_EQ(world.state().conditional_subscriptions().count(), 0U);
}

}  // namespace beeline::testing
