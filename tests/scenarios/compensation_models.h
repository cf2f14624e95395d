#pragma once

#include <string>
#include <vector>

#include "tests/support/scenario.h"

// Parts of models that the scenarios of compensation and of transactions share.
namespace beeline::testing {

// `activity` is compensated by a service task `undo` with a job of this type.
inline std::vector<Item> undone(const std::string& activity, const std::string& undo,
                                const std::string& type) {
  return {boundary(activity, compensation(activity + "_undone")),
          service_task(undo, job(type), for_compensation()),
          association(activity + "_undone", undo)};
}

}  // namespace beeline::testing
