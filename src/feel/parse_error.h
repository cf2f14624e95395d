#pragma once

#include <string_view>

#include "feel/feel.h"

namespace beeline::feel {

// Returns the error with line and column, computed from its offset in the text.
[[nodiscard]] ParseError located(ParseError error, std::string_view text);

}  // namespace beeline::feel
