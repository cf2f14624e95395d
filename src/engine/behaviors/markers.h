#pragma once

#include <string_view>

namespace beeline::engine {

// Stands in JOB ERROR_THROWN where the element's id would, when nothing catches the error: for
// those who read the log. An element may have this id, so nothing is decided by it any more.
inline constexpr std::string_view kNoCatchEventFound = "NO_CATCH_EVENT_FOUND";

}  // namespace beeline::engine
