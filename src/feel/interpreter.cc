#include "feel/interpreter.h"

namespace beeline::feel {

namespace {

Result<Expression, ParseError> parse_as(std::string_view text, EntryPoint entry,
                                        const ParseOptions& options) {
  auto program = parse(text, entry, options);
  if (!program) return std::unexpected(std::move(program).error());
  return Expression(*std::move(program));
}

}  // namespace

Result<Expression, ParseError> parse_expression(std::string_view text,
                                                const ParseOptions& options) {
  return parse_as(text, EntryPoint::Expression, options);
}

Result<Expression, ParseError> parse_unary_tests(std::string_view text,
                                                 const ParseOptions& options) {
  return parse_as(text, EntryPoint::UnaryTests, options);
}

Interpreter::Interpreter(const Options& options) : state_(options.limits, options.now, nullptr) {
  state_.seed = options.seed;
}

Interpreter::~Interpreter() = default;

template <typename Run>
Value Interpreter::guarded(const Run& run) {
  if (failed()) return {};
  // Counts nested calls during its lifetime.
  struct Running {
    explicit Running(int& counter) : count(counter) { ++count; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    ~Running() { --count; }
    int& count;
  };
  const bool outermost = running_ == 0;
  const Running running(running_);
  try {
    return run();
  } catch (EvaluationFailure& error) {
    if (!outermost) throw;
    failure_ = std::move(error.reason);
    return {};
  }
}

Value Interpreter::evaluate(const Expression& expression, const Context& variables) {
  if (expression.program() == nullptr) return {};
  return guarded([&] {
    const EvalState::Globals globals(state_, &variables);
    return Evaluator(*expression.program(), state_).eval(expression.program()->root, nullptr);
  });
}

Value Interpreter::test(const Expression& tests, const Value& input, const Context& variables) {
  if (tests.program() == nullptr) return {};
  return guarded([&] {
    const EvalState::Globals globals(state_, &variables);
    const BindingFrame frame(nullptr, "?", input);
    return Evaluator(*tests.program(), state_).eval_test(tests.program()->root, input, &frame);
  });
}

Value Interpreter::call(const Value& function, std::span<const Value> arguments, Dialect dialect) {
  return guarded([&] { return call_function(state_, function, arguments, dialect); });
}

void Interpreter::warn(WarningKind kind, std::string_view text) {
  if (state_.wants_warning()) state_.warn(kind, text);
}

void Interpreter::fail(std::string reason) {
  if (running_ == 0) failure_ = reason;
  throw EvaluationFailure{std::move(reason)};
}

void Interpreter::step(std::size_t count) {
  state_.step(count);
}

Value make_function(std::vector<std::string> parameters, HostFunction code,
                    std::vector<std::optional<Type>> types) {
  auto body = std::make_shared<Function::Body>();
  body->native = [host = std::move(code)](EvalState&, std::span<const Value> arguments) {
    return host(arguments);
  };
  body->types = std::move(types);
  Function function;
  function.parameters = std::move(parameters);
  function.body = std::move(body);
  return Value{std::move(function)};
}

}  // namespace beeline::feel
