#pragma once

#include <gtest/gtest.h>

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "feel/interpreter.h"
#include "feel/text.h"

// Tables of expressions and their results as text: strings are in quotes, other values as FEEL's
// string() prints them.
namespace beeline::feel::testing {

inline constexpr Instant kNow{
    std::chrono::milliseconds{1'700'000'000'000}};  // 2023-11-14T22:13:20Z

struct Row {
  std::string expression;
  std::string expected;
};

// Variables as a process stores them.
class JsonVariables final : public VariableSource {
 public:
  JsonVariables(std::initializer_list<std::pair<const std::string, std::string>> values)
      : values_(values) {}
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const override {
    const auto found = values_.find(std::string(name));
    return found == values_.end() ? std::nullopt : std::optional<std::string_view>(found->second);
  }

 private:
  std::map<std::string, std::string> values_;
};

inline std::string show(const Value& value) {
  return value.is(Kind::String) ? '"' + value.string() + '"' : to_text(value);
}

// Evaluates in the workflow dialect, as the engine does.
inline std::string run_workflow(std::string_view text, const VariableSource& variables) {
  const auto expression = parse_expression(text);
  if (!expression) return "syntax error: " + expression.error().message;
  const Evaluation evaluation = evaluate(*expression, variables, {.now = kNow});
  return evaluation.failure ? "failure: " + *evaluation.failure : show(*evaluation.value);
}
inline std::string run_workflow(std::string_view text) {
  return run_workflow(text, JsonVariables{});
}

// Evaluates in the dmn dialect with the functions of the standard only.
inline std::string run_dmn(std::string_view text, const Context& variables = {}) {
  NameTable names;
  for (const Entry& entry : variables.entries()) names.add(entry.name);
  ParseOptions options;
  options.dialect = Dialect::Dmn;
  options.extensions = false;
  options.variables = &names;
  options.members = &names;
  const auto expression = parse_expression(text, options);
  if (!expression) return "syntax error: " + expression.error().message;
  Interpreter interpreter({.now = kNow, .limits = {}, .seed = 1});
  const Value value = interpreter.evaluate(*expression, variables);
  return interpreter.failed() ? "failure: " + *interpreter.failure() : show(value);
}

inline void expect_workflow(std::span<const Row> rows,
                            const VariableSource& variables = JsonVariables{}) {
  for (const Row& row : rows) {
    EXPECT_EQ(run_workflow(row.expression, variables), row.expected) << row.expression;
  }
}
inline void expect_dmn(std::span<const Row> rows) {
  for (const Row& row : rows) EXPECT_EQ(run_dmn(row.expression), row.expected) << row.expression;
}
// Rows on which the dialects agree.
inline void expect_both(std::span<const Row> rows) {
  expect_workflow(rows);
  expect_dmn(rows);
}

}  // namespace beeline::feel::testing
