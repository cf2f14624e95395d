#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "feel/evaluator.h"
#include "feel/feel.h"
#include "feel/names.h"
#include "feel/parser.h"
#include "feel/state.h"
#include "feel/type.h"
#include "feel/value.h"

// FEEL for src/dmn, which works with values and not with JSON: parsing with known names and types,
// evaluating in a context of values, unary tests against an input, functions in both directions.
//
//   NameTable names;
//   names.add("Applicant Age");
//   auto cell = parse_unary_tests(">= 18", {.dialect = Dialect::Dmn, .variables = &names});
//   Interpreter interpreter(options);
//   Value verdict = interpreter.test(*cell, age, variables);
namespace beeline::feel {

[[nodiscard]] Result<Expression, ParseError> parse_expression(std::string_view text,
                                                              const ParseOptions& options);
[[nodiscard]] Result<Expression, ParseError> parse_unary_tests(std::string_view text,
                                                               const ParseOptions& options);

// What tests say without being evaluated, so that many of them can be decided by one search.
// Whether they accept anything, null included.
[[nodiscard]] bool is_any_test(const Expression& tests);
// The ranges of which one must hold the input, when the tests compare with constants only. A
// missing bound is null. Bounds are of kinds with a total order; they say nothing about an input of
// another kind than theirs.
[[nodiscard]] std::optional<std::vector<Range>> constant_ranges(const Expression& tests);

// One evaluation of possibly many expressions that share budget, clock and warnings. Used by one
// thread. Once failed() it answers null to everything.
//
// Host functions may call back into the interpreter they were called from. A failure inside passes
// through them as an exception, up to the outermost call, which answers null.
class Interpreter {
 public:
  struct Options {
    Instant now;
    Limits limits;
    std::optional<std::uint64_t> seed;  // of random number() and uuid(), for reproducible runs
  };
  explicit Interpreter(const Options& options);
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;
  ~Interpreter();

  [[nodiscard]] Value evaluate(const Expression& expression, const Context& variables);
  // True, false or null; the input is also `?`. The expression comes from parse_unary_tests.
  [[nodiscard]] Value test(const Expression& tests, const Value& input, const Context& variables);
  [[nodiscard]] Value call(const Value& function, std::span<const Value> arguments,
                           Dialect dialect = Dialect::Dmn);

  void warn(WarningKind kind, std::string_view text);
  // Ends the evaluation without a value.
  [[noreturn]] void fail(std::string reason);
  // Counts work done by the host, such as rules looked at. Only from inside a host function.
  void step(std::size_t count = 1);

  [[nodiscard]] bool failed() const { return failure_.has_value(); }
  [[nodiscard]] const std::optional<std::string>& failure() const { return failure_; }
  [[nodiscard]] std::vector<std::string> take_warnings() { return state_.take_warnings(); }

 private:
  template <typename Run>
  Value guarded(const Run& run);

  EvalState state_;
  int running_ = 0;
  std::optional<std::string> failure_;
};

// A function value whose code is the host's. It must outlive nothing but itself: capture by value.
using HostFunction = std::function<Value(std::span<const Value> arguments)>;
[[nodiscard]] Value make_function(std::vector<std::string> parameters, HostFunction code,
                                  std::vector<std::optional<Type>> types = {});

}  // namespace beeline::feel
