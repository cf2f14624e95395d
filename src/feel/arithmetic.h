#pragma once

#include "feel/value.h"

// The operators of FEEL on values: numbers, strings (+), calendar values and durations. The result
// is null if the operator does not accept the operands or if the result does not exist.
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
// Returns the cost of the operation in steps of the budget (feel.h), without strings, whose cost
// depends on their length.
[[nodiscard]] std::size_t arithmetic_steps(Operator op, const Value& left, const Value& right);
[[nodiscard]] Value negate(const Value& value);
// Compares two values. The result is true, false or null.
[[nodiscard]] Value compare_values(Operator op, const Value& left, const Value& right,
                                   Fractions fractions);

}  // namespace beeline::feel
