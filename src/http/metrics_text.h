#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace beeline::http {

// Writes metrics in Prometheus' text format.
//
//     MetricsText text;
//     text.family("beeline_queue_depth", MetricType::Gauge, "Commands that wait.");
//     text.sample({{"partition", "1"}}, 3);
//
// Why not prometheus-cpp: our numbers are kept where they are counted and only read here, but its
// registry requires to own them.
enum class MetricType { Counter, Gauge, Histogram };

class MetricsText {
 public:
  using Labels = std::vector<std::pair<std::string_view, std::string_view>>;

  // All samples up to the next call belong to this family. A family is written once.
  void family(std::string_view name, MetricType type, std::string_view help);
  void sample(const Labels& labels, std::int64_t value);
  void sample(const Labels& labels, double value);
  // `counts` has one element more than `bounds`: the count above the last bound. Bounds and sum are
  // in seconds.
  void histogram(const Labels& labels, std::span<const double> bounds,
                 std::span<const std::int64_t> counts, double sum);

  [[nodiscard]] const std::string& text() const { return text_; }
  static constexpr std::string_view kContentType = "text/plain; version=0.0.4; charset=utf-8";

 private:
  void line(std::string_view suffix, const Labels& labels, std::string_view value);

  std::string name_;
  std::string text_;
};

}  // namespace beeline::http
