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

// The interface of FEEL for other folders: parse once (at deployment), evaluate often. The
// functions are pure: they use no clock, no files except the time zone database, and no state
// between evaluations.
namespace beeline::feel {

class Value;     // value.h
struct Program;  // the parsed form, private to this folder

template <typename T, typename E>
using Result = std::expected<T, E>;

// A point in time; the caller provides the clock.
using Instant = std::chrono::sys_time<std::chrono::milliseconds>;

// Why a text is not FEEL, and where.
struct ParseError {
  std::string message;     // a sentence, without the text of the expression
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

// Returns the variable that the expression names, alone or at the head of a path (a.b.c); empty for
// any other expression. The text lives as long as the expression.
[[nodiscard]] std::string_view root_variable(const Expression& expression);

// Returns the variables that the expression may read, in the order of their names.
[[nodiscard]] std::vector<std::string> free_variables(const Expression& expression);

// Provides the variables of an expression as JSON text, which the evaluation reads lazily.
class VariableSource {
 public:
  virtual ~VariableSource() = default;
  // Returns the JSON text of the variable, or nothing. The text must live until the evaluation
  // ends.
  [[nodiscard]] virtual std::optional<std::string_view> find(std::string_view name) const = 0;
};

// Variables that are the members of one JSON object, for callers that have no other store of
// variables.
class JsonObject final : public VariableSource {
 public:
  // Returns nothing if the text is not a JSON object. The text must outlive this object; the values
  // are not parsed.
  [[nodiscard]] static std::optional<JsonObject> read(std::string_view json);
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const override;

 private:
  std::vector<std::pair<std::string, std::string_view>> members_;
};

// The result of an evaluation. `failure` is set if there is no usable result at all (a limit was
// hit, an assert failed); null with warnings is a result. A warning explains why something became
// null.
struct Evaluation {
  std::shared_ptr<const Value> value;  // not a null pointer unless it failed
  std::vector<std::string> warnings;
  std::optional<std::string> failure;
};

// The work that several evaluations may do together, in steps. A step is a visited node, or other
// work that takes about as long: some items copied, some bytes searched, a step of a regular
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
  // May spend more than is left: then the budget is used up, and every further evaluation fails.
  void spend(std::int64_t steps) { left_ -= steps; }

 private:
  std::int64_t steps_;
  std::int64_t left_;
};

struct EvaluationOptions {
  Instant now;               // the result of now() and today()
  Budget* budget = nullptr;  // shared with other evaluations; null for a budget of its own
};

[[nodiscard]] Evaluation evaluate(const Expression& expression, const VariableSource& variables,
                                  const EvaluationOptions& options);

// The few questions that the engine asks about a result, so it need not know Value.
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
// Returns the number without exponent and trailing zeros: "5", "12.5". For numbers only.
[[nodiscard]] std::optional<std::string> as_number_text(const Value& value);
// Returns compact JSON. Temporal values become strings as FEEL prints them; functions and ranges
// become null.
[[nodiscard]] std::string to_json(const Value& value);
// Returns the JSON of each item of a list; nothing if the value is not a list.
[[nodiscard]] std::optional<std::vector<std::string>> list_items_json(const Value& value);
// Returns the entries of a context in order, with their values as JSON; nothing if the value is not
// a context.
[[nodiscard]] std::optional<std::vector<std::pair<std::string, std::string>>> context_entries_json(
    const Value& value);

}  // namespace beeline::feel
