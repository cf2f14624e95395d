#include <gtest/gtest.h>

#include "feel/feel_testing.h"

namespace beeline::feel {
namespace {

// Returns the result of the tests for an input, both written as FEEL.
std::string verdict(std::string_view tests, std::string_view input, Dialect dialect) {
  ParseOptions options;
  options.dialect = dialect;
  const auto parsed = parse_unary_tests(tests, options);
  if (!parsed) return "syntax error: " + parsed.error().message;
  Interpreter interpreter({.now = testing::kNow, .limits = {}, .seed = {}});
  const Context variables{{{"limit", Value::number(5)}, {"yes", Value{true}}}};
  const Value value = interpreter.evaluate(*parse_expression(input, options), variables);
  return testing::show(interpreter.test(*parsed, value, variables));
}

TEST(UnaryTests, judge_an_input) {
  const struct {
    const char* tests;
    const char* input;
    const char* expected;
  } rows[] = {
      {"-", "5", "true"},
      {"", "null", "true"},
      {"5", "5", "true"},
      {"5", "6", "false"},
      {"-1", "-1", "true"},
      {"< 5", "4", "true"},
      {"<= limit", "5", "true"},
      {"> \"a\"", "5", "null"},
      {"= 5", "5", "true"},
      {"!= 5", "5", "false"},
      {"[1..5]", "5", "true"},
      {"[1..5)", "5", "false"},
      {"]1..5[", "1", "false"},
      {"[1..5]", "\"a\"", "null"},
      {"1, 2, 3", "2", "true"},
      {"< 1, > 9", "5", "false"},
      {"not(1, 2)", "3", "true"},
      {"not(1, 2)", "2", "false"},
      {"not(< 5)", "\"a\"", "null"},
      {"not(-1)", "1", "true"},
      {"\"a\", \"b\"", "\"b\"", "true"},
      {"[1, 2, 3]", "2", "true"},
      {"[1, 2]", "[1, 2]", "true"},
      {"[[1..3], [7..9]]", "8", "true"},
      {"limit", "5", "true"},
      {"? > 3 and ? < 9", "5", "true"},
      {"? > 3", "2", "false"},
      {"contains(?, \"a\")", "\"cat\"", "true"},
      {"yes", "5", "true"},
      {"true", "true", "true"},
      {"true", "false", "false"},
      {"false", "false", "true"},
      {"true", "null", "false"},
      {"null", "null", "true"},
      {"null", "5", "false"},
      {"@\"2024-01-01\"", "@\"2024-01-01\"", "true"},
      {"date(\"2024-01-01\")", "@\"2024-01-01\"", "true"},
      {"> date(\"2024-01-01\")", "@\"2024-01-02\"", "true"},
      {"not(true) = false", "true", "true"},
      {"limit + 1", "6", "true"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(verdict(row.tests, row.input, Dialect::Dmn), row.expected)
        << row.tests << " on " << row.input;
    EXPECT_EQ(verdict(row.tests, row.input, Dialect::Workflow), row.expected)
        << row.tests << " on " << row.input;
  }
}

TEST(UnaryTests, are_checked_when_parsed) {
  for (const char* text : {"- 1 -", "<", "1,", "not(", "not(1,)", ", 1"}) {
    EXPECT_FALSE(parse_unary_tests(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace beeline::feel
