#pragma once

#include <string>

#include "tests/support/scenario.h"

namespace beeline::testing {

// Returns the reason of the last rejection on the log, which may be that of a follow-up command and
// then answers nobody.
inline std::string last_rejection(const World& world) {
  for (auto record = world.records().rbegin(); record != world.records().rend(); ++record) {
    if (record->metadata.record_type == record::RecordType::CommandRejection) {
      return record->rejection_reason;
    }
  }
  return "nothing was rejected";
}

}  // namespace beeline::testing
