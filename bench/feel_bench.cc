// What FEEL and decision tables cost, one line each:
//
//   feel_bench                    nanoseconds of parsing and of evaluating, by the clock
//   feel_bench CASE COUNT         evaluates one case so often, for counting instructions
//   feel_bench --list             the names of the cases
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dmn/dmn.h"
#include "feel/feel.h"

namespace {

using namespace beeline;

class Variables final : public feel::VariableSource {
 public:
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const override {
    const auto it = json_.find(name);
    if (it == json_.end()) return std::nullopt;
    return it->second;
  }

 private:
  std::map<std::string, std::string, std::less<>> json_{
      {"x", "21"},
      {"text", "\"a text of some length\""},
      {"when", "\"2024-03-01T10:00:00Z\""},
      {"a", R"({"b": {"c": 7}, "other": [1, 2, 3]})"},
      {"items", R"([{"p": 1, "q": "one"}])"},
  };
};

constexpr Timestamp kNow{1'700'000'000'000};

struct Case {
  std::function<void()> parse;
  std::function<void()> evaluate;
};

Case expression_case(const std::string& text) {
  const auto parsed = feel::parse_expression(text);
  if (!parsed) {
    fmt::print(stderr, "'{}' is no expression: {}\n", text, parsed.error().message);
    std::exit(1);
  }
  return {[text] { (void)feel::parse_expression(text); },
          [expression = *parsed, variables = Variables{}] {
            (void)feel::evaluate(expression, variables, {kNow});
          }};
}

// A table of so many rules, of which the last but one matches.
Case table_case(int rules) {
  std::string xml =
      "<definitions xmlns='https://www.omg.org/spec/DMN/20191111/MODEL/' id='f' name='f' "
      "namespace='f'><decision id='d' name='d'><decisionTable hitPolicy='UNIQUE'>"
      "<input id='i1'><inputExpression><text>x</text></inputExpression></input>"
      "<input id='i2'><inputExpression><text>text</text></inputExpression></input>"
      "<output id='o'/>";
  for (int i = 0; i < rules; ++i) {
    const int low = 21 + (i - (rules - 2)) * 10;
    xml += fmt::format(
        "<rule><inputEntry><text>[{}..{}]</text></inputEntry><inputEntry><text>-</text>"
        "</inputEntry><outputEntry><text>{}</text></outputEntry></rule>",
        low, low + 9, i);
  }
  xml += "</decisionTable></decision></definitions>";
  const auto parsed = dmn::parse_definitions(xml);
  if (!parsed) {
    fmt::print(stderr, "the table is refused: {}\n", parsed.error().to_string());
    std::exit(1);
  }
  return {[xml] { (void)dmn::parse_definitions(xml); },
          [definitions = *parsed, variables = Variables{}] {
            (void)dmn::evaluate_decision(definitions, "d", variables, {kNow});
          }};
}

// By name; a case is made when it is asked for, since a large table takes its time.
struct NamedCase {
  std::string name;
  std::function<Case()> make;
};

std::vector<NamedCase> all_cases() {
  std::vector<NamedCase> cases;
  for (const char* text :
       {"x = 21", "x between 10 and 30",
        "date and time(when) between date and time(\"2024-01-01T00:00:00Z\") and "
        "date and time(\"2024-12-31T00:00:00Z\")",
        "a.b.c", "items[p = 1]", "[1,2,3][2]", "items.q", "for i in items return i.p",
        "{a: 1, b: \"two\"}", "[1, 2, 3]", "contains(text, \"some\")"}) {
    cases.push_back({text, [text] { return expression_case(text); }});
  }
  for (const int rules : {5, 100, 1000}) {
    cases.push_back({fmt::format("table-{}", rules), [rules] { return table_case(rules); }});
  }
  return cases;
}

// The best of five rounds: what disturbs only adds.
double nanoseconds(const std::function<void()>& action) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kRound = std::chrono::milliseconds{20};
  double best = 1e18;
  for (int round = 0; round < 5; ++round) {
    const auto began = Clock::now();
    std::int64_t count = 0;
    auto elapsed = Clock::duration{};
    do {
      for (int i = 0; i < 10; ++i) action();
      count += 10;
      elapsed = Clock::now() - began;
    } while (elapsed < kRound);
    const auto total = std::chrono::duration<double, std::nano>(elapsed).count();
    best = std::min(best, total / static_cast<double>(count));
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  for (const NamedCase& each : all_cases()) {
    if (argc == 2) {
      fmt::print("{}\n", each.name);
    } else if (argc == 3 && each.name == argv[1]) {
      const Case chosen = each.make();
      for (long i = std::strtol(argv[2], nullptr, 10); i > 0; --i) chosen.evaluate();
      return 0;
    } else if (argc == 1) {
      const Case chosen = each.make();
      fmt::print("{}\t{:.0f}\t{:.0f}\n", each.name, nanoseconds(chosen.parse),
                 nanoseconds(chosen.evaluate));
    }
  }
  if (argc != 3) return 0;
  fmt::print(stderr, "there is no case '{}'\n", argv[1]);
  return 2;
}
