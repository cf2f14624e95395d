// Measures how long the worst expressions run before the budget of a command ends them
// (feel::Budget):
//
//     feel_budget_bench              milliseconds of CPU for each, and the most; fails above 250
//     feel_budget_bench --steps      nanoseconds per step, worst first, to weigh the steps
//     feel_budget_bench CASE         runs one, by the beginning of its text
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "feel/feel.h"
#include "feel/worst_cases_testing.h"

namespace {

using namespace beeline;

constexpr double kMillisMax = 250;
constexpr feel::Instant kNow{std::chrono::milliseconds{1'700'000'000'000}};

// As large as a client may send.
const feel::VariableSource& variables() {
  static const auto kVariables = feel::testing::make_worst_case_variables(4'000'000);
  return *kVariables;
}

double cpu_millis() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Measured {
  std::string text;
  double millis = 0;
  std::int64_t steps = 0;
  std::string outcome;
};

// Does with one expression what the engine does in a command: evaluates it and writes the result.
Measured measure(const std::string& text) {
  const auto parsed = feel::parse_expression(text);
  if (!parsed) {
    fmt::print(stderr, "'{:.80}' is no expression: {}\n", text, parsed.error().message);
    std::exit(1);
  }
  Measured result{text, 0, 0, {}};
  feel::Budget budget;
  const double before = cpu_millis();
  {
    const feel::Evaluation evaluation = feel::evaluate(*parsed, variables(), {kNow, &budget});
    result.outcome = evaluation.failure ? *evaluation.failure : feel::to_json(*evaluation.value);
  }
  result.millis = cpu_millis() - before;
  result.steps = std::min(budget.used(), budget.steps());
  if (result.outcome.size() > 60) result.outcome = result.outcome.substr(0, 60) + "...";
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  const bool by_step = wanted == "--steps";
  (void)variables();
  std::vector<Measured> all;
  for (const std::string& text : feel::testing::worst_cases()) {
    if (by_step || text.starts_with(wanted)) all.push_back(measure(text));
  }
  const auto per_step = [](const Measured& each) {
    return each.millis * 1e6 / static_cast<double>(std::max<std::int64_t>(each.steps, 1));
  };
  std::ranges::sort(all, [&](const Measured& a, const Measured& b) {
    return by_step ? per_step(a) > per_step(b) : a.millis > b.millis;
  });
  for (const Measured& each : all) {
    fmt::print("{:8.1f} ms {:9} steps {:6.1f} ns/step  {:.120}\n{:12}{}\n", each.millis, each.steps,
               per_step(each), each.text, "", each.outcome);
  }
  const double most = all.empty() ? 0 : std::ranges::max(all, {}, [](const Measured& each) {
                                          return each.millis;
                                        }).millis;
  fmt::print("the most: {:.1f} ms of CPU for one budget of {} steps (at most {:.0f})\n", most,
             feel::Budget::kSteps, kMillisMax);
  return most <= kMillisMax ? 0 : 1;
}
