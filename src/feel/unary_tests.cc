#include <algorithm>

#include "feel/compare.h"
#include "feel/interpreter.h"

// Unary tests: the cells of decision tables and the tests after `in`.
namespace beeline::feel {

namespace {

// True if the input equals the value, equals one of its items, or lies inside it.
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
  const EvalState::Visit visit(state_, program_, node);
  if (node.kind == NodeKind::ValueTest) return eval_value_test(node, input, frame);
  if (node.kind == NodeKind::AnyTest) return Value{true};
  if (node.kind == NodeKind::CompareTest) {
    const Value operand = eval(node.children[0], frame);
    state_.step_comparing(input, operand);
    Value result = compare_values(node.operators.front(), input, operand, program_.fractions());
    if (result.is_null()) warn(WarningKind::NotComparable, "Can't compare", input, operand);
    return result;
  }
  if (node.kind == NodeKind::NotTests) {
    const Value verdict = eval_test(node.children[0], input, frame);
    return verdict.is(Kind::Boolean) ? Value{!verdict.boolean()} : Value{};
  }
  if (node.kind != NodeKind::Tests) return eval(id, frame);  // an expression that must be true
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
  Value value = eval(child, frame);
  if (value.is(Kind::Boolean) || value.is_null()) {
    state_.step((child - program_.nodes[child].first) / 16);
    if (program_.mentions_input(child)) return value;
    const bool constant = program_.node(child).kind == NodeKind::Constant;
    if (value.is_true() && !constant && !input.is(Kind::Boolean)) return value;
  }
  if (value.is(Kind::List)) {
    for (const Value& item : value.list()) {
      state_.step();
      state_.step_comparing(input, item);
    }
  }
  state_.step_comparing(input, value);
  Value verdict = matches(input, value, program_.fractions());
  if (verdict.is_null()) warn(WarningKind::NotComparable, "Can't compare", input, value);
  return verdict;
}

// ---- tests that need no evaluation ----

namespace {

bool is_totally_ordered(Kind kind) {
  return kind == Kind::Number || kind == Kind::String || kind == Kind::Date ||
         kind == Kind::YearsMonthsDuration || kind == Kind::DaysTimeDuration;
}

// Returns false if the value matches in another way than by order.
bool add_ranges(const Value& value, std::vector<Range>& ranges) {
  if (value.is(Kind::List)) {
    return std::all_of(value.list().begin(), value.list().end(), [&](const Value& item) {
      return !item.is(Kind::List) && add_ranges(item, ranges);
    });
  }
  if (!value.is(Kind::Range)) {
    ranges.push_back({value, value, true, true, Range::Form::Interval});
    return is_totally_ordered(value.kind());
  }
  Range range = value.range();
  const bool is_open = range.start.is_null() || range.end.is_null();
  if (range.form == Range::Form::Unequal) return false;
  if (range.form == Range::Form::Interval && is_open) return false;
  const Value& bound = range.start.is_null() ? range.end : range.start;
  if (!is_totally_ordered(bound.kind())) return false;
  ranges.push_back(std::move(range));
  return true;
}

bool add_ranges(const Program& program, NodeId id, std::vector<Range>& ranges) {
  const Node& node = program.node(id);
  if (node.kind == NodeKind::Tests) {
    return std::all_of(node.children.begin(), node.children.end(),
                       [&](NodeId child) { return add_ranges(program, child, ranges); });
  }
  if (node.kind != NodeKind::ValueTest && node.kind != NodeKind::CompareTest) return false;
  const Node& operand = program.node(node.children[0]);
  if (operand.kind != NodeKind::Constant || !operand.names.empty()) return false;
  if (node.kind == NodeKind::ValueTest) return add_ranges(operand.constant, ranges);
  const Operator op = node.operators.front();
  if (op == Operator::Unequal || !is_totally_ordered(operand.constant.kind())) return false;
  Range range{{}, {}, false, false, Range::Form::Comparison};
  const bool includes = op != Operator::Less && op != Operator::Greater;
  if (op != Operator::Less && op != Operator::LessOrEqual) {
    range.start = operand.constant;
    range.start_included = includes;
  }
  if (op != Operator::Greater && op != Operator::GreaterOrEqual) {
    range.end = operand.constant;
    range.end_included = includes;
  }
  ranges.push_back(std::move(range));
  return true;
}

}  // namespace

bool is_any_test(const Expression& tests) {
  const Program* program = tests.program();
  return program != nullptr && program->node(program->root).kind == NodeKind::AnyTest;
}

std::optional<std::vector<Range>> constant_ranges(const Expression& tests) {
  const Program* program = tests.program();
  std::vector<Range> ranges;
  if (program == nullptr || !add_ranges(*program, program->root, ranges) || ranges.empty()) {
    return std::nullopt;
  }
  return ranges;
}

}  // namespace beeline::feel
