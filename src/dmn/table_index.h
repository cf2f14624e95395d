#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "feel/value.h"

namespace beeline::dmn {

struct Text;

// The tests of one column that compare with constants, prepared so that one search finds the
// input's place among all constants. Then every test is a comparison of numbers. Most cells are
// like this, and without the index a table of a thousand rules would evaluate a thousand
// expressions.
//
// The constants c0 < c1 < ... divide all values into places: below c0 is 0, c0 itself 1, between c0
// and c1 is 2, c1 itself 3, and so on. A test is true on one or more intervals of places.
class TableIndex {
 public:
  // Builds the index from the compiled tests of a column. If the constants have several kinds, only
  // those of the first kind are indexed.
  explicit TableIndex(const std::vector<Text>& tests);
  TableIndex() = default;

  using Place = std::uint32_t;
  // Returns the place of the input; nothing if its kind is not that of the constants.
  [[nodiscard]] std::optional<Place> find(const feel::Value& input) const;
  // Returns the result of the test; nothing if it has to be evaluated.
  [[nodiscard]] std::optional<bool> holds(std::uint32_t test, std::optional<Place> place) const {
    const Test& known = tests_[test];
    if (known.is_any) return true;
    if (!place || known.count == 0) return std::nullopt;
    for (std::uint32_t i = known.first; i < known.first + known.count; ++i) {
      if (intervals_[i].from <= *place && *place <= intervals_[i].to) return true;
    }
    return false;
  }

 private:
  struct Interval {
    Place from = 0;
    Place to = 0;
  };
  struct Test {
    bool is_any = false;
    std::uint32_t first = 0;  // among the intervals
    std::uint32_t count = 0;  // 0 if the test has to be evaluated
  };
  [[nodiscard]] std::size_t position_of(const feel::Value& constant) const;
  [[nodiscard]] Interval interval_of(const feel::Range& range) const;

  std::vector<feel::Value> constants_;  // in order, each once
  std::vector<Interval> intervals_;
  std::vector<Test> tests_;
};

}  // namespace beeline::dmn
