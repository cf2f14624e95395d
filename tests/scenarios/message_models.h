#pragma once

#include <string>
#include <vector>

#include "tests/support/scenario.h"

// What several of the message scenarios are about.
namespace beeline::testing {

// One token that waits for "paid" with the key in the variable `order`.
inline Model one_catch(const std::string& id = "order") {
  return process(id, start() >> catch_event(message("wait", "paid", "=order")) >> end());
}

// The records of messages and subscriptions, and rejections.
inline const std::vector<std::string> kMessages = {"E MESSAGE", "E PROCESS_MESSAGE", "C MESSAGE",
                                                   "C PROCESS_MESSAGE", "R"};

}  // namespace beeline::testing
