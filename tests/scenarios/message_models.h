#pragma once

#include <string>
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

}  // namespace beeline::testing
