#pragma once

#include "feel/program.h"

namespace beeline::feel {

// Replaces subtrees that always give the same value by that value: arithmetic on literals,
// date("..."), lists of constants. A subtree that would warn stays, so the warning appears at run
// time.
void fold_constants(Program& program);

}  // namespace beeline::feel
