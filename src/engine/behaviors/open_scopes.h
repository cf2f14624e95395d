#pragma once

#include <cstdint>
#include <optional>

#include "engine/step.h"

namespace beeline::engine {

// A scope that takes no new child, because it ends or was interrupted.
struct ClosedScope {
  Key key;
  const ElementInstanceRow* row = nullptr;  // null if the instance is gone
};

// Returns the innermost closed scope around an instance of element number `element` in `scope`:
// `scope` itself, a scope around it or, where an instance was called, one around its caller.
// Returns nothing if all of them are open. A scope that was interrupted is open to the element that
// interrupted it.
[[nodiscard]] std::optional<ClosedScope> find_closed_scope(const Step& step, Key scope,
                                                           std::int32_t element);
// Returns the innermost closed scope around an instance that exists.
[[nodiscard]] std::optional<ClosedScope> find_closed_scope_around(const Step& step,
                                                                  const ElementInstanceRow& row);

}  // namespace beeline::engine
