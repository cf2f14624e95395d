#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The whole of FEEL that other folders see: parse once (at deployment), evaluate often. Pure: no
// clock, no files but the time zone database, no state between evaluations.
namespace beeline::feel {

class Value;     // value.h
struct Program;  // the parsed form, private to this folder

template <typename T, typename E>
using Result = std::expected<T, E>;

// A point in time; the clock is the caller's.
using Instant = std::chrono::sys_time<std::chrono::milliseconds>;

// Why a text is not FEEL, with the place.
struct ParseError {
  std::string message;     // a sentence, without the text itself
  std::size_t offset = 0;  // in bytes
  std::size_t line = 1;    // from 1
  std::size_t column = 1;  // in characters, from 1

  // The message with line and column, then the line of the text and a caret below the place:
  //   Expected ')', but the text ends (line 1, column 9)
  //     (a + b) * (c
  //                 ^
  [[nodiscard]] std::string describe(std::string_view text) const;
};

// A parsed expression: immutable, cheap to copy, safe to share between threads.
class Expression {
 public:
  Expression() = default;  // evaluates to null
  explicit Expression(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  [[nodiscard]] const Program* program() const { return program_.get(); }
  // The source text this was parsed from.
  [[nodiscard]] std::string_view text() const;

 private:
  // Shared because an expression is part of a model that many instances and threads read, and
  // because copies of a model must not copy syntax trees.
  std::shared_ptr<const Program> program_;
};

[[nodiscard]] Result<Expression, ParseError> parse_expression(std::string_view text);
[[nodiscard]] Result<Expression, ParseError> parse_unary_tests(std::string_view text);

// The variable that the expression names, alone or at the head of a path (a.b.c); empty when it is
// any other expression. The text lives as long as the expression.
[[nodiscard]] std::string_view root_variable(const Expression& expression);

// Where an expression finds its variables. Values come as JSON text and are looked into lazily.
class VariableSource {
 public:
  virtual ~VariableSource() = default;
  // The JSON text of the variable, or nothing. The text must live until the evaluation ends.
  [[nodiscard]] virtual std::optional<std::string_view> find(std::string_view name) const = 0;
};

// Variables that are the members of one JSON object, for those who have no other store of them.
class JsonObject final : public VariableSource {
 public:
  // Nothing when the text is no JSON object. The text must outlive this; no value is looked into.
  [[nodiscard]] static std::optional<JsonObject> read(std::string_view json);
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const override;

 private:
  std::vector<std::pair<std::string, std::string_view>> members_;
};

// What an evaluation gives. `failure` is set when there is no usable result at all (a limit was
// hit, an assert failed); null with warnings is a result. Warnings say why something became null.
struct Evaluation {
  std::shared_ptr<const Value> value;  // never null pointer when !failure
  std::vector<std::string> warnings;
  std::optional<std::string> failure;
};

// The work that several evaluations may do together, in steps. A step is a node visited or as much
// other work as takes about as long: some items copied, some bytes searched, a step of a regular
// expression. Steps are counts, so evaluations end at the same place on every machine; the usual
// budget is so large that using all of it takes at most 250 ms of one core, whatever it is used for
// (`bench/feel_budget_bench.cc` measures it).
class Budget {
 public:
  static constexpr std::int64_t kSteps = 6'000'000;

  explicit Budget(std::int64_t steps = kSteps) : steps_(steps), left_(steps) {}

  [[nodiscard]] std::int64_t steps() const { return steps_; }
  [[nodiscard]] std::int64_t left() const { return left_; }
  [[nodiscard]] std::int64_t used() const { return steps_ - left_; }
  [[nodiscard]] bool is_used_up() const { return left_ < 0; }
  // May take more than is left: the budget is then used up, and every further evaluation fails.
  void spend(std::int64_t steps) { left_ -= steps; }

 private:
  std::int64_t steps_;
  std::int64_t left_;
};

struct EvaluationOptions {
  Instant now;               // what now() and today() answer
  Budget* budget = nullptr;  // shared with other evaluations; without one there is a fresh one
};

[[nodiscard]] Evaluation evaluate(const Expression& expression, const VariableSource& variables,
                                  const EvaluationOptions& options);

// The narrow questions that engine code asks of a result, so that it need not know Value.
enum class Kind {
  Null,
  Boolean,
  Number,
  String,
  List,
  Context,
  Date,
  Time,
  DateTime,
  YearsMonthsDuration,
  DaysTimeDuration,
  Range,
  Function
};
[[nodiscard]] Kind kind_of(const Value& value);
[[nodiscard]] std::string_view kind_name(Kind kind);  // "string", "number", "date and time", ...
[[nodiscard]] std::optional<bool> as_boolean(const Value& value);
[[nodiscard]] std::optional<std::string> as_string(const Value& value);    // strings only
[[nodiscard]] std::optional<double> as_double(const Value& value);         // numbers only
[[nodiscard]] std::optional<std::int64_t> as_integer(const Value& value);  // whole numbers only
// The number without exponent and trailing zeros: "5", "12.5". Numbers only.
[[nodiscard]] std::optional<std::string> as_number_text(const Value& value);
// Compact JSON. Temporal values become strings as FEEL prints them; functions and ranges null.
[[nodiscard]] std::string to_json(const Value& value);
// The JSON of each item of a list; nothing when the value is no list.
[[nodiscard]] std::optional<std::vector<std::string>> list_items_json(const Value& value);
// The entries of a context in order, values as JSON; nothing when the value is no context.
[[nodiscard]] std::optional<std::vector<std::pair<std::string, std::string>>> context_entries_json(
    const Value& value);

}  // namespace beeline::feel
