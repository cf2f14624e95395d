#pragma once

#include "feel/value.h"

// The operators of FEEL on values: numbers, strings (+), calendar and durations. Null when the
// operands do not go together or the result does not exist.
namespace beeline::feel {

enum class Operator : std::uint8_t {
  Add,
  Subtract,
  Multiply,
  Divide,
  Power,
  Less,
  LessOrEqual,
  Greater,
  GreaterOrEqual,
  Equal,
  Unequal
};

[[nodiscard]] std::string_view operator_text(Operator op);
[[nodiscard]] Value arithmetic(Operator op, const Value& left, const Value& right);
// What it costs in steps of the budget (feel.h), strings aside, which cost by their length.
[[nodiscard]] std::size_t arithmetic_steps(Operator op, const Value& left, const Value& right);
[[nodiscard]] Value negate(const Value& value);
// The comparisons: true, false or null.
[[nodiscard]] Value compare_values(Operator op, const Value& left, const Value& right,
                                   Fractions fractions);

}  // namespace beeline::feel
