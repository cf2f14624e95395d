#pragma once

#include <string_view>

#include "feel/feel.h"

namespace beeline::feel {

// The error with line and column, which follow from its offset in the text.
[[nodiscard]] ParseError located(ParseError error, std::string_view text);

}  // namespace beeline::feel
