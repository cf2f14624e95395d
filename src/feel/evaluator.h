#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "feel/program.h"
#include "feel/state.h"
#include "feel/value.h"

namespace beeline::feel {

// Code of the host behind a function value: a knowledge model or a decision service. It may use the
// state to evaluate further; it must let EvaluationFailure pass.
using NativeFunction = std::function<Value(EvalState& state, std::span<const Value> arguments)>;

// The implementation of a function value: exactly one of an expression, a built-in function, host
// code, or nothing (for external functions, which are never loaded).
struct Function::Body {
  std::shared_ptr<const Program> program;
  NodeId node = 0;              // the function literal
  std::vector<Entry> captured;  // the outer names that the body reads
  std::string self;             // the name under which the body may call itself
  std::string builtin;          // the name of a built-in function
  NativeFunction native;
  std::vector<std::optional<Type>> types;  // types of the parameters, if declared
};

// Evaluates the nodes of one program. An Evaluator is cheap to make; a call of a closure makes
// another one.
class Evaluator {
 public:
  Evaluator(const Program& program, EvalState& state) : program_(program), state_(state) {}

  [[nodiscard]] Value eval(NodeId id, const Frame* frame);
  // Evaluates a unary test to true, false or null. The input is bound to `?` in the frame.
  [[nodiscard]] Value eval_test(NodeId id, const Value& input, const Frame* frame);

 private:
  using NodeIds = std::span<const NodeId>;

  [[nodiscard]] Value eval_node(const Node& node, NodeId id, const Frame* frame);
  [[nodiscard]] Value eval_constant(const Node& node);
  [[nodiscard]] Value eval_name(const Node& node, const Frame* frame);
  [[nodiscard]] Value eval_input(const Frame* frame);
  [[nodiscard]] Value eval_path(NodeId id, const Frame* frame);
  [[nodiscard]] Value eval_filter(const Node& node, const Frame* frame);
  [[nodiscard]] Value filter_items(const std::vector<Value>& items, NodeId condition,
                                   const Frame* frame);
  [[nodiscard]] bool may_be_index(NodeId condition) const;
  [[nodiscard]] Value eval_call(const Node& node, const Frame* frame);
  [[nodiscard]] Value eval_call_value(const Node& node, const Frame* frame);
  [[nodiscard]] std::vector<Value> eval_all(NodeIds ids, const Frame* frame);
  [[nodiscard]] Value eval_list(const Node& node, const Frame* frame);
  [[nodiscard]] Value eval_if(const Node& node, const Frame* frame);
  [[nodiscard]] Value eval_function(const Node& node, NodeId id, const Frame* frame);
  [[nodiscard]] Value eval_logic(const Node& node, const Frame* frame);
  [[nodiscard]] Value eval_chain(const Node& node, const Frame* frame);
  [[nodiscard]] Value eval_power(const Node& node, const Frame* frame);
  [[nodiscard]] Value eval_negate(const Node& node, const Frame* frame);
  [[nodiscard]] Value eval_compare(const Node& node, const Frame* frame);
  [[nodiscard]] Value eval_between(const Node& node, const Frame* frame);
  [[nodiscard]] Value eval_in(const Node& node, const Frame* frame);
  [[nodiscard]] Value eval_instance_of(const Node& node, const Frame* frame);
  [[nodiscard]] Value eval_context(const Node& node, const Frame* frame);
  [[nodiscard]] Value eval_range(const Node& node, const Frame* frame);
  [[nodiscard]] Value eval_comparison(const Node& node, const Frame* frame);

  // Loops (evaluator_loops.cc).
  class Domain;
  [[nodiscard]] Value eval_for(const Node& node, const Frame* frame);
  [[nodiscard]] Value eval_quantifier(const Node& node, const Frame* frame);
  [[nodiscard]] std::optional<Domain> eval_domain(NodeId id, const Frame* frame);
  [[nodiscard]] bool run_loop(const Node& node, std::size_t iterator, const Frame* frame,
                              const std::function<bool(const Frame*)>& body);

  // Unary tests (unary_tests.cc).
  [[nodiscard]] Value eval_value_test(const Node& node, const Value& input, const Frame* frame);

  void warn(WarningKind kind, const char* text, const Value& left, const Value& right);

  const Program& program_;
  EvalState& state_;
};

// Calls a function value. The number of arguments must match the parameters.
[[nodiscard]] Value call_function(EvalState& state, const Value& function,
                                  std::span<const Value> arguments, Dialect dialect);
// Like call_function() with named arguments, which may come in any order and be omitted.
[[nodiscard]] Value call_function_named(EvalState& state, const Value& function,
                                        std::span<const std::string> labels,
                                        std::span<const Value> arguments, Dialect dialect);

// Returns the function with this name, under which its body may call itself.
[[nodiscard]] Value name_function(const Value& function, std::string name);

// Returns the property of a value after a dot: an entry of a context, a part of a temporal value, a
// bound of a range; for a list, the list of its items' properties. Warns if there is no such
// property.
[[nodiscard]] Value get_member(EvalState& state, const Value& object, std::string_view name);

}  // namespace beeline::feel
