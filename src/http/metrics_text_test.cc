#include "http/metrics_text.h"

#include <gtest/gtest.h>

#include <array>

namespace beeline::http {
namespace {

TEST(MetricsText, writes_families_with_their_samples) {
  MetricsText text;
  text.family("beeline_queue_depth", MetricType::Gauge, "Commands that wait.");
  text.sample({{"partition", "1"}, {"type", "a\"b\\c\nd"}}, std::int64_t{3});
  text.sample({}, 0.5);
  EXPECT_EQ(text.text(),
            "# HELP beeline_queue_depth Commands that wait.\n"
            "# TYPE beeline_queue_depth gauge\n"
            "beeline_queue_depth{partition=\"1\",type=\"a\\\"b\\\\c\\nd\"} 3\n"
            "beeline_queue_depth 0.5\n");
}

TEST(MetricsText, adds_the_buckets_of_a_histogram_up) {
  MetricsText text;
  text.family("latency_seconds", MetricType::Histogram, "How long.");
  text.histogram({{"partition", "1"}}, std::array{0.001, 0.5}, std::array<std::int64_t, 3>{2, 0, 1},
                 1.25);
  EXPECT_EQ(text.text(),
            "# HELP latency_seconds How long.\n"
            "# TYPE latency_seconds histogram\n"
            "latency_seconds_bucket{partition=\"1\",le=\"0.001\"} 2\n"
            "latency_seconds_bucket{partition=\"1\",le=\"0.5\"} 2\n"
            "latency_seconds_bucket{partition=\"1\",le=\"+Inf\"} 3\n"
            "latency_seconds_sum{partition=\"1\"} 1.25\n"
            "latency_seconds_count{partition=\"1\"} 3\n");
}

}  // namespace
}  // namespace beeline::http
