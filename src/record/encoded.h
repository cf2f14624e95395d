#pragma once

#include "record/field.h"

namespace beeline::record {

// A message that is kept in its wire form, because its holder passes it on and does not read it.
// `Text` owns the bytes or borrows them. Empty bytes mean that there is no message.
template <HasFields T, typename Text>
struct Encoded {
  using Message = T;

  Text bytes = {};
  [[nodiscard]] bool empty() const { return bytes.empty(); }
  bool operator==(const Encoded&) const = default;
};

}  // namespace beeline::record
