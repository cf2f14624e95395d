#include "feel/compare.h"
#include "feel/evaluator.h"

// Unary tests: the cells of decision tables and what stands behind `in`.
namespace beeline::feel {

namespace {

// Whether the input is the value, one of its items, or inside it.
Value matches(const Value& input, const Value& value, Fractions fractions) {
  if (value.is(Kind::Range) && !input.is(Kind::Range)) {
    const std::optional<bool> inside = contains(value.range(), input, fractions);
    return inside ? Value{*inside} : Value{};
  }
  if (value.is(Kind::List)) {
    if (equals(input, value, fractions)) return Value{true};
    for (const Value& item : value.list()) {
      if (equals(input, item, fractions)) return Value{true};
      if (item.is(Kind::Range) && !input.is(Kind::Range) &&
          contains(item.range(), input, fractions).value_or(false)) {
        return Value{true};
      }
    }
    return Value{false};
  }
  const std::optional<bool> same = equal(input, value, fractions);
  return same ? Value{*same} : Value{};
}

}  // namespace

Value Evaluator::eval_test(NodeId id, const Value& input, const Frame* frame) {
  state_.step();
  const Node& node = program_.nodes[id];
  if (node.kind == NodeKind::ValueTest) return eval_value_test(node, input, frame);
  if (node.kind == NodeKind::AnyTest) return Value{true};
  if (node.kind == NodeKind::CompareTest) {
    const Value operand = eval(node.children[0], frame);
    Value result = compare_values(node.operators.front(), input, operand, program_.fractions());
    if (result.is_null()) warn(WarningKind::NotComparable, "Can't compare", input, operand);
    return result;
  }
  if (node.kind == NodeKind::NotTests) {
    const Value verdict = eval_test(node.children[0], input, frame);
    return verdict.is(Kind::Boolean) ? Value{!verdict.boolean()} : Value{};
  }
  if (node.kind != NodeKind::Tests) return eval(id, frame);  // an expression, to be true
  bool unknown = false;
  for (const NodeId child : node.children) {
    const Value verdict = eval_test(child, input, frame);
    if (verdict.is_true()) return verdict;
    unknown = unknown || verdict.is_null();
  }
  return unknown ? Value{} : Value{false};
}

Value Evaluator::eval_value_test(const Node& node, const Value& input, const Frame* frame) {
  const NodeId child = node.children[0];
  const Value value = eval(child, frame);
  if (value.is(Kind::Boolean) || value.is_null()) {
    if (program_.mentions_input(child)) return value;
    const bool constant = program_.node(child).kind == NodeKind::Constant;
    if (value.is_true() && !constant && !input.is(Kind::Boolean)) return value;
  }
  state_.step_through(value);
  Value verdict = matches(input, value, program_.fractions());
  if (verdict.is_null()) warn(WarningKind::NotComparable, "Can't compare", input, value);
  return verdict;
}

}  // namespace beeline::feel
