#include "feel/feel.h"

#include <gtest/gtest.h>

#include "feel/feel_testing.h"
#include "feel/json.h"

// Expressions as the engine uses them: JSON variables in, JSON and warnings out.
namespace beeline::feel {
namespace {

using testing::expect_workflow;
using testing::JsonVariables;
using testing::kNow;
using testing::Row;

const JsonVariables& variables() {
  static const JsonVariables kVariables{
      {"x", "5"},
      {"s", R"("text")"},
      {"flag", "true"},
      {"nothing", "null"},
      {"broken", "{"},
      {"date_text", R"("2024-01-01")"},
      {"order id", "7"},
      {"count", "3"},
      {"order", R"({"id":"o-1","lines":[{"sku":"a","n":2},{"sku":"b","n":3}],"total":19.90,
                    "customer":{"name":"Ada \"L\"","vip":true},"id":"o-2"})"},
      {"list", "[1,2,3,4]"}};
  return kVariables;
}

Evaluation evaluate_text(std::string_view text) {
  const auto expression = parse_expression(text);
  EXPECT_TRUE(expression.has_value()) << text;
  return evaluate(*expression, variables(), {.now = kNow});
}

TEST(Feel, knows_the_variables_that_an_expression_may_read) {
  const std::pair<std::string_view, std::vector<std::string>> rows[] = {
      {"1 < 2", {}},
      {"x > 1 and y < x", {"x", "y"}},
      {"order.customer.name = \"x\"", {"order"}},
      {"count(items) > limit", {"items", "limit"}},
      {"`order id` = 7", {"order id"}},
      {"items[price > limit and item.sold][1].name = \"x\"", {"items", "limit", "price"}},
      {"some i in items, j in i.parts satisfies i > j + x", {"items", "x"}},
      {"for i in 1..n return partial[-1] + i", {"n"}},
      {"(function(a) a + b)(c) = 1", {"b", "c"}},
      {"{a: x, b: a + y}.b > 1", {"x", "y"}},
      {"if x = null then i else every i in list satisfies i", {"i", "list", "x"}},
      {"date(\"2024-01-01\") < d", {"d"}},
      {"x in (low..high]", {"high", "low", "x"}},
      {"x instance of number", {"x"}},
  };
  for (const auto& [text, names] : rows) {
    const auto expression = parse_expression(text);
    ASSERT_TRUE(expression.has_value()) << text;
    EXPECT_EQ(free_variables(*expression), names) << text;
  }
  EXPECT_TRUE(free_variables(Expression{}).empty());
}

TEST(Feel, reads_json_variables_and_paths_into_them) {
  const Row rows[] = {
      {"x", "5"},
      {"s", "\"text\""},
      {"nothing", "null"},
      {"broken", "null"},
      {"date_text instance of string", "true"},
      {"`order id` + 1", "8"},
      {"order.id", "\"o-2\""},
      {"order.total", "19.9"},
      {"order.customer.name", "\"Ada \"L\"\""},
      {"order.customer.missing", "null"},
      {"order.lines.sku", "[\"a\", \"b\"]"},
      {"order.lines[sku = \"b\"].n", "[3]"},
      {"order.lines[2].n", "3"},
      {"order.lines[n > 2][1].sku", "\"b\""},
      {"sum(order.lines.n)", "5"},
      {"count(list)", "4"},  // a variable that is not a function does not hide a function
      {"list[x - 3]", "2"},
      {"list[x]", "null"},
      {"list[count]", "3"},
      {"for l in order.lines return l.n * x", "[10, 15]"},
  };
  expect_workflow(rows, variables());
}

TEST(Feel, treats_missing_variables_as_null) {
  const Row rows[] = {
      {"y = null", "true"},        {"y != null", "false"},
      {"y = 5", "false"},          {"y < 5", "null"},
      {"y + 1", "null"},           {"y and true", "null"},
      {"y = z", "true"},           {"y.z = null", "true"},
      {"if y then 1 else 2", "2"}, {"some i in y satisfies i > 1", "null"},
      {"count(y)", "null"},        {"is defined(y)", "false"},
      {"is defined(x)", "true"},   {"is defined(order.customer.vip)", "true"},
      {"get or else(y, 1)", "1"},
  };
  expect_workflow(rows, variables());
}

TEST(Feel, says_why_something_became_null) {
  const struct {
    const char* expression;
    const char* warning;
  } rows[] = {
      {"y", "[NO_VARIABLE_FOUND] No variable found with name 'y'"},
      {"order.nope",
       "[NO_CONTEXT_ENTRY_FOUND] No context entry found with key 'nope' of context of 4 "
       "entries in 'order.nope'"},
      {"x.nope", "[NO_PROPERTY_FOUND] No property found with name 'nope' of number 5 in 'x.nope'"},
      {"x < \"a\"", "[NOT_COMPARABLE] Can't compare number 5 and string \"a\" in 'x < \"a\"'"},
      {"1 + count(list[item * 2 > \"2\"])",
       "[NOT_COMPARABLE] Can't compare number 2 and string \"2\" in 'item * 2 > \"2\"'"},
      {"(x + 1) / 0", "[INVALID_TYPE] Can't calculate with number 6 and number 0 in '(x + 1) / 0'"},
      {"order + 1",
       "[INVALID_TYPE] Can't calculate with context of 4 entries and number 1 in 'order + 1'"},
      {"\"12345678901234567890123456789012345\" - 1",
       "[INVALID_TYPE] Can't calculate with string \"123456789012345678901234567890\"... and "
       "number 1 in '\"12345678901234567890123456789012345\" - 1'"},
      {"if 1 then 2 else 3",
       "[INVALID_TYPE] The condition of 'if' is number 1 in 'if 1 then 2 else 3'"},
      {"nope(1)", "[NO_FUNCTION_FOUND] No function found for nope(number 1) in 'nope(1)'"},
      {"upper case(1)",
       "[FUNCTION_INVOCATION_FAILURE] Failed to call upper case(number 1): an argument is not of "
       "the type expected in 'upper case(1)'"},
      {"@\"2024-13-01\"", "[UNKNOWN] '2024-13-01' is not a date, time or duration"},
  };
  for (const auto& row : rows) {
    const Evaluation evaluation = evaluate_text(row.expression);
    EXPECT_FALSE(evaluation.failure) << row.expression;
    ASSERT_FALSE(evaluation.warnings.empty()) << row.expression;
    EXPECT_EQ(evaluation.warnings.front(), row.warning) << row.expression;
  }
  for (const char* silent : {"null = null", "not(null)", "flag and null", "list[9]", "nothing"}) {
    EXPECT_TRUE(evaluate_text(silent).warnings.empty()) << silent;
  }
}

TEST(Feel, keeps_a_hundred_warnings_and_counts_the_rest) {
  const Evaluation evaluation = evaluate_text("for i in 1..250 return missing");
  ASSERT_EQ(evaluation.warnings.size(), 101U);
  EXPECT_EQ(evaluation.warnings.back(), "[UNKNOWN] 150 more warnings were not kept");
}

TEST(Feel, writes_results_as_json) {
  const struct {
    const char* expression;
    const char* json;
  } rows[] = {
      {"{a: 1, \"b c\": [true, null, \"q\\\"\"]}", R"({"a":1,"b c":[true,null,"q\""]})"},
      {"1.50", "1.5"},
      {"1 / 3", "0.3333333333333333333333333333333333"},
      {"9223372036854775807", "9223372036854775807"},
      {"9223372036854775808", "9223372036854775808.0"},
      {"@\"2024-02-29\"", "\"2024-02-29\""},
      {"@\"10:00:00\"", "\"10:00:00\""},
      {"@\"2024-02-29T10:00:00@Europe/Paris\"", "\"2024-02-29T10:00:00+01:00[Europe/Paris]\""},
      {"@\"PT26H\"", "\"P1DT2H\""},
      {"@\"P14M\"", "\"P1Y2M\""},
      {"[1..3]", "null"},
      {"function(a) a", "null"},
      {"\"\\u0001\\t\"", "\"\\u0001\\t\""},
      {"to json([1..3])", "\"\\\"[1..3]\\\"\""},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(to_json(*evaluate_text(row.expression).value), row.json) << row.expression;
  }
  const Evaluation huge = evaluate_text("10 ** 30");
  EXPECT_EQ(to_json(*parse_json(to_json(*huge.value))), to_json(*huge.value));
}

