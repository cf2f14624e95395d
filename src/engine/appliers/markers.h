#pragma once

#include <string_view>

namespace beeline::engine {

// JOB ERROR_THROWN has this text in place of the element's id if nothing catches the error, for
// readers of the log. An element may have this id, so only version 1 of the event decides by it.
inline constexpr std::string_view kNoCatchEventFound = "NO_CATCH_EVENT_FOUND";

}  // namespace beeline::engine
