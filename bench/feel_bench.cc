// The costs of FEEL and decision tables, one line each:
//
//   feel_bench                              nanoseconds of parsing and of evaluating, by the clock
//   feel_bench CASE (parse|evaluate) COUNT  does it so often, for counting instructions
//   feel_bench --list                       the names of the cases
//   feel_bench --context                    their variables, as JSON
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dmn/dmn.h"
#include "feel/feel.h"

namespace {

using namespace beeline;

// The variables of all cases; `feel_bench --context` prints them for comparisons.
constexpr std::string_view kContext = R"({
  "x": 21,
  "text": "a text of some length",
  "when": "2024-03-01T10:00:00Z",
  "a": {"b": {"c": 7}, "other": [1, 2, 3]},
  "items": [{"p": 1, "q": "one"}],
  "status": "approved",
  "order": {
    "id": "o-4711",
    "date": "2024-03-01",
    "customer": {"name": "Ada", "vip": true, "city": "Oslo"},
    "lines": [
      {"sku": "a-1", "price": 12.5, "quantity": 2},
      {"sku": "b-2", "price": 7, "quantity": 1},
      {"sku": "c-3", "price": 99.9, "quantity": 3}
    ]
  }
})";

const feel::JsonObject& variables() {
  static const feel::JsonObject kVariables = *feel::JsonObject::read(kContext);
  return kVariables;
}

constexpr feel::Instant kNow{std::chrono::milliseconds{1'700'000'000'000}};

struct Case {
  std::function<void()> parse;
  std::function<void()> evaluate;
};

Case expression_case(const std::string& text) {
  const auto parsed = feel::parse_expression(text);
  if (!parsed) {
    fmt::print(stderr, "'{}' is no expression: {}\n", text, parsed.error().describe(text));
    std::exit(1);
  }
  const feel::Evaluation tried = feel::evaluate(*parsed, variables(), {kNow});
  if (tried.failure || !tried.warnings.empty()) {
    fmt::print(stderr, "'{}' does not evaluate: {}\n", text,
               tried.failure ? *tried.failure : tried.warnings.front());
    std::exit(1);
  }
  return {[text] { (void)feel::parse_expression(text); },
          [expression = *parsed, &given = variables()] {
            (void)feel::evaluate(expression, given, {kNow});
          }};
}

// A table of `rules` rules with three inputs; the first matching rule is the one in the middle.
Case table_case(int rules) {
  std::string xml =
      "<definitions xmlns='https://www.omg.org/spec/DMN/20191111/MODEL/' id='f' name='f' "
      "namespace='f'><decision id='d' name='d'><decisionTable hitPolicy='FIRST'>"
      "<input id='i1'><inputExpression><text>x</text></inputExpression></input>"
      "<input id='i2'><inputExpression><text>status</text></inputExpression></input>"
      "<input id='i3'><inputExpression><text>order.customer.vip</text></inputExpression></input>"
      "<output id='o'/>";
  for (int i = 0; i < rules; ++i) {
    const int low = 21 + (i - rules / 2) * 10;
    xml += fmt::format(
        "<rule><inputEntry><text>[{}..{}]</text></inputEntry><inputEntry><text>{}</text>"
        "</inputEntry><inputEntry><text>{}</text></inputEntry>"
        "<outputEntry><text>{}</text></outputEntry></rule>",
        low, low + 9, i % 2 == rules / 2 % 2 ? "\"approved\",\"open\"" : "\"closed\"",
        i % 3 == rules / 2 % 3 ? "true" : "-", i);
  }
  xml += "</decisionTable></decision></definitions>";
  const auto parsed = dmn::parse_definitions(xml);
  if (!parsed) {
    fmt::print(stderr, "the table is refused: {}\n", parsed.error().to_string());
    std::exit(1);
  }
  const auto evaluate = [definitions = *parsed] {
    return dmn::evaluate_decision(definitions, "d", variables(), {kNow});
  };
  if (evaluate().output_json != std::to_string(rules / 2)) {
    fmt::print(stderr, "the table of {} rules gives {}\n", rules, evaluate().output_json);
    std::exit(1);
  }
  return {[xml] { (void)dmn::parse_definitions(xml); }, [evaluate] { (void)evaluate(); }};
}

// Cases by name; a case is made when it is needed, since a large table takes long.
struct NamedCase {
  std::string name;
  std::function<Case()> make;
};

std::vector<NamedCase> all_cases() {
  std::vector<NamedCase> cases;
  for (const char* text :
       {"x = 21",
        "x between 10 and 30",
        "date and time(when) between date and time(\"2024-01-01T00:00:00Z\") and "
        "date and time(\"2024-12-31T00:00:00Z\")",
        "a.b.c",
        "items[p = 1]",
        "[1,2,3][2]",
        "items.q",
        "for i in items return i.p",
        "{a: 1, b: \"two\"}",
        "[1, 2, 3]",
        "contains(text, \"some\")",
        "x > 18 and status = \"approved\" and order.customer.vip = true",
        "if x > 20 then \"high\" else \"low\"",
        "sum(order.lines.price)",
        "count(order.lines[quantity > 1])",
        "some l in order.lines satisfies l.sku = \"b-2\"",
        "for l in order.lines return l.price * l.quantity",
        "{id: order.id, customer: order.customer.name, first: order.lines[1].price}",
        "date(order.date) + duration(\"P7D\")",
        "upper case(order.customer.name) + \" of \" + order.customer.city"}) {
    cases.push_back({text, [text] { return expression_case(text); }});
  }
  for (const int rules : {10, 100, 1000}) {
    cases.push_back({fmt::format("table-{}", rules), [rules] { return table_case(rules); }});
  }
  return cases;
}

// Returns the best of five rounds, because disturbances only add time.
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
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  if (arguments.size() == 1 && arguments[0] == "--context") {
    fmt::print("{}\n", kContext);
    return 0;
  }
  for (const NamedCase& each : all_cases()) {
    if (arguments.size() == 1) {
      fmt::print("{}\n", each.name);
    } else if (arguments.size() == 3 && each.name == arguments[0]) {
      const Case chosen = each.make();
      const auto& action = arguments[1] == "parse" ? chosen.parse : chosen.evaluate;
      for (long i = std::strtol(argv[3], nullptr, 10); i > 0; --i) action();
      return 0;
    } else if (arguments.empty()) {
      const Case chosen = each.make();
      fmt::print("{}\t{:.0f}\t{:.0f}\n", each.name, nanoseconds(chosen.parse),
                 nanoseconds(chosen.evaluate));
    }
  }
  if (arguments.size() != 3) return 0;
  fmt::print(stderr, "there is no case '{}'\n", arguments[0]);
  return 2;
}
