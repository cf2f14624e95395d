#include "feel/parser.h"

#include <gtest/gtest.h>

#include "feel/feel_testing.h"

namespace beeline::feel {
namespace {

using testing::Row;
using testing::run_dmn;
using testing::run_workflow;

TEST(Parser, says_what_is_wrong_and_where) {
  const struct {
    const char* text;
    const char* message;
    std::size_t offset;
  } rows[] = {
      {"", "Expected an expression, but the text ends", 0},
      {"1 +", "Expected an expression, but the text ends", 3},
      {"(1", "Expected ')', but the text ends", 2},
      {"[1, 2", "Expected ',' or ']', but the text ends", 5},
      {"1 2", "Expected an operator or the end of the text, but found '2'", 2},
      {"if a then b", "Expected 'else', but the text ends", 11},
      {"\"abc", "A string is not closed", 0},
      {"`abc", "A back-tick is not closed", 0},
      {"1 /* x", "A comment is not closed", 2},
      {"a.", "Expected the name of a member, but the text ends", 2},
      {"{a 1}", "Expected ':', but found '}'", 4},
      {"{1: 1}", "Expected the name of an entry, but found '1'", 1},
      {"x # y", "Expected an operator or the end of the text, but found '#'", 2},
      {"[1..2", "Expected ']', ')' or '[' as the end of the range, but the text ends", 5},
      {"@x", "Expected a text in quotes, but found 'x'", 1},
      {"2abc", "Expected an expression, but found '2abc'", 0},
      {"then", "Expected an expression, but found 'then'", 0},
      {"\xff", "The text is not valid UTF-8", 0},
      {"a instance of", "Expected a type, but the text ends", 13},
  };
  for (const auto& row : rows) {
    const auto expression = parse_expression(row.text);
    ASSERT_FALSE(expression.has_value()) << row.text;
    EXPECT_EQ(expression.error().message, row.message) << row.text;
    EXPECT_EQ(expression.error().offset, row.offset) << row.text;
  }
}

TEST(Parser, points_at_the_place) {
  const struct {
    std::string text;
    const char* described;
  } rows[] = {
      {"(a + b) * (c",
       "Expected ')', but the text ends (line 1, column 13)\n"
       "  (a + b) * (c\n"
       "              ^"},
      {"if a\n\tthen \u00e9 b\nelse 1",
       "Expected 'else', but found 'b' (line 2, column 9)\n"
       "   then \u00e9 b\n"
       "          ^"},
      {"", "Expected an expression, but the text ends (line 1, column 1)\n  \n  ^"},
      {"1 +\n", "Expected an expression, but the text ends (line 2, column 1)\n  \n  ^"},
      {"\xff", "The text is not valid UTF-8 (line 1, column 1)"},
      {std::string(100, '1') + " x " + std::string(100, '2'),
       "Expected an operator or the end of the text, but found 'x' (line 1, column 102)\n"
       "  111111111111111111111111111111111111111 x 222222222222222222222222222222222222222\n"
       "                                          ^"},
      {"1 \"" + std::string(100, 'a') + "\"",
       "Expected an operator or the end of the text, but found "
       "'\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...' (line 1, column 3)\n"
       "  1 \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
       "    ^"},
  };
  for (const auto& row : rows) {
    const auto expression = parse_expression(row.text);
    ASSERT_FALSE(expression.has_value()) << row.text;
    EXPECT_EQ(expression.error().describe(row.text), row.described);
  }
}

TEST(Parser, tells_apart_what_looks_alike) {
  const Row rows[] = {
      {"[1..10[", "[1..10)"},
      {"]1..10]", "(1..10]"},
      {"[1..[5, 6][2]]", "[1..6]"},
      {"[1..[5, 6][2][", "[1..6)"},
      {"[[1..2[, ]3..4]]", "[[1..2), (3..4]]"},
      {"(1..5)", "(1..5)"},
      {"(1)", "1"},
      {"(<10)", "< 10"},
      {"[1 .. 3]", "[1..3]"},
      {"1 in [0..2[ and true", "true"},
      {"date and time(\"2024-01-01T00:00:00\").year", "2024"},
      {"true and date(\"2024-01-01\").year = 2024", "true"},
      {"{date: 1, and: 2}.and", "2"},
      {"{if: 1}.if", "1"},
      {"for x in [1] return x in [1]", "[true]"},
      {"for inner in [1] return inner", "[1]"},
      {"{order: 3}.order", "3"},
      {"if true then{a:1}else{a:2}", "{a: 1}"},
      {"not(true) or true", "true"},
      {"- 5 + 3", "-2"},
      {"1-1", "0"},
      {"string length (\"abc\")", "3"},
  };
  testing::expect_both(rows);
}

TEST(Parser, refuses_what_is_too_large) {
  const auto repeated = [](std::string_view text, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) out += text;
    return out;
  };
  const struct {
    std::string text;
    const char* message;
  } rows[] = {
      {repeated("(", 300) + "1" + repeated(")", 300), "The expression is nested too deeply"},
      {repeated("[", 30'000), "The expression has more than 20000 parts"},
      {repeated("[", 15'000), "The expression is nested too deeply"},
      {repeated("{a:", 5'000), "The expression is nested too deeply"},
      {repeated("if 1 then 2 else ", 3'000) + "1", "The expression is nested too deeply"},
      {repeated("function() ", 5'000) + "1", "The expression is nested too deeply"},
      {"1 instance of " + repeated("list<", 5'000), "The expression is nested too deeply"},
      {"1" + repeated(" = 1", 5'000), "The expression is nested too deeply"},
      {"1" + repeated(" ** 1", 5'000), "The expression is nested too deeply"},
      {"a" + repeated(".a", 5'000), "The expression is nested too deeply"},
      {"f" + repeated("()", 5'000), "The expression is nested too deeply"},
      {repeated("1 ", 40'000), "The expression is longer than 65536 bytes"},
      {repeated("1,", 20'001), "The expression has more than 20000 parts"},
  };
  for (const auto& row : rows) {
    const auto expression = parse_expression(row.text);
    ASSERT_FALSE(expression.has_value()) << row.text.substr(0, 40);
    EXPECT_EQ(expression.error().message, row.message) << row.text.substr(0, 40);
  }
}

TEST(Parser, long_chains_are_not_deep) {
  std::string sum = "1";
  std::string text = "\"\"";
  std::string any = "false";
  for (int i = 0; i < 5'000; ++i) {
    sum += "+1";
    any += " or false";
  }
  for (int i = 0; i < 1'000; ++i) text += "+\"a\"";
  EXPECT_EQ(run_workflow(sum), "5001");
  EXPECT_EQ(run_workflow(any), "false");
  EXPECT_EQ(run_workflow("string length(" + text + ")"), "1000");
  EXPECT_EQ(run_workflow(std::string(5'001, '-') + "1"), "-1");
}

TEST(Parser, hostile_ranges_take_linear_time) {
  std::string text = "[1";
  for (int i = 0; i < 3'000; ++i) text += "..2[-[1";
  EXPECT_FALSE(parse_expression(text).has_value());
}

TEST(Parser, workflow_names_are_single_words_or_in_back_ticks) {
  const testing::JsonVariables variables{{"a", "5"}, {"b", "2"}, {"a-b", "9"}, {"$x", "1"}};
  const Row rows[] = {
      {"a-b", "3"},
      {"`a-b`", "9"},
      {"$x", "1"},
      {"a b", "syntax error: Expected an operator or the end of the text, but found 'b'"},
      {"{`b c`: 1}.`b c`", "1"},
  };
  testing::expect_workflow(rows, variables);
}

}  // namespace
}  // namespace beeline::feel
