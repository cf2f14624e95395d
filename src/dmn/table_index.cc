#include "dmn/table_index.h"

#include <algorithm>
#include <limits>

#include "dmn/model.h"
#include "feel/compare.h"
#include "feel/interpreter.h"

namespace beeline::dmn {

using feel::Range;
using feel::Value;

namespace {

bool is_less(const Value& a, const Value& b) {
  return *feel::order(a, b) < 0;
}

bool is_of_kind(const Range& range, feel::Kind kind) {
  return (range.start.is_null() || range.start.is(kind)) &&
         (range.end.is_null() || range.end.is(kind));
}

}  // namespace

TableIndex::TableIndex(const std::vector<Text>& tests) : tests_(tests.size()) {
  std::vector<std::optional<std::vector<Range>>> ranges(tests.size());
  std::optional<feel::Kind> kind;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    tests_[i].is_any =
        tests[i].error.empty() && (tests[i].empty() || feel::is_any_test(tests[i].expression));
    ranges[i] = feel::constant_ranges(tests[i].expression);
    if (!ranges[i]) continue;
    const Range& first = ranges[i]->front();
    if (!kind) kind = (first.start.is_null() ? first.end : first.start).kind();
    if (!std::all_of(ranges[i]->begin(), ranges[i]->end(),
                     [&](const Range& range) { return is_of_kind(range, *kind); })) {
      ranges[i].reset();
      continue;
    }
    for (const Range& range : *ranges[i]) {
      if (!range.start.is_null()) constants_.push_back(range.start);
      if (!range.end.is_null()) constants_.push_back(range.end);
    }
  }
  std::sort(constants_.begin(), constants_.end(), is_less);
  constants_.erase(std::unique(constants_.begin(), constants_.end(),
                               [](const Value& a, const Value& b) { return !is_less(a, b); }),
                   constants_.end());
  for (std::size_t i = 0; i < tests.size(); ++i) {
    if (!ranges[i]) continue;
    tests_[i].first = static_cast<std::uint32_t>(intervals_.size());
    tests_[i].count = static_cast<std::uint32_t>(ranges[i]->size());
    for (const Range& range : *ranges[i]) intervals_.push_back(interval_of(range));
  }
}

std::size_t TableIndex::position_of(const Value& constant) const {
  return static_cast<std::size_t>(
      std::lower_bound(constants_.begin(), constants_.end(), constant, is_less) -
      constants_.begin());
}

// The interval of a reversed range contains no place, since it begins after its end.
TableIndex::Interval TableIndex::interval_of(const Range& range) const {
  const auto own_place = [&](const Value& bound) {
    return static_cast<Place>(2 * position_of(bound) + 1);
  };
  Interval interval{0, std::numeric_limits<Place>::max()};
  if (!range.start.is_null()) {
    interval.from = own_place(range.start) + (range.start_included ? 0 : 1);
  }
  if (!range.end.is_null()) interval.to = own_place(range.end) - (range.end_included ? 0 : 1);
  return interval;
}

std::optional<TableIndex::Place> TableIndex::find(const Value& input) const {
  if (constants_.empty() || !input.is(constants_.front().kind())) return std::nullopt;
  const std::size_t position = position_of(input);
  const bool is_there = position < constants_.size() && !is_less(input, constants_[position]);
  return static_cast<Place>(2 * position + (is_there ? 1 : 0));
}

}  // namespace beeline::dmn
