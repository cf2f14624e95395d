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

// The interface of FEEL for src/dmn, which works with values and not with JSON: parsing with known
// names and types, evaluating in a context of values, unary tests against an input, and functions
// in both directions.
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

// True if the tests accept any input, including null. This function and constant_ranges() look at
// tests without evaluating them, so many tests can be decided by one search.
[[nodiscard]] bool is_any_test(const Expression& tests);
// Returns the ranges of which one must contain the input, if the tests compare with constants only.
// A missing bound is null. The bounds have kinds with a total order; they decide nothing about an
// input of another kind.
[[nodiscard]] std::optional<std::vector<Range>> constant_ranges(const Expression& tests);

// One evaluation of possibly many expressions that share budget, clock and warnings. It is used by
// one thread. After a failure it answers null to everything.
//
// Host functions may call back into the interpreter that called them. A failure inside passes
// through them as an exception, up to the outermost call, which answers null.
class Interpreter {
 public:
  struct Options {
    Instant now;
    Limits limits;
    std::optional<std::uint64_t> seed;  // seed of random number() and uuid(), for reproducible runs
  };
  explicit Interpreter(const Options& options);
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;
  ~Interpreter();

  [[nodiscard]] Value evaluate(const Expression& expression, const Context& variables);
  // Returns true, false or null; the input is also `?`. The expression comes from
  // parse_unary_tests.
  [[nodiscard]] Value test(const Expression& tests, const Value& input, const Context& variables);
  [[nodiscard]] Value call(const Value& function, std::span<const Value> arguments,
                           Dialect dialect = Dialect::Dmn);

  void warn(WarningKind kind, std::string_view text);
  // Ends the evaluation without a value.
  [[noreturn]] void fail(std::string reason);
  // Counts work done by the host, such as rules that it looked at. Call it only from inside a host
  // function.
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

// Makes a function value from code of the host. The code may outlive its maker, so it must capture
// by value.
using HostFunction = std::function<Value(std::span<const Value> arguments)>;
[[nodiscard]] Value make_function(std::vector<std::string> parameters, HostFunction code,
                                  std::vector<std::optional<Type>> types = {});

}  // namespace beeline::feel
