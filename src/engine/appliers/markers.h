#pragma once

#include <string_view>

namespace beeline::engine {

// JOB ERROR_THROWN bears this in place of the element's id when nothing catches the error, for
// those who read the log. An element may have this id, so only version 1 of the event decides by
// it.
inline constexpr std::string_view kNoCatchEventFound = "NO_CATCH_EVENT_FOUND";

}  // namespace beeline::engine