TEST(Feel, answers_the_narrow_questions_of_the_engine) {
  EXPECT_EQ(as_boolean(*evaluate_text("x > 4").value), true);
  EXPECT_EQ(as_boolean(*evaluate_text("x").value), std::nullopt);
  EXPECT_EQ(as_string(*evaluate_text("s").value), "text");
  EXPECT_EQ(as_double(*evaluate_text("order.total").value), 19.9);
  EXPECT_EQ(as_integer(*evaluate_text("x").value), 5);
  EXPECT_EQ(as_integer(*evaluate_text("order.total").value), std::nullopt);
  EXPECT_EQ(list_items_json(*evaluate_text("[1, \"a\"]").value),
            (std::vector<std::string>{"1", "\"a\""}));
  EXPECT_EQ(list_items_json(*evaluate_text("x").value), std::nullopt);
  const auto entries = context_entries_json(*evaluate_text("{b: 1, a: [2]}").value);
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 2U);
  EXPECT_EQ(entries->front().first, "b");
  EXPECT_EQ(entries->back().second, "[2]");
  EXPECT_EQ(kind_name(kind_of(*evaluate_text("now()").value)), "date and time");
  EXPECT_EQ(Expression().text(), "");
  EXPECT_EQ(parse_expression("1 + 1")->text(), "1 + 1");
  EXPECT_TRUE(evaluate(Expression(), variables(), {.now = kNow}).value->is_null());
}

