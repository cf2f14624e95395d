#include "feel/compare.h"

#include <absl/hash/hash.h>

namespace beeline::feel {

namespace {

bool equal_lists(const std::vector<Value>& a, const std::vector<Value>& b, Fractions fractions) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!equals(a[i], b[i], fractions)) return false;
  }
  return true;
}

bool equal_contexts(const Context& a, const Context& b, Fractions fractions) {
  if (a.entries().size() != b.entries().size()) return false;
  for (const Entry& entry : a.entries()) {
    const Value* other = b.find(entry.name);
    if (other == nullptr || !equals(entry.value, *other, fractions)) return false;
  }
  return true;
}

bool equal_ranges(const Range& a, const Range& b, Fractions fractions) {
  return a.form == b.form && a.start_included == b.start_included &&
         a.end_included == b.end_included && equals(a.start, b.start, fractions) &&
         equals(a.end, b.end, fractions);
}

}  // namespace

std::optional<bool> equal(const Value& a, const Value& b, Fractions fractions) {
  if (a.is_null() || b.is_null()) return a.is_null() && b.is_null();
  if (a.kind() != b.kind()) return std::nullopt;
  switch (a.kind()) {
    case Kind::Null:
      return true;
    case Kind::Boolean:
      return a.boolean() == b.boolean();
    case Kind::Number:
      return a.number() == b.number();
    case Kind::String:
      return a.string() == b.string();
    case Kind::List:
      return equal_lists(a.list(), b.list(), fractions);
    case Kind::Context:
      return equal_contexts(a.context(), b.context(), fractions);
    case Kind::Date:
      return a.date() == b.date();
    case Kind::Time:
      return equal(a.time(), b.time(), fractions);
    case Kind::DateTime:
      return equal(a.date_time(), b.date_time(), fractions);
    case Kind::YearsMonthsDuration:
      return a.years_months() == b.years_months();
    case Kind::DaysTimeDuration:
      return a.days_time() == b.days_time();
    case Kind::Range:
      return equal_ranges(a.range(), b.range(), fractions);
    case Kind::Function:
      return std::nullopt;
  }
  return std::nullopt;
}

std::size_t hash(const Value& value, Fractions fractions) {
  const auto kind = static_cast<int>(value.kind());
  switch (value.kind()) {
    case Kind::Null:
    case Kind::Range:
    case Kind::Function:
      return absl::HashOf(kind);
    case Kind::Boolean:
      return absl::HashOf(kind, value.boolean());
    case Kind::Number:
      return absl::HashOf(kind, value.number().hash());
    case Kind::String:
      return absl::HashOf(kind, value.string());
    case Kind::List: {
      std::size_t seed = absl::HashOf(kind);
      for (const Value& item : value.list()) seed = absl::HashOf(seed, hash(item, fractions));
      return seed;
    }
    case Kind::Context: {
      std::size_t sum = absl::HashOf(kind);  // a sum, since the order of entries does not count
      for (const Entry& entry : value.context().entries()) {
        sum += absl::HashOf(entry.name, hash(entry.value, fractions));
      }
      return sum;
    }
    case Kind::Date:
      return absl::HashOf(kind, value.date().days);
    case Kind::Time:
      return absl::HashOf(kind, hash(value.time(), fractions));
    case Kind::DateTime:
      return absl::HashOf(kind, hash(value.date_time(), fractions));
    case Kind::YearsMonthsDuration:
      return absl::HashOf(kind, value.years_months().months);
    case Kind::DaysTimeDuration:
      return absl::HashOf(kind, value.days_time().seconds, value.days_time().nanos);
  }
  return 0;
}

bool identical(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  if (a.is(Kind::Time)) return identical(a.time(), b.time());
  if (a.is(Kind::DateTime)) return identical(a.date_time(), b.date_time());
  return equals(a, b, Fractions::Compared);
}

bool is_ordered(Kind kind) {
  switch (kind) {
    case Kind::Number:
    case Kind::String:
    case Kind::Date:
    case Kind::Time:
    case Kind::DateTime:
    case Kind::YearsMonthsDuration:
    case Kind::DaysTimeDuration:
      return true;
    case Kind::Null:
    case Kind::Boolean:
    case Kind::List:
    case Kind::Context:
    case Kind::Range:
    case Kind::Function:
      return false;
  }
  return false;
}

std::optional<std::strong_ordering> order(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return std::nullopt;
  switch (a.kind()) {
    case Kind::Number:
      return a.number() <=> b.number();
    case Kind::String:
      // Bytes of UTF-8 sort in the order of their code points.
      return a.string().compare(b.string()) <=> 0;
    case Kind::Date:
      return a.date() <=> b.date();
    case Kind::Time:
      return compare(a.time(), b.time());
    case Kind::DateTime:
      return compare(a.date_time(), b.date_time());
    case Kind::YearsMonthsDuration:
      return a.years_months() <=> b.years_months();
    case Kind::DaysTimeDuration:
      return a.days_time() <=> b.days_time();
    case Kind::Null:
    case Kind::Boolean:
    case Kind::List:
    case Kind::Context:
    case Kind::Range:
    case Kind::Function:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<bool> contains(const Range& range, const Value& point, Fractions fractions) {
  if (range.form == Range::Form::Unequal) {
    const std::optional<bool> same = equal(point, range.start, fractions);
    return same ? std::optional(!*same) : std::nullopt;
  }
  if (range.form == Range::Form::Comparison && range.start_included && range.end_included) {
    return equal(point, range.start, fractions);
  }
  const bool open_ended = range.start.is_null() || range.end.is_null();
  if (range.form == Range::Form::Interval && open_ended) return std::nullopt;
  bool inside = true;
  if (!range.start.is_null()) {
    const auto position = order(point, range.start);
    if (!position) return std::nullopt;
    inside = range.start_included ? *position >= 0 : *position > 0;
  }
  if (!range.end.is_null()) {
    const auto position = order(point, range.end);
    if (!position) return std::nullopt;
    inside = inside && (range.end_included ? *position <= 0 : *position < 0);
  }
  return inside;
}

}  // namespace beeline::feel
