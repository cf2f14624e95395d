#pragma once

#include <string>
#include <utility>

#include "feel/feel.h"

namespace beeline::bpmn {

// The value of an attribute that may be fixed or computed: text that starts with "=" is FEEL, any
// other text stands for itself. FEEL is parsed at deployment, so that run time never meets a syntax
// error.
struct Expression {
  bool is_static = true;
  // The static value, or the FEEL source without its "=".
  std::string text;
  feel::Expression feel;  // of use only when not static; default constructed it evaluates to null

  [[nodiscard]] bool is_feel() const { return !is_static; }
  // A static value that says nothing.
  [[nodiscard]] bool is_empty() const { return is_static && text.empty(); }

  [[nodiscard]] static Expression literal(std::string text) {
    return Expression{.is_static = true, .text = std::move(text), .feel = {}};
  }
  // What an input mapping without a source has: FEEL that gives null.
  [[nodiscard]] static Expression null() {
    return Expression{.is_static = false, .text = "null", .feel = {}};
  }
};

}  // namespace beeline::bpmn
