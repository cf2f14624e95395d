#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace beeline::load {

// Counts durations so that any quantile can be computed within one part in a thousand, in constant
// memory, however many there are.
//
// Buckets are as wide as the value's magnitude allows: below 2048 ns one for each nanosecond, above
// it 1024 for each power of two. Durations beyond the range count as the largest; max() is exact
// nevertheless.
//
// Threading: not thread-safe; each thread has its own histogram, and they are merged at the end.
class Histogram {
 public:
  using Duration = std::chrono::nanoseconds;

  Histogram();
  void add(Duration duration);
  void merge(const Histogram& other);

  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] Duration max() const { return Duration{max_}; }
  [[nodiscard]] Duration mean() const;
  // Returns the smallest duration that at least this share of all durations (0 to 1) does not
  // exceed; 0 if there are none.
  [[nodiscard]] Duration quantile(double share) const;

 private:
  std::vector<std::int64_t> counts_;
  std::int64_t count_ = 0;
  std::int64_t max_ = 0;
  double sum_ = 0;
};

}  // namespace beeline::load
