#pragma once

#include <stdexcept>

namespace beeline::feel {

// For where this folder would contradict itself; nobody catches it. What a text or a value can
// cause is never checked like this: it is a ParseError, null with a warning, or a failure.
inline void check(bool holds, const char* what) {
  if (!holds) [[unlikely]]
    throw std::logic_error(what);
}

}  // namespace beeline::feel
