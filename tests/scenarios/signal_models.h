#pragma once

#include <string>
#include <vector>

#include "tests/support/scenario.h"

// Models and words that several of the signal scenarios share.
namespace beeline::testing {

// One token that waits for the signal "go".
inline Model one_signal_catch(const std::string& id = "order") {
  return process(id, start() >> catch_event(signal("wait", "go")) >> end());
}

// A task that the signal "go" interrupts.
inline Model signal_boundary(const std::string& id = "order") {
  return process(id, start() >> service_task("ship", job("ship")) >> end("shipped"),
                 boundary("ship", signal("stop", "go")) >> end("stopped"));
}

// The records of signals and of what they trigger, and rejections.
inline const std::vector<std::string> kSignals = {"C SIGNAL", "E SIGNAL", "R"};

}  // namespace beeline::testing