TEST(Feel, takes_the_time_from_the_caller) {
  const Row rows[] = {
      {"string(now())", "\"2023-11-14T22:13:20Z\""},
      {"string(today())", "\"2023-11-14\""},
      {"substring(uuid(), 1, 15)", "\"018bcfe5-6800-7\""},
      {"string length(uuid())", "36"},
      {"uuid() = uuid()", "false"},
      {"random number() < 1", "true"},
  };
  expect_workflow(rows);
}

TEST(Feel, failed_assertions_end_the_evaluation) {
  EXPECT_EQ(testing::run_workflow("assert(5, 5 > 4)"), "5");
  EXPECT_EQ(testing::run_workflow("[1, assert(2, false, \"too small\")]"),
            "failure: too small in 'assert(2, false, \"too small\")'");
  EXPECT_EQ(testing::run_workflow("assert(2, null)"),
            "failure: The condition is not fulfilled for number 2 in 'assert(2, null)'");
  EXPECT_EQ(testing::run_workflow("? > 1"), "failure: There is no input value for '?' in '? > 1'");
}

// A condition decided on the JSON text has the result that the evaluator would give.
TEST(Feel, conditions_on_constants_are_decided_without_making_values) {
  const JsonVariables given{{"n", "21"},
                            {"f", "20.50"},
                            {"big", "123456789012345678901"},
                            {"neg", "-3"},
                            {"exp", "2.1e1"},
                            {"s", "\"ab\""},
                            {"esc", "\"a\\u0062\""},
                            {"t", "true"},
                            {"nothing", "null"},
                            {"list", "[1]"},
                            {"broken", "12x"},
                            {"o", R"({"a": {"b": 5, "a b": 1}, "s": "x", "b": true, "b": false})"}};
  const std::string variables[] = {"n",    "f",     "big",     "neg",  "exp",      "s",
                                   "esc",  "t",     "nothing", "list", "broken",   "o",
                                   "none", "o.a.b", "o.s",     "o.b",  "o.a.none", "n.x"};
  const std::string constants[] = {"21",   "20.5", "-3",   "123456789012345678901", "0.0", "\"ab\"",
                                   "\"\"", "true", "false"};
  for (const std::string& variable : variables) {
    for (const std::string& constant : constants) {
      for (const char* op : {"=", "!=", "<", "<=", ">", ">="}) {
        const std::string text = variable + " " + op + " " + constant;
        // Inside a list the short cut is not taken.
        std::string evaluated = testing::run_workflow("[" + text + "]", given);
        evaluated = evaluated.substr(1, evaluated.size() - 2);
        EXPECT_EQ(testing::run_workflow(text, given), evaluated) << text;
        for (const char* joined : {" and n = 21", " or n = 0", " and t = false or neg < 0"}) {
          std::string both = testing::run_workflow("[" + text + joined + "]", given);
          both = both.substr(1, both.size() - 2);
          EXPECT_EQ(testing::run_workflow(text + joined, given), both) << text << joined;
        }
      }
    }
  }
}

TEST(Feel, the_members_of_a_json_object_are_variables) {
  const auto object = JsonObject::read(R"({"a": 1, "b\u0063": {"d": [2]}, "a": 3})");
  ASSERT_TRUE(object);
  EXPECT_EQ(testing::run_workflow("a + bc.d[1]", *object), "5");
  EXPECT_EQ(object->find("b"), std::nullopt);
  std::string large = "{";
  for (int i = 0; i < 50; ++i)
    large += "\"m" + std::to_string(i % 40) + "\": " + std::to_string(i) + ",";
  large += "\"last\": 0}";
  const auto many = JsonObject::read(large);
  ASSERT_TRUE(many);
  EXPECT_EQ(many->find("m3"), "43");
  EXPECT_EQ(many->find("m30"), "30");
  EXPECT_EQ(many->find("m50"), std::nullopt);
  for (const char* none : {"", "[]", "1", "{\"a\"}", "{\"a\": 1", "{\"a: 1}"}) {
    EXPECT_FALSE(JsonObject::read(none)) << none;
  }
}

}  // namespace
}  // namespace beeline::feel
