#include <gtest/gtest.h>

#include <atomic>
#include <ctime>
#include <thread>

#include "feel/feel_testing.h"
#include "feel/json.h"
#include "feel/regex.h"
#include "feel/worst_cases_testing.h"

// The limits that hostile expressions and values meet.
namespace beeline::feel {
namespace {

using testing::run_workflow;

// Uses a part of the usual limits to be quick.
std::string run_limited(std::string_view text) {
  Limits limits;
  limits.steps = 1'000'000;
  limits.live_bytes = 1024 * 1024;
  limits.list_size = 10'000;
  limits.string_size = 40'000;
  Interpreter interpreter({.now = testing::kNow, .limits = limits, .seed = {}});
  const Value value = interpreter.evaluate(*parse_expression(text), {});
  return interpreter.failed() ? *interpreter.failure() : testing::show(value);
}

TEST(Limits, end_an_evaluation_with_a_failure) {
  const std::string list = "A list would have more than 10000 items";
  const std::string steps = "The evaluation took more than 1000000 steps";
  const std::string memory = "The evaluation holds more than 1 MiB";
  const std::string nested = "The evaluation is nested too deeply";
  const std::string value = "A value would be nested deeper than 1000 levels";
  const std::string shared = "A value would be larger than 67108864 bytes";
  const std::string text = "A string would be longer than 40000 bytes";
  const testing::Row rows[] = {
      {"count(for i in 1..1000000000 return 1)", list},
      {"some i in 1..1000000000 satisfies i < 0", steps},
      {"count(for i in 1..10000, j in 1..10000 return 1)", list},
      {"{f: function(n) f(n + 1)}.f(0)", nested},
      {"{f: function(n) 1 + (if n > 0 then [f(n + 1)][1] else 0)}.f(1)", nested},
      {"count((for i in 1..2000 return [partial[-1]])[-1])", value},
      {"for i in 1..2000 return if i = 1 then {a: 1} else {a: partial[-1]}", value},
      {"(for i in 1..40 return if i = 1 then \"aa\" else partial[-1] + partial[-1])[-1]", text},
      {"string join(for i in 1..10000 return \"aaaaaaaaaa\")", text},
      {"(for i in 1..40 return if i = 1 then [1] else concatenate(partial[-1], partial[-1]))[-1]",
       list},
      {"count(for i in 1..1000 return for j in 1..1000 return j)", memory},
      {"(for i in 1..60 return if i = 1 then [1] else [partial[-1], partial[-1]])[-1]", shared},
      {"(for i in 1..60 return if i = 1 then {a: 1} else {a: partial[-1], b: partial[-1]})[-1]",
       shared},
      {"for j in 1..9 return sort(for i in 1..9000 return i, function(a, b) a > b)", steps},
      {"replace(string join(for i in 1..100 return \"aaaaaaaaaa\"), \"a\", "
       "string join(for i in 1..100 return \"b\"))",
       text},
  };
  for (const testing::Row& row : rows) {
    // After the limit, the message names the sub-expression that met it.
    const std::string failure = run_limited(row.expression);
    EXPECT_TRUE(failure.starts_with(row.expected + " in '")) << row.expression << ": " << failure;
  }
}

TEST(Limits, functions_that_hold_functions_are_nested_values) {
  EXPECT_EQ(run_workflow("count(for i in 1..2000 return function() partial[-1])"),
            "failure: A value would be nested deeper than 1000 levels in 'for i in 1..2000 return "
            "function() partial[-1]'");
}

TEST(Limits, a_failed_interpreter_answers_null) {
  Interpreter interpreter({.now = testing::kNow, .limits = {.steps = 100}, .seed = {}});
  const auto endless = parse_expression("some i in 1..1000 satisfies false");
  EXPECT_TRUE(interpreter.evaluate(*endless, {}).is_null());
  EXPECT_EQ(interpreter.failure(),
            "The evaluation took more than 100 steps in 'some i in 1..1000 satisfies false'");
  EXPECT_TRUE(interpreter.evaluate(*parse_expression("1"), {}).is_null());
}

TEST(Limits, failures_pass_through_host_functions) {
  Interpreter interpreter({.now = testing::kNow, .limits = {}, .seed = {}});
  const Value outer = make_function({"x"}, [&](std::span<const Value> arguments) {
    return interpreter.evaluate(*parse_expression("assert(y, false, \"inner\")"),
                                Context{{{"y", arguments[0]}}});
  });
  EXPECT_TRUE(
      interpreter.evaluate(*parse_expression("[f(1), 2]"), Context{{{"f", outer}}}).is_null());
  EXPECT_EQ(interpreter.failure(), "inner in 'assert(y, false, \"inner\")'");
}

TEST(Limits, json_is_read_to_a_depth) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(parse_json(nested(kValueDepthMax)).has_value());
  EXPECT_FALSE(parse_json(nested(kValueDepthMax + 1)).has_value());
  EXPECT_FALSE(parse_json(std::string(1'000'000, '[')).has_value());
  const testing::JsonVariables variables{{"deep", nested(kValueDepthMax)},
                                         {"deeper", nested(1'000'000)}};
  EXPECT_EQ(testing::run_workflow("count(deep)", variables), "1");
  EXPECT_EQ(testing::run_workflow("deeper", variables), "null");
  EXPECT_TRUE(testing::run_workflow("[deep]", variables).starts_with("failure: A value"));
  EXPECT_EQ(testing::run_workflow("deep = deep", variables), "true");
}

TEST(Limits, regular_expressions_give_up) {
  const auto hard = parse_expression("matches(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\", \"^(a+)+$\")");
  const Evaluation evaluation = evaluate(*hard, testing::JsonVariables{}, {.now = testing::kNow});
  EXPECT_TRUE(evaluation.value->is_null());
  EXPECT_TRUE(evaluation.failure && evaluation.failure->starts_with(
                                        "The evaluation took more than 6000000 steps in 'matches("))
      << evaluation.failure.value_or("no failure");
  // Every letter is a position to backtrack to.
  const testing::JsonVariables variables{{"a1m", "\"" + std::string(1'000'000, 'a') + "\""}};
  EXPECT_EQ(testing::run_workflow("matches(a1m, \"^(a|b)*$\")", variables),
            "failure: The regular expression needs more than 20 MiB to match in "
            "'matches(a1m, \"^(a|b)*$\")'");
  EXPECT_EQ(Regex::compile(std::string(5'000, 'a'), "", Regex::Syntax::Lenient), nullptr);
}

TEST(Limits, evaluations_share_a_budget) {
  Budget budget(1'000);
  const auto evaluate_with = [&](std::string_view text) {
    return evaluate(*parse_expression(text), testing::JsonVariables{{"x", "21"}},
                    {.now = testing::kNow, .budget = &budget});
  };
  EXPECT_FALSE(evaluate_with("count(for i in 1..100 return i)").failure);
  const std::int64_t used = budget.used();
  EXPECT_GT(used, 200);
  EXPECT_FALSE(evaluate_with("x = 21").failure);
  EXPECT_GT(budget.used(), used);
  EXPECT_EQ(evaluate_with("count(for i in 1..1000 return i)").failure,
            "The expressions of one command took more than 1000 steps in 'for i in 1..1000 return "
            "i'");
  // The budget is used up for later evaluations, including plain conditions.
  EXPECT_TRUE(budget.is_used_up());
  EXPECT_TRUE(evaluate_with("1").failure);
  EXPECT_TRUE(evaluate_with("x = 21").failure);
}

// feel_budget_bench measures how much work a step represents. This test does the same with a small
// part of the budget and of the variables, and with a margin for a build without optimisation on a
// busy machine: work that is not charged at all takes seconds.
TEST(Limits, the_worst_expressions_end_in_time) {
  constexpr std::int64_t kSteps = Budget::kSteps / 200;
  constexpr double kSecondsMax = 1.0;
  const auto variables = testing::make_worst_case_variables(40'000);
  for (const std::string& text : testing::worst_cases()) {
    const auto parsed = parse_expression(text);
    ASSERT_TRUE(parsed.has_value()) << text.substr(0, 200) << ": " << parsed.error().message;
    Budget budget(kSteps);
    const std::clock_t before = std::clock();
    (void)evaluate(*parsed, *variables, {.now = testing::kNow, .budget = &budget});
    const double seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    EXPECT_LT(seconds, kSecondsMax) << text.substr(0, 200);
  }
}

TEST(Limits, one_program_serves_many_threads) {
  const auto expression = parse_expression(
      "string(sum(for i in 1..100 return i ** 2)) + replace(\"abc\", \"b\", \"x\")"
      " + string(@\"2024-07-01T10:00:00@Europe/Paris\" + @\"PT1H\")");
  ASSERT_TRUE(expression.has_value());
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        const Evaluation evaluation =
            evaluate(*expression, testing::JsonVariables{}, {.now = testing::kNow});
        if (as_string(*evaluation.value) != "338350axc2024-07-01T11:00:00@Europe/Paris") ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace beeline::feel
