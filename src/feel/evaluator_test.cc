#include "feel/evaluator.h"

#include <gtest/gtest.h>

#include "feel/feel_testing.h"

// The meaning of expressions: operators, null, names, lists, contexts, ranges, functions.
namespace beeline::feel {
namespace {

using testing::expect_both;
using testing::Row;
using testing::run_dmn;
using testing::run_workflow;

TEST(Evaluator, literals) {
  const Row rows[] = {
      {"007", "7"},
      {".5", "0.5"},
      {"2e3", "2000"},
      {"1.5E-2", "0.015"},
      {"\"a\\n\\t\\\"\\\\\\'\"", "\"a\n\t\"\\'\""},
      {"\"\\d+\"", "\"\\d+\""},
      {"\"\\u00e9\\U01F600\\uD83D\\uDE00\"", "\"é😀😀\""},
      {"\"\\uD83D\"", "\"\uFFFD\""},
      {"1 // rest\n + /* in between */ 1", "2"},
      {"@\"2020-01-01\"", "2020-01-01"},
      {"@\"P1Y\"", "P1Y"},
      {"null", "null"},
      {"[]", "[]"},
      {"{}", "{}"},
  };
  expect_both(rows);
}

TEST(Evaluator, arithmetic) {
  const Row rows[] = {
      {"1 + 2 * 3", "7"},
      {"-3 ** 2", "9"},
      {"2 ** 3 ** 2", "64"},
      {"--3", "3"},
      {"-\"a\"", "null"},
      {"10 - 2 - 3", "5"},
      {"0.1 + 0.2 = 0.3", "true"},
      {"1 / 3", "0.3333333333333333333333333333333333"},
      {"1 / 0", "null"},
      {"\"a\" + \"b\" + \"c\"", "\"abc\""},
      {"1 + \"b\"", "null"},
      {"\"a\" - \"b\"", "null"},
      {"null + 1", "null"},
      {"true + 1", "null"},
      {"@\"2024-01-31\" + @\"P1M\"", "2024-02-29"},
      {"@\"P1D\" + @\"2024-01-31\"", "2024-02-01"},
      {"@\"2024-03-01\" - @\"2024-02-01\"", "P29D"},
      {"@\"2024-03-01\" - @\"P1D\"", "2024-02-29"},
      {"@\"10:00:00\" - @\"09:00:00\"", "PT1H"},
      {"@\"2024-03-01\" - @\"2024-03-01T00:00:00\"", "null"},
      {"@\"2024-03-02\" - @\"2024-03-01T00:00:00Z\"", "P1D"},
      {"@\"PT1H\" * 1.5", "PT1H30M"},
      {"2 * @\"P1M\"", "P2M"},
      {"@\"PT1H\" / @\"PT30M\"", "2"},
      {"@\"P1Y\" / 0", "null"},
      {"-@\"P1D\"", "-P1D"},
      {"@\"P1D\" + @\"P1M\"", "null"},
  };
  expect_both(rows);
}

TEST(Evaluator, three_valued_logic) {
  const Row rows[] = {
      {"true and null", "null"},
      {"false and null", "false"},
      {"null and false", "false"},
      {"true and 1", "null"},
      {"false or null", "null"},
      {"null or true", "true"},
      {"1 or true", "true"},
      {"1 or false", "null"},
      {"not(true)", "false"},
      {"not(null)", "null"},
      {"not(1)", "null"},
      {"true or false and false", "true"},
      {"some i in [] satisfies i", "false"},
      {"every i in [] satisfies i", "true"},
      {"some i in [null, true] satisfies i", "true"},
      {"some i in [null, false] satisfies i", "null"},
      {"every i in [null, false] satisfies i", "false"},
      {"every i in [1, 2], j in [2, 3] satisfies i < j", "false"},
      {"if null then 1 else 2", "2"},
      {"if false then 1 else if true then 2 else 3", "2"},
  };
  expect_both(rows);
  EXPECT_EQ(run_workflow("if 1 then 2 else 3"), "3");
  EXPECT_EQ(run_dmn("if 1 then 2 else 3"), "null");
}

TEST(Evaluator, equality_and_order) {
  const Row rows[] = {
      {"1 = 1.00", "true"},
      {"null = null", "true"},
      {"null != 1", "true"},
      {"1 = \"1\"", "null"},
      {"1 != \"1\"", "null"},
      {"[1, [2]] = [1, [2]]", "true"},
      {"[1] = [\"1\"]", "false"},
      {"{a: 1, b: 2} = {b: 2, a: 1}", "true"},
      {"{a: 1} = {a: 1, b: 2}", "false"},
      {"@\"P1Y\" = @\"P12M\"", "true"},
      {"@\"P1D\" = @\"PT24H\"", "true"},
      {"@\"P1Y\" = @\"P365D\"", "null"},
      {"@\"2024-01-01T12:00:00-01:00\" = @\"2024-01-01T17:00:00+04:00\"", "true"},
      {"@\"2024-01-01T12:00:00\" = @\"2024-01-01T12:00:00Z\"", "null"},
      {"[1..3] = [1..3]", "true"},
      {"[1..3] = [1..3)", "false"},
      {"(< 10) = (< 10)", "true"},
      {"(< 10) = (null..10)", "false"},
      {"(= 10) = [10..10]", "false"},
      {"(function(a) a) = (function(a) a)", "null"},
      {"\"a\" < \"b\"", "true"},
      {"true < false", "null"},
      {"null < 1", "null"},
      {"1 < 2 = true", "true"},
      {"5 between 1 and 5", "true"},
      {"5 between 6 and null", "false"},
      {"5 between 1 and null", "null"},
      {"1 between 0 and 2 and false", "false"},
  };
  expect_both(rows);
  EXPECT_EQ(run_dmn("@\"10:00:00.5\" = @\"10:00:00\""), "true");
  EXPECT_EQ(run_workflow("@\"10:00:00.5\" = @\"10:00:00\""), "false");
  EXPECT_EQ(run_dmn("@\"10:00:00.5\" > @\"10:00:00\""), "true");
}

TEST(Evaluator, membership) {
  const Row rows[] = {
      {"5 in 5", "true"},
      {"5 in (1, 5)", "true"},
      {"5 in [1, 5]", "true"},
      {"5 in ([1..3], [4..6])", "true"},
      {"5 in [1..5[", "false"},
      {"5 in ]5..9]", "false"},
      {"5 in (4..6)", "true"},
      {"5 in (< 6)", "true"},
      {"5 in (> 6, < 6)", "true"},
      {"5 in > 4", "true"},
      {"5 in [[1..3], [4..6]]", "true"},
      {"[1] in [[1], [2]]", "true"},
      {"[1, 2] in [1, 2]", "true"},
      {"5 in [\"a\"..\"z\"]", "null"},
      {"5 in (null..10]", "null"},
      {"null in null", "true"},
      {"5 in (? > 3)", "true"},
      {"1 in [3..1]", "false"},
      {"5 in !=6", "true"},
      {"@\"2024-01-02\" in [@\"2024-01-01\"..@\"2024-01-03\"]", "true"},
  };
  expect_both(rows);
}

TEST(Evaluator, filters_and_paths) {
  const Row rows[] = {
      {"[1, 2, 3][1]", "1"},
      {"[1, 2, 3][-1]", "3"},
      {"[1, 2, 3][0]", "null"},
      {"[1, 2, 3][4]", "null"},
      {"[1, 2, 3][1.9]", "1"},
      {"[1, 2, 3][item >= 2]", "[2, 3]"},
      {"[1, 2, 3][true]", "[1, 2, 3]"},
      {"[1, 2, 3][null]", "[]"},
      {"5[1]", "5"},
      {"5[item > 6]", "[]"},
      {"null[1]", "null"},
      {"{i: 2, r: [4, 5, 6][i]}.r", "5"},
      {"[{a: 1}, {a: 2}, {b: 3}][a > 1]", "[{a: 2}]"},
      {"[{item: 1}, {item: 2}][item = 2]", "[{item: 2}]"},
      {"[{a: 1}, {b: 2}].a", "[1, null]"},
      {"[{a: 1}][item.a = 1].a", "[1]"},
      {"[1, 2, 3][item = count([1, 2])]", "[2]"},
      {"[1, 2, 3][count([1, 2])]", "2"},
      {"[[1, 2], [3]][2][1]", "3"},
      {"{a: {b: 2}}.a.b", "2"},
      {"null.a", "null"},
      {"{a: 1}.b", "null"},
      {"@\"2024-02-29T10:20:30+01:00\".time offset", "PT1H"},
      {"@\"2024-02-29T10:20:30@Europe/Paris\".timezone", "\"Europe/Paris\""},
      {"@\"2024-02-29\".weekday", "4"},
      {"@\"2024-02-29\".hour", "null"},
      {"@\"-P1DT2H\".hours", "-2"},
      {"@\"P1Y2M\".months", "2"},
      {"[1..3).end", "3"},
      {"[1..3).end included", "false"},
      {"(< 3).start", "null"},
  };
  expect_both(rows);
}

TEST(Evaluator, loops) {
  const Row rows[] = {
      {"for i in 1..3 return i * i", "[1, 4, 9]"},
      {"for i in 3..1 return i", "[3, 2, 1]"},
      {"for i in [1..3] return i", "[1, 2, 3]"},
      {"for i in [3..1] return i", "null"},
      {"for i in [1, 2], j in [10, 20] return i + j", "[11, 21, 12, 22]"},
      {"for i in [[1, 2], [3]], j in i return j", "[1, 2, 3]"},
      {"for i in 1..5 return if i < 3 then 1 else partial[-1] + partial[-2]", "[1, 1, 2, 3, 5]"},
      {"for i in @\"2024-02-28\"..@\"2024-03-01\" return i.day", "[28, 29, 1]"},
      {"for i in 5 return i", "[5]"},
      {"for i in null return i", "null"},
      {"for i in [\"a\"..\"c\"] return i", "null"},
      {"for i in 1..2 return for j in 1..2 return i * j", "[[1, 2], [2, 4]]"},
      {"for i in [] return i", "[]"},
      {"some i in 1..1000000000 satisfies i = 3", "true"},
  };
  expect_both(rows);
}

TEST(Evaluator, contexts) {
  const Row rows[] = {
      {"{a: 1, b: a + 1}", "{a: 1, b: 2}"},
      {"{a: 1, b: {c: a}}.b.c", "1"},
      {"{\"x y\": 1}", "{x y: 1}"},
      {"{\"{\": 1}", "{\"{\": 1}"},
      {"{f: function(n) if n <= 1 then 1 else n * f(n - 1)}.f(5)", "120"},
      {"{a: 2, f: function(x) x * a, r: f(3)}.r", "6"},
  };
  expect_both(rows);
  EXPECT_EQ(run_workflow("{a: 1, a: 2}"), "{a: 2}");
  EXPECT_EQ(run_dmn("{a: 1, a: 2}"), "null");
  EXPECT_EQ(run_workflow("{a+b: 1}.`a+b`"), "1");
  EXPECT_EQ(run_dmn("{a b: 1, r: a b + 1}.r"), "2");
}

TEST(Evaluator, functions) {
  const Row rows[] = {
      {"(function(a, b) a + b)(1, 2)", "3"},
      {"(function(a, b) a - b)(b: 1, a: 2)", "1"},
      {"(function(a, b) b)(a: 2)", "null"},
      {"(function(a) a)(b: 2)", "null"},
      {"(function(a) a)(1, 2)", "null"},
      {"(function(a) function(b) a + b)(1)(2)", "3"},
      {"5(1)", "null"},
      {"(function(a) external {java: {class: \"x\"}})(1)", "null"},
      {"{f: abs, r: f(-1)}.r", "1"},
      {"sort([3, 1, 2], function(a, b) a < b)", "[1, 2, 3]"},
      {"(for i in 1..2 return function() i)[2]()", "2"},
      {"substring(string: \"foobar\", start position: 3)", "\"obar\""},
      {"substring(nope: \"foobar\", start position: 3)", "null"},
  };
  expect_both(rows);
  EXPECT_EQ(run_dmn("(function(a: string) a)(1)"), "null");
  EXPECT_EQ(run_dmn("(function(a: number) a)([1])"), "1");
  EXPECT_EQ(run_dmn("(function(a: list<number>) a)(1)"), "[1]");
  EXPECT_EQ(run_workflow("(function(a: string) a)(1)"), "1");
}

TEST(Evaluator, types) {
  const Row rows[] = {
      {"1 instance of number", "true"},
      {"1 instance of string", "false"},
      {"null instance of Any", "false"},
      {"1 instance of Any", "true"},
      {"[1, 2] instance of list<number>", "true"},
      {"[1, \"a\"] instance of list<number>", "false"},
      {"[] instance of list<string>", "true"},
      {"{a: 1, b: 2} instance of context<a: number>", "true"},
      {"{b: 2} instance of context<a: number>", "false"},
      {"[1..2] instance of range<number>", "true"},
      {"(function(a) a) instance of function<number>->Any", "true"},
      {"(function(a, b) a) instance of function<number>->Any", "false"},
      {"@\"P1D\" instance of days and time duration", "true"},
      {"@\"P1D\" instance of years and months duration", "false"},
      {"@\"2024-01-01T00:00:00\" instance of date and time", "true"},
      {"@\"2024-01-01\" instance of date and true", "true"},
      {"1 instance of unknown", "null"},
      {"[1, 2] instance of list", "true"},
  };
  expect_both(rows);
}

TEST(Evaluator, names_with_spaces_and_operators_are_found_when_known) {
  const Context variables{{{"a", Value::number(1)},
                           {"b", Value::number(2)},
                           {"a-b", Value::number(10)},
                           {"days in weekend", Value::number(20)},
                           {"A/B", Value::number(30)},
                           {"decision A 2.1", Value::number(40)},
                           {"Applicant's age", Value::number(50)},
                           {"or", Value::number(60)},
                           {"👍", Value::number(70)},
                           {"2nd try", Value::number(80)},
                           {"p", Value{Context{{{"first name", Value{"Ada"}}}}}}}};
  const Row rows[] = {
      {"a - b", "10"},
      {"a -b", "10"},
      {"b-a", "1"},
      {"days in  weekend + 1", "21"},
      {"A/B", "30"},
      {"decision A 2.1 + a", "41"},
      {"Applicant's age", "50"},
      {"or + 1", "61"},
      {"👍", "70"},
      {"2nd try", "80"},
      {"for a b in [1, 2] return a b", "[1, 2]"},
      {"{first name: \"x\"}.first name", "\"x\""},
      {"(function(some value: number) some value)(3)", "3"},
      {"[{first name: \"x\"}][first name = \"x\"].first name", "[\"x\"]"},
      {"[p].a", "[null]"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(run_dmn(row.expression, variables), row.expected) << row.expression;
  }
}

TEST(Evaluator, closures_keep_what_they_read) {
  Interpreter interpreter({.now = testing::kNow, .limits = {}, .seed = {}});
  const auto make = parse_expression("function(x) x + offset", ParseOptions{});
  const Value function = interpreter.evaluate(*make, Context{{{"offset", Value::number(10)}}});
  const Value arguments[] = {Value::number(1)};
  EXPECT_EQ(testing::show(interpreter.call(function, arguments)), "11");
  const auto use = parse_expression("f(2)", ParseOptions{});
  EXPECT_EQ(testing::show(interpreter.evaluate(*use, Context{{{"f", function}}})), "12");
}

}  // namespace
}  // namespace beeline::feel
