#pragma once

#include <optional>

#include "engine/step.h"

namespace beeline::engine {

// A scope that takes no new child, because it ends, was interrupted or is being canceled.
struct ClosedScope {
  Key key;
  const ElementInstanceRow* row = nullptr;  // null if the instance is gone
};

// Returns the innermost closed scope around an instance that exists: its flow scope, a scope around
// that or, where the instance was called, one around its caller. Returns nothing if all of them are
// open. A scope that was interrupted is open to the element that interrupted it, and a transaction
// that is being canceled to the elements that take part in the cancellation.
[[nodiscard]] std::optional<ClosedScope> find_closed_scope_around(const Step& step, Key instance);

}  // namespace beeline::engine
