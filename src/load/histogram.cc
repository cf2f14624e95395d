#include "load/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

namespace beeline::load {
namespace {

constexpr int kSubBits = 10;    // 1024 buckets for each power of two
constexpr int kRangeBits = 42;  // up to 73 minutes
constexpr std::uint64_t kValueMax = (std::uint64_t{1} << kRangeBits) - 1;

// Values below 2^(kSubBits + 1) are their own index. Above, the leading kSubBits + 1 bits are the
// index, and each further power of two follows the previous one.
constexpr std::size_t index_of(std::uint64_t value) {
  const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - (kSubBits + 1));
  return (static_cast<std::size_t>(shift) << kSubBits) + static_cast<std::size_t>(value >> shift);
}

constexpr std::uint64_t highest_value_at(std::size_t index) {
  const std::size_t block = index >> kSubBits;
  const std::size_t shift = block <= 1 ? 0 : block - 1;
  const std::uint64_t leading = index - (shift << kSubBits);
  return ((leading + 1) << shift) - 1;
}

static_assert(index_of(2047) == 2047 && index_of(2048) == 2048 && index_of(2049) == 2048);
static_assert(highest_value_at(index_of(2048)) == 2049);
static_assert(highest_value_at(index_of(kValueMax)) == kValueMax);

}  // namespace

Histogram::Histogram() : counts_(index_of(kValueMax) + 1) {}

void Histogram::add(Duration duration) {
  const std::int64_t nanos = std::max<std::int64_t>(0, duration.count());
  ++counts_[index_of(std::min(static_cast<std::uint64_t>(nanos), kValueMax))];
  ++count_;
  max_ = std::max(max_, nanos);
  sum_ += static_cast<double>(nanos);
}

void Histogram::merge(const Histogram& other) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  max_ = std::max(max_, other.max_);
  sum_ += other.sum_;
}

Histogram::Duration Histogram::mean() const {
  if (count_ == 0) return Duration{0};
  return Duration{std::llround(sum_ / static_cast<double>(count_))};
}

Histogram::Duration Histogram::quantile(double share) const {
  const auto wanted = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(std::ceil(share * static_cast<double>(count_))));
  std::int64_t seen = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    seen += counts_[i];
    if (seen >= wanted) {
      return Duration{std::min(max_, static_cast<std::int64_t>(highest_value_at(i)))};
    }
  }
  return Duration{max_};
}

}  // namespace beeline::load
