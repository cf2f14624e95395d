#include "load/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace beeline::load {
namespace {

using std::chrono::hours;
using std::chrono::nanoseconds;

TEST(Histogram, is_empty_at_first) {
  const Histogram histogram;
  EXPECT_EQ(histogram.count(), 0);
  EXPECT_EQ(histogram.quantile(0.99), nanoseconds{0});
  EXPECT_EQ(histogram.mean(), nanoseconds{0});
}

TEST(Histogram, one_value_is_every_quantile) {
  Histogram histogram;
  histogram.add(nanoseconds{123'456'789});
  for (const double share : {0.0, 0.5, 0.999, 1.0}) {
    EXPECT_EQ(histogram.quantile(share), nanoseconds{123'456'789});
  }
}

TEST(Histogram, small_values_are_exact) {
  Histogram histogram;
  for (int value = 1; value <= 1000; ++value) histogram.add(nanoseconds{value});
  EXPECT_EQ(histogram.quantile(0.5), nanoseconds{500});
  EXPECT_EQ(histogram.quantile(0.9), nanoseconds{900});
  EXPECT_EQ(histogram.quantile(0.999), nanoseconds{999});
  EXPECT_EQ(histogram.quantile(1), nanoseconds{1000});
  EXPECT_EQ(histogram.max(), nanoseconds{1000});
  EXPECT_EQ(histogram.mean(), nanoseconds{501});  // 500.5, rounded
}

TEST(Histogram, quantiles_are_within_a_thousandth_of_the_exact_ones) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> distribution(13, 2);  // around half a millisecond
  std::vector<std::int64_t> values(200'000);
  Histogram a;
  Histogram b;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::int64_t>(distribution(random));
    (i % 2 == 0 ? a : b).add(nanoseconds{values[i]});
  }
  a.merge(b);
  std::ranges::sort(values);
  EXPECT_EQ(a.count(), static_cast<std::int64_t>(values.size()));
  EXPECT_EQ(a.max().count(), values.back());
  for (const double share : {0.01, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const auto rank =
        static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
    const auto exact = static_cast<double>(values[rank - 1]);
    const auto told = static_cast<double>(a.quantile(share).count());
    EXPECT_GE(told, exact) << share;
    EXPECT_LE(told, exact * 1.001) << share;
  }
}

TEST(Histogram, takes_what_is_out_of_range) {
  Histogram histogram;
  histogram.add(hours{1000});
  histogram.add(nanoseconds{-5});
  EXPECT_EQ(histogram.max(), hours{1000});
  EXPECT_EQ(histogram.quantile(0.5), nanoseconds{0});
  EXPECT_GT(histogram.quantile(1), hours{1});
}

}  // namespace
}  // namespace beeline::load
