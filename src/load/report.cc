#include "load/report.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "record/json.h"

namespace beeline::load {
namespace {

struct Quantile {
  const char* name;
  double share;
};
constexpr std::array kQuantiles{Quantile{"p50", 0.5}, Quantile{"p90", 0.9}, Quantile{"p99", 0.99},
                                Quantile{"p99.9", 0.999}};

double millis(Histogram::Duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

std::string row(const char* name, const Histogram& histogram) {
  std::string result = fmt::format("  {:<10}{:>10}", name, histogram.count());
  for (const auto& quantile : kQuantiles) {
    result += fmt::format("{:>10.3f}", millis(histogram.quantile(quantile.share)));
  }
  return result + fmt::format("{:>10.3f}\n", millis(histogram.max()));
}

std::string json_of(const Histogram& histogram) {
  std::string result =
      fmt::format(R"({{"count":{},"mean":{:.6f})", histogram.count(), millis(histogram.mean()));
  for (const auto& quantile : kQuantiles) {
    result +=
        fmt::format(R"(,"{}":{:.6f})", quantile.name, millis(histogram.quantile(quantile.share)));
  }
  return result + fmt::format(R"(,"max":{:.6f}}})", millis(histogram.max()));
}

std::string quoted(std::string_view text) {
  std::string result;
  record::append_json_string(text, result);
  return result;
}

}  // namespace

std::string to_text(const Report& report) {
  std::string result =
      fmt::format("{} against {}, {}\n", report.workload, report.target,
                  report.rate ? fmt::format("open loop at {}/s", *report.rate)
                              : fmt::format("closed loop of {}", report.concurrency));
  result += fmt::format("  completed {} in {:.2f} s: {:.1f}/s", report.completed,
                        report.measured.count(), report.per_second());
  if (report.unfinished > 0) result += fmt::format(", {} unfinished", report.unfinished);
  result += '\n';
  for (const auto& [status, count] : report.errors) {
    result += fmt::format("  {} answers were {}\n", count, status);
  }
  result += fmt::format("  {:<10}{:>10}", "ms", "count");
  for (const auto& quantile : kQuantiles) result += fmt::format("{:>10}", quantile.name);
  result += fmt::format("{:>10}\n", "max");
  result += row("whole", report.whole);
  if (report.create.count() > 0) result += row("create", report.create);
  if (report.complete.count() > 0) result += row("complete", report.complete);
  return result;
}

std::string to_json(const Report& report) {
  std::string errors;
  for (const auto& [status, count] : report.errors) {
    errors += fmt::format("{}{}:{}", errors.empty() ? "" : ",", quoted(status), count);
  }
  return fmt::format(
      R"({{"workload":{},"target":{},"loop":"{}","rate":{},"concurrency":{},"seconds":{:.6f},)"
      R"("started":{},"completed":{},"perSecond":{:.3f},"unfinished":{},"errors":{{{}}},)"
      R"("latencyMillis":{{"whole":{},"create":{},"complete":{}}}}})"
      "\n",
      quoted(report.workload), quoted(report.target), report.rate ? "open" : "closed",
      report.rate ? fmt::format("{}", *report.rate) : "null",
      report.rate ? "null" : fmt::format("{}", report.concurrency), report.measured.count(),
      report.started, report.completed, report.per_second(), report.unfinished, errors,
      json_of(report.whole), json_of(report.create), json_of(report.complete));
}

}  // namespace beeline::load
