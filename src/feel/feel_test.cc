#include "feel/feel.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "feel/text.h"
#include "feel/value.h"

namespace beeline::feel {
namespace {

// Variables as a process has them.
class Variables final : public VariableSource {
 public:
  Variables(std::initializer_list<std::pair<const std::string, std::string>> values)
      : values_(values) {}
  std::optional<std::string_view> find(std::string_view name) const override {
    const auto found = values_.find(std::string(name));
    if (found == values_.end()) return std::nullopt;
    return found->second;
  }

 private:
  std::map<std::string, std::string> values_;
};

const Variables& variables() {
  static const Variables kVariables{
      {"x", "5"},
      {"s", R"("text")"},
      {"flag", "true"},
      {"nothing", "null"},
      {"order", R"({"id":"o-1","lines":[{"sku":"a","n":2},{"sku":"b","n":3}],"total":19.90,
                    "customer":{"name":"Ada","vip":true}})"},
      {"list", "[1,2,3,4]"}};
  return kVariables;
}

std::string run(std::string_view text) {
  const auto expression = parse_expression(text);
  if (!expression) return "syntax error: " + expression.error().message;
  const Evaluation evaluation =
      evaluate(*expression, variables(), {.now = Timestamp{1'700'000'000'000}});
  if (evaluation.failure) return "failure: " + *evaluation.failure;
  return evaluation.value->is(Kind::String) ? '"' + evaluation.value->string() + '"'
                                            : to_text(*evaluation.value);
}

struct Row {
  const char* expression;
  const char* expected;
};

TEST(FeelTest, literals_and_arithmetic) {
  const Row rows[] = {
      {"1 + 2 * 3", "7"},
      {"-3 ** 2", "9"},
      {"2 ** 3 ** 2", "64"},
      {"0.1 + 0.2 = 0.3", "true"},
      {"\"a\" + \"b\"", "\"ab\""},
      {"1 + \"b\"", "null"},
      {"1 / 0", "null"},
      {"[1, 2, 3][2]", "2"},
      {"[1, 2, 3][-1]", "3"},
      {"[1, 2, 3][item > 1]", "[2, 3]"},
      {"{a: 1, b: a + 1}", "{a: 1, b: 2}"},
      {"{a: {b: 2}}.a.b", "2"},
      {"if 1 < 2 then \"y\" else \"n\"", "\"y\""},
      {"for i in 1..3 return i * i", "[1, 4, 9]"},
      {"some i in [1, 2] satisfies i > 1", "true"},
      {"5 in [1..10]", "true"},
      {"5 in (1, 5)", "true"},
      {"x between 1 and 5 and flag", "true"},
      {"order.customer.name", "\"Ada\""},
      {"order.lines[sku = \"b\"].n", "[3]"},
      {"order.lines[2].n", "3"},
      {"sum(order.lines.n)", "5"},
      {"count(list[item > 2])", "2"},
      {"list[x - 3]", "2"},
      {"(function(a, b) a + b)(1, 2)", "3"},
      {"{f: function(n) if n <= 1 then 1 else n * f(n - 1)}.f(5)", "120"},
      {"@\"2024-02-28\" + @\"P1D\"", "2024-02-29"},
      {"date and time(\"2024-01-01T00:00:00Z\").year", "2024"},
      {"x instance of number", "true"},
      {"missing = null", "true"},
      {"missing.y = null", "true"},
  };
  for (const Row& row : rows) EXPECT_EQ(run(row.expression), row.expected) << row.expression;
}

}  // namespace
}  // namespace beeline::feel
