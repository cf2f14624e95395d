#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "feel/feel.h"

namespace beeline::bpmn {

// The value of an attribute that may be fixed or computed: text that starts with "=" is FEEL, any
// other text is the value itself. FEEL is parsed at deployment, so there are no syntax errors at
// run time.
struct Expression {
  bool is_static = true;
  // The static value, or the FEEL source without its "=".
  std::string text;
  feel::Expression feel;  // used only if not static; a default constructed one evaluates to null

  [[nodiscard]] bool is_feel() const { return !is_static; }
  // True for an empty static value.
  [[nodiscard]] bool is_empty() const { return is_static && text.empty(); }

  // The static value as a number, if it is one.
  std::optional<double> number = {};

  [[nodiscard]] static Expression literal(std::string text) {
    const std::optional<double> number = number_in(text);
    return Expression{.is_static = true, .text = std::move(text), .feel = {}, .number = number};
  }
  // The source of an input mapping that has none in the model: FEEL that gives null.
  [[nodiscard]] static Expression null() {
    return Expression{.is_static = false, .text = "null", .feel = {}};
  }

 private:
  static std::optional<double> number_in(std::string_view text) {
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || stop != end || !std::isfinite(number)) return std::nullopt;
    return number;
  }
};

}  // namespace beeline::bpmn
