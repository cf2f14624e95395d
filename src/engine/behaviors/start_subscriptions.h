#pragma once

#include "engine/behaviors/catch_kinds.h"

// The start events of a process that wait; they belong to a version of the process, not to an
// instance.
namespace beeline::engine {

// Closes the start events of one version that are open at `where`, and opens those of another;
// either may be null. Fails if an expression does not evaluate.
[[nodiscard]] Outcome replace_starts(Step& step, StartsOn where, const Definition* closed,
                                     const Definition* opened, Takeover takeover);

}  // namespace beeline::engine
