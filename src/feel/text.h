#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "feel/value.h"

namespace beeline::feel {

// Returns the result of string(): FEEL's own notation. Strings inside lists and contexts are
// quoted, but a string itself is not.
[[nodiscard]] std::string to_text(const Value& value);

// Returns the value with its kind, for a message: `number 5`, `string "a"`. Long strings are
// shortened; for lists and contexts only the size is given.
[[nodiscard]] std::string describe(const Value& value);

// Returns the date, date and time, time or duration that the text spells, tried in this order.
[[nodiscard]] std::optional<Value> parse_temporal(std::string_view text, TextForms forms);

}  // namespace beeline::feel
