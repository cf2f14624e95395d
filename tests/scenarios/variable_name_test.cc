#include <fmt/format.h>

#include "record/json.h"
#include "tests/support/scenario.h"

// Variables may have any name, even one that FEEL can write only in backticks or not at all.
namespace beeline::testing {
namespace {

constexpr std::string_view kNames[] = {
    "a",      "instance", "in",        "for",       "of",     "if",     "then",  "else",
    "return", "some",     "every",     "satisfies", "not",    "and",    "or",    "between",
    "null",   "true",     "false",     "function",  "date",   "time",   "item",  "list",
    "a-b",    "a b",      "1a",        "ä",         "日本",   "$a",     "@a",    "a#b",
    "a+b",    "a*b",      "a/b",       "a,b",       "a:b",    "a%b",    "a=b",   "=a",
    "(a)",    "[a]",      "{a}",       "a'b",       "a\"b",   "a\\b",   "a?",    "a!",
    "a&b",    "<a>",      "loopCount", "external",  "string", "number", "`a-b`", "years and months",
};

std::string document(std::string_view name, std::string_view json) {
  std::string text = "{";
  record::append_json_string(name, text);
  return fmt::format("{}:{}}}", text, json);
}

class VariableNameTest : public ScenarioTest {
 protected:
  // Returns the value of the variable that a worker sees.
  std::string seen_by_worker(std::string_view name) {
    when.activates_jobs("j");
    const auto batch = then.answer<record::JobBatchRecord>();
    for (const auto& job : batch.jobs) {
      for (const auto& [key, value] : job.variables.entries) {
        if (key == name) return value;
      }
    }
    return "absent";
  }
};

TEST_F(VariableNameTest, any_name_is_a_mapping_target) {
  for (const std::string_view name : kNames) {
    SCOPED_TRACE(name);
    given.process("p", start() >> service_task("x", job("j"), input("=7", std::string(name)),
                                               output("=8", std::string(name))) >>
                           service_task("y", job("k")) >> end());
    const Key instance = given.instance("p");
    EXPECT_EQ(seen_by_worker(name), "7");
    given.completes_job("j");
    EXPECT_EQ(then.variable(instance, name), "8");
    given.cancels(instance);
  }
}

TEST_F(VariableNameTest, any_names_with_dots_between_them_nest) {
  given.process("p", start() >> service_task("x", job("j"), input("=7", "for.a-b.in")) >> end());
  given.instance("p");
  EXPECT_EQ(seen_by_worker("for"), R"({"a-b":{"in":7}})");
}

TEST_F(VariableNameTest, any_name_is_an_input_element_and_an_output_collection) {
  for (const std::string_view name : kNames) {
    SCOPED_TRACE(name);
    const std::string text(name);
    given.process("p", start() >> service_task("x", job("j"),
                                               multi_instance({.input_collection = "[7]",
                                                               .input_element = text,
                                                               .output_collection = "r " + text,
                                                               .output_element = "8"})) >>
                           service_task("y", job("k")) >> end());
    const Key instance = given.instance("p");
    EXPECT_EQ(seen_by_worker(name), "7");
    given.completes_job("j");
    EXPECT_EQ(then.variable(instance, "r " + text), "[8]");
    given.cancels(instance);
  }
}

TEST_F(VariableNameTest, any_name_is_a_result_variable) {
  for (const std::string_view name : kNames) {
    SCOPED_TRACE(name);
    given.process("p", start() >> script_task("x", script("7", std::string(name))) >>
                           service_task("y", job("k")) >> end());
    const Key instance = given.instance("p");
    EXPECT_EQ(then.variable(instance, name), "7");
    given.cancels(instance);
  }
}

// A variable that the output element names stays local to its item, whatever its name is.
TEST_F(VariableNameTest, an_output_element_names_a_variable_also_in_backticks) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"a", "a"},
      {"`a-b`", "a-b"},
      {"`for`", "for"},
      {"`in`", "in"},
      {"instance", "instance"},
      {"`a b`.c", "a b"},
      {"a.b.c", "a"},
      {"ä", "ä"},
  };
  for (const auto& [feel, name] : rows) {
    SCOPED_TRACE(feel);
    const bool is_path = feel.find('.') != std::string_view::npos;
    given.process("p", start() >>
                           service_task("x", job("j"),
                                        multi_instance({.input_collection = "[1]",
                                                        .output_collection = "results",
                                                        .output_element = std::string(feel)})) >>
                           service_task("y", job("k")) >> end());
    const Key instance = given.instance("p");
    EXPECT_EQ(seen_by_worker(name), "null");
    given.completes_job("j", document(name, is_path ? R"({"b":{"c":9},"c":9})" : "9"));
    EXPECT_EQ(then.variable(instance, "results"), "[9]");
    EXPECT_EQ(then.variable(instance, name), "absent");
    given.cancels(instance);
  }
}

}  // namespace
}  // namespace beeline::testing
