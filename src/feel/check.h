#pragma once

#include <stdexcept>

namespace beeline::feel {

// Checks an invariant of this folder; nobody catches the exception. A condition that a text or a
// value can violate is never checked this way: it leads to a ParseError, to null with a warning, or
// to a failure.
inline void check(bool holds, const char* what) {
  if (!holds) [[unlikely]]
    throw std::logic_error(what);
}

}  // namespace beeline::feel
