#pragma once

#include <string_view>

namespace beeline::server {

// The version comes from the project's version in CMakeLists.txt.
inline constexpr std::string_view kVersion = BEELINE_VERSION;

}  // namespace beeline::server
