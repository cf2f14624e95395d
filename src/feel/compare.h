#pragma once

#include <compare>
#include <cstddef>
#include <optional>

#include "feel/value.h"

// Equality, order and membership of values. Where FEEL answers null (values of different types, a
// local time compared with a zoned one), these functions return nothing.
namespace beeline::feel {

// FEEL's `=`. Null equals null only; comparing null with any other value gives false, not nothing.
[[nodiscard]] std::optional<bool> equal(const Value& a, const Value& b, Fractions fractions);
// Like equal(), for searching lists: values that cannot be compared count as unequal.
[[nodiscard]] inline bool equals(const Value& a, const Value& b, Fractions fractions) {
  return equal(a, b, fractions).value_or(false);
}
// Consistent with equals(): equal values have equal hashes.
[[nodiscard]] std::size_t hash(const Value& value, Fractions fractions);
// is(a, b): the values have the same type and the same form.
[[nodiscard]] bool identical(const Value& a, const Value& b);

// FEEL's `<` and the other order operators, for numbers, strings, temporal values and durations of
// one kind.
[[nodiscard]] std::optional<std::strong_ordering> order(const Value& a, const Value& b);
// True if values of this kind have an order.
[[nodiscard]] bool is_ordered(Kind kind);

// True if the point lies in the range; nothing if it cannot be compared with a bound.
[[nodiscard]] std::optional<bool> contains(const Range& range, const Value& point,
                                           Fractions fractions);

}  // namespace beeline::feel
