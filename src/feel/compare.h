#pragma once

#include <compare>
#include <cstddef>
#include <optional>

#include "feel/value.h"

// Equality, order and membership of values. Where FEEL answers null (values of different types, a
// local time beside a zoned one) these answer nothing.
namespace beeline::feel {

// FEEL's `=`. Only null equals null; null beside anything else is false, not nothing.
[[nodiscard]] std::optional<bool> equal(const Value& a, const Value& b, Fractions fractions);
// The same as a plain question, for searching lists: nothing counts as unequal.
[[nodiscard]] inline bool equals(const Value& a, const Value& b, Fractions fractions) {
  return equal(a, b, fractions).value_or(false);
}
// Consistent with equals: equal values hash alike.
[[nodiscard]] std::size_t hash(const Value& value, Fractions fractions);
// is(a, b): same type and same form.
[[nodiscard]] bool identical(const Value& a, const Value& b);

// FEEL's `<` and friends: numbers, strings, temporal values and durations of one kind.
[[nodiscard]] std::optional<std::strong_ordering> order(const Value& a, const Value& b);
// Whether the kind has an order at all.
[[nodiscard]] bool is_ordered(Kind kind);

// Whether the point lies in the range; nothing when it cannot be compared with a bound.
[[nodiscard]] std::optional<bool> contains(const Range& range, const Value& point,
                                           Fractions fractions);

}  // namespace beeline::feel
