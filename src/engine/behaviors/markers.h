#pragma once

#include <string_view>

namespace beeline::engine {

// Stands in JOB ERROR_THROWN where the element's id would, when nothing catches the error; the job
// is kept then.
inline constexpr std::string_view kNoCatchEventFound = "NO_CATCH_EVENT_FOUND";

}  // namespace beeline::engine
