#pragma once

#include <string_view>

#include "base/check.h"
#include "base/ids.h"

namespace beeline::engine {

// Returns the row of a lookup that must succeed: `what` with this key. A missing row is a bug that
// concerns the current command, not the partition.
template <typename Row>
[[nodiscard]] const Row& existing(const Row* row, std::string_view what, Key key) {
  BEELINE_ENSURE(row != nullptr, "no {} with key {}", what, key.value());
  return *row;
}

}  // namespace beeline::engine
