#include "http/metrics_text.h"

#include <fmt/format.h>

#include "base/check.h"

namespace beeline::http {
namespace {

std::string_view name_of(MetricType type) {
  switch (type) {
    case MetricType::Counter:
      return "counter";
    case MetricType::Gauge:
      return "gauge";
    case MetricType::Histogram:
      return "histogram";
  }
  return "untyped";
}

// The format has three escapes in a label's value.
void append_label_value(std::string_view value, std::string& out) {
  out += '"';
  for (const char c : value) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  out += '"';
}

}  // namespace

void MetricsText::family(std::string_view name, MetricType type, std::string_view help) {
  name_ = name;
  text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, name_of(type));
}

void MetricsText::sample(const Labels& labels, std::int64_t value) {
  line("", labels, fmt::format("{}", value));
}

void MetricsText::sample(const Labels& labels, double value) {
  line("", labels, fmt::format("{}", value));
}

void MetricsText::histogram(const Labels& labels, std::span<const double> bounds,
                            std::span<const std::int64_t> counts, double sum) {
  BEELINE_CHECK(counts.size() == bounds.size() + 1, "{} counts for {} bounds", counts.size(),
                bounds.size());
  std::int64_t total = 0;
  Labels with_bound = labels;
  with_bound.emplace_back("le", "");
  for (std::size_t i = 0; i < counts.size(); ++i) {
    total += counts[i];
    const std::string bound = i < bounds.size() ? fmt::format("{}", bounds[i]) : "+Inf";
    with_bound.back().second = bound;
    line("_bucket", with_bound, fmt::format("{}", total));
  }
  line("_sum", labels, fmt::format("{}", sum));
  line("_count", labels, fmt::format("{}", total));
}

void MetricsText::line(std::string_view suffix, const Labels& labels, std::string_view value) {
  text_ += name_;
  text_ += suffix;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    text_ += i == 0 ? '{' : ',';
    text_ += labels[i].first;
    text_ += '=';
    append_label_value(labels[i].second, text_);
  }
  if (!labels.empty()) text_ += '}';
  text_ += ' ';
  text_ += value;
  text_ += '\n';
}

}  // namespace beeline::http
