#include "feel/evaluator.h"

#include <algorithm>
#include <stdexcept>

#include "feel/builtins.h"
#include "feel/compare.h"
#include "feel/text.h"

namespace beeline::feel {

void Evaluator::warn(WarningKind kind, const char* text, const Value& left, const Value& right) {
  if (!state_.wants_warning()) return;
  std::string message = text;
  message += " " + describe(left);
  message += " and " + describe(right);
  state_.warn(kind, message);
}

Value Evaluator::eval(NodeId id, const Frame* frame) {
  state_.step();
  const Node& node = program_.nodes[id];
  if (node.kind == NodeKind::Constant && node.names.empty()) return node.constant;
  const EvalState::Visit visit(state_, program_, node);
  return eval_node(node, id, frame);
}

Value Evaluator::eval_node(const Node& node, NodeId id, const Frame* frame) {
  switch (node.kind) {
    case NodeKind::Constant:
      return eval_constant(node);
    case NodeKind::Name:
      return eval_name(node, frame);
    case NodeKind::Input:
      return eval_input(frame);
    case NodeKind::Path:
      return eval_path(id, frame);
    case NodeKind::Filter:
      return eval_filter(node, frame);
    case NodeKind::Call:
      return eval_call(node, frame);
    case NodeKind::CallValue:
      return eval_call_value(node, frame);
    case NodeKind::If:
      return eval_if(node, frame);
    case NodeKind::For:
      return eval_for(node, frame);
    case NodeKind::Some:
    case NodeKind::Every:
      return eval_quantifier(node, frame);
    case NodeKind::Function:
      return eval_function(node, id, frame);
    case NodeKind::Or:
    case NodeKind::And:
      return eval_logic(node, frame);
    case NodeKind::Chain:
      return eval_chain(node, frame);
    case NodeKind::Power:
      return eval_power(node, frame);
    case NodeKind::Negate:
      return eval_negate(node, frame);
    case NodeKind::Compare:
      return eval_compare(node, frame);
    case NodeKind::Between:
      return eval_between(node, frame);
    case NodeKind::In:
      return eval_in(node, frame);
    case NodeKind::InstanceOf:
      return eval_instance_of(node, frame);
    case NodeKind::List:
      return eval_list(node, frame);
    case NodeKind::Context:
      return eval_context(node, frame);
    case NodeKind::Range:
      return eval_range(node, frame);
    case NodeKind::Comparison:
      return eval_comparison(node, frame);
    case NodeKind::AnyTest:
    case NodeKind::CompareTest:
    case NodeKind::ValueTest:
    case NodeKind::Tests:
    case NodeKind::NotTests:
      return eval_test(id, eval_input(frame), frame);
    case NodeKind::Span:
      break;  // occurs only as the domain of a loop, which reads it itself
  }
  throw std::logic_error("a node that cannot be evaluated");
}

Value Evaluator::eval_constant(const Node& node) {
  if (state_.wants_warning()) {
    state_.warn(WarningKind::Unknown,
                "'" + node.names.front() + "' is not a date, time or duration");
  }
  return {};
}

Value Evaluator::eval_name(const Node& node, const Frame* frame) {
  const std::string& name = node.names.front();
  if (const Value* bound = state_.find_bound(frame, name)) return *bound;
  if (const Value* global = state_.find_global(name)) return *global;
  if (const Value* variable = state_.read_variable(name)) return *variable;
  if (is_builtin(name, program_.extensions)) return builtin_as_value(name);
  if (state_.wants_warning()) {
    state_.warn(WarningKind::NoVariableFound, "No variable found with name '" + name + "'");
  }
  return {};
}

Value Evaluator::eval_input(const Frame* frame) {
  const Value* input = state_.find_bound(frame, "?");
  if (input == nullptr) state_.fail("There is no input value for '?'");
  return *input;
}

// `a.b.c` on a process variable reads only the JSON on the way of the path.
Value Evaluator::eval_path(NodeId id, const Frame* frame) {
  const Node& node = program_.nodes[id];
  NodeId root = id;
  while (program_.nodes[root].kind == NodeKind::Path) root = program_.nodes[root].children[0];
  if (program_.nodes[root].kind == NodeKind::Name) {
    const std::string& name = program_.nodes[root].names.front();
    if (state_.find_bound(frame, name) == nullptr && state_.find_global(name) == nullptr) {
      std::vector<std::string_view> members;
      for (NodeId step = id; step != root; step = program_.nodes[step].children[0]) {
        members.push_back(program_.nodes[step].names.front());
      }
      std::reverse(members.begin(), members.end());
      if (std::optional<Value> value = state_.read_member(name, members)) return *std::move(value);
    }
  }
  return get_member(state_, eval(node.children[0], frame), node.names.front());
}

// ---- filters ----

namespace {

// Positions are 1-based, negative ones count from the end; outside the list the result is null.
Value item_at(const std::vector<Value>& items, const Decimal& position) {
  const std::optional<std::int64_t> index = position.truncated_int64();
  const auto size = static_cast<std::int64_t>(items.size());
  if (!index || *index == 0 || *index > size || *index < -size) return {};
  return items[static_cast<std::size_t>(*index > 0 ? *index - 1 : size + *index)];
}

}  // namespace

// Comparisons and other boolean expressions never give a number, so they need not be tried as an
// index.
bool Evaluator::may_be_index(NodeId condition) const {
  const NodeKind kind = program_.nodes[condition].kind;
  const bool is_boolean = kind == NodeKind::Compare || kind == NodeKind::Between ||
                          kind == NodeKind::In || kind == NodeKind::InstanceOf ||
                          kind == NodeKind::Or || kind == NodeKind::And || kind == NodeKind::Some ||
                          kind == NodeKind::Every;
  return !is_boolean && !program_.mentions(condition, "item");
}

Value Evaluator::eval_filter(const Node& node, const Frame* frame) {
  Value object = eval(node.children[0], frame);
  if (object.is_null()) return {};
  if (!object.is(Kind::List)) object = Value{std::vector<Value>{std::move(object)}};
  const NodeId condition = node.children[1];
  state_.step((condition - program_.nodes[condition].first) / 16);  // the search for `item`
  if (may_be_index(condition)) {
    // A plain name may be an outer variable or an entry of the items. If the outer variable is a
    // number, it is an index.
    const EvalState::Mute mute(state_);
    const Value index = eval(condition, frame);
    if (index.is(Kind::Number)) return item_at(object.list(), index.number());
  }
  return filter_items(object.list(), condition, frame);
}

Value Evaluator::filter_items(const std::vector<Value>& items, NodeId condition,
                              const Frame* frame) {
  std::vector<Value> kept;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const ItemFrame item_frame(frame, items[i]);
    const Value verdict = eval(condition, &item_frame);
    if (i == 0 && verdict.is(Kind::Number)) return item_at(items, verdict.number());
    if (verdict.is_true()) kept.push_back(items[i]);
  }
  return Value{std::move(kept)};
}

// ---- calls ----

std::vector<Value> Evaluator::eval_all(NodeIds ids, const Frame* frame) {
  std::vector<Value> values;
  values.reserve(ids.size());
  for (const NodeId id : ids) values.push_back(eval(id, frame));
  return values;
}

Value Evaluator::eval_list(const Node& node, const Frame* frame) {
  Value list{eval_all(node.children, frame)};
  state_.check_value(list);
  return list;
}

Value Evaluator::eval_call(const Node& node, const Frame* frame) {
  const std::string& name = node.names.front();
  const Value* bound = state_.find_bound(frame, name);
  if (bound == nullptr) bound = state_.find_global(name);
  const std::vector<Value> arguments = eval_all(node.children, frame);
  if (bound != nullptr && bound->is(Kind::Function)) {
    const Value function = *bound;
    return node.labels.empty()
               ? call_function(state_, function, arguments, program_.dialect)
               : call_function_named(state_, function, node.labels, arguments, program_.dialect);
  }
  return call_builtin(state_, name, node.labels, arguments, program_.dialect, program_.extensions);
}

Value Evaluator::eval_call_value(const Node& node, const Frame* frame) {
  const Value function = eval(node.children[0], frame);
  const std::vector<Value> arguments = eval_all(NodeIds(node.children).subspan(1), frame);
  return node.labels.empty()
             ? call_function(state_, function, arguments, program_.dialect)
             : call_function_named(state_, function, node.labels, arguments, program_.dialect);
}

Value Evaluator::eval_function(const Node& node, NodeId id, const Frame* frame) {
  state_.step(4 + (id - node.first) / 4);
  auto body = std::make_shared<Function::Body>();
  body->program = program_.shared_from_this();
  body->node = id;
  body->types = node.types;
  Function function;
  function.parameters = node.names;
  for (NodeId i = node.first; i < id; ++i) {
    if (program_.nodes[i].kind != NodeKind::Name && program_.nodes[i].kind != NodeKind::Input) {
      continue;
    }
    const bool is_input = program_.nodes[i].kind == NodeKind::Input;
    const std::string& name = is_input ? "?" : program_.nodes[i].names.front();
    state_.step(1 + body->captured.size() / 8);
    const bool known = std::any_of(body->captured.begin(), body->captured.end(),
                                   [&](const Entry& entry) { return entry.name == name; });
    if (known) continue;
    const Value* value = state_.find_bound(frame, name);
    if (value == nullptr) value = state_.find_global(name);
    if (value == nullptr) continue;
    function.depth = std::max(function.depth, value->depth() + 1);
    body->captured.push_back({name, *value});
  }
  state_.check_depth(function.depth);
  function.body = std::move(body);
  return Value{std::move(function)};
}

namespace {

Value refuse_call(EvalState& state, WarningKind kind, std::string_view why) {
  if (state.wants_warning()) state.warn(kind, why);
  return {};
}

// Converts arguments to the types of the parameters; returns false if one does not fit.
bool coerce_arguments(EvalState& state, const Function& function, std::vector<Entry>& entries,
                      Dialect dialect) {
  const auto& types = function.body->types;
  if (dialect != Dialect::Dmn) return true;
  for (std::size_t i = 0; i < types.size() && i < function.parameters.size(); ++i) {
    if (!types[i]) continue;
    state.step_through(entries[i].value);  // the type may apply to every item
    std::optional<Value> fitting = coerce(entries[i].value, *types[i]);
    if (!fitting) return false;
    entries[i].value = *std::move(fitting);
  }
  return true;
}

Value run_body(EvalState& state, const Value& function_value, std::vector<Entry> entries) {
  const Function& function = function_value.function();
  const Function::Body& body = *function.body;
  state.step(4 + entries.size());
  const EvalState::Nesting nesting(state);
  const EvalState::CallNesting call_nesting(state);
  if (body.native) {
    std::vector<Value> arguments;
    for (Entry& entry : entries) arguments.push_back(std::move(entry.value));
    return body.native(state, arguments);
  }
  const Node& node = body.program->node(body.node);
  const EntriesFrame captured(nullptr, body.captured);
  if (node.external) {
    const Value description = Evaluator(*body.program, state).eval(node.children[0], &captured);
    std::vector<Value> arguments;
    for (Entry& entry : entries) arguments.push_back(std::move(entry.value));
    if (state.call_external) return state.call_external(state, description, arguments);
    return refuse_call(state, WarningKind::FunctionInvocationFailure,
                       "External functions are not supported");
  }
  const BindingFrame self(&captured, body.self, body.self.empty() ? Value{} : function_value);
  const EntriesFrame parameters(&self, entries);
  return Evaluator(*body.program, state).eval(node.children[0], &parameters);
}

}  // namespace

Value call_function(EvalState& state, const Value& function_value, std::span<const Value> arguments,
                    Dialect dialect) {
  if (!function_value.is(Kind::Function)) {
    return refuse_call(state, WarningKind::NoFunctionFound,
                       "Expected a function, but found " + describe(function_value));
  }
  const Function& function = function_value.function();
  if (!function.body->builtin.empty()) {
    return call_builtin(state, function.body->builtin, {}, arguments, dialect, true);
  }
  if (arguments.size() != function.parameters.size()) {
    return refuse_call(state, WarningKind::NoFunctionFound,
                       "The function takes " + std::to_string(function.parameters.size()) +
                           " arguments, but was called with " + std::to_string(arguments.size()));
  }
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    entries.push_back({function.parameters[i], arguments[i]});
  }
  if (!coerce_arguments(state, function, entries, dialect)) {
    return refuse_call(state, WarningKind::FunctionInvocationFailure,
                       "An argument is not of the type of its parameter");
  }
  return run_body(state, function_value, std::move(entries));
}

Value call_function_named(EvalState& state, const Value& function_value,
                          std::span<const std::string> labels, std::span<const Value> arguments,
                          Dialect dialect) {
  if (!function_value.is(Kind::Function)) return call_function(state, function_value, {}, dialect);
  const Function& function = function_value.function();
  if (!function.body->builtin.empty()) {
    return call_builtin(state, function.body->builtin, labels, arguments, dialect, true);
  }
  std::vector<Value> ordered(function.parameters.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto found = std::find(function.parameters.begin(), function.parameters.end(), labels[i]);
    if (found == function.parameters.end()) {
      return refuse_call(state, WarningKind::NoFunctionFound,
                         "The function has no parameter '" + labels[i] + "'");
    }
    ordered[static_cast<std::size_t>(found - function.parameters.begin())] = arguments[i];
  }
  return call_function(state, function_value, ordered, dialect);
}

// ---- operators ----

Value Evaluator::eval_if(const Node& node, const Frame* frame) {
  const Value condition = eval(node.children[0], frame);
  if (condition.is_true()) return eval(node.children[1], frame);
  if (!condition.is(Kind::Boolean) && !condition.is_null()) {
    if (state_.wants_warning()) {
      state_.warn(WarningKind::InvalidType, "The condition of 'if' is " + describe(condition));
    }
    if (program_.dialect == Dialect::Dmn) return {};
  }
  return eval(node.children[2], frame);
}

Value Evaluator::eval_logic(const Node& node, const Frame* frame) {
  const bool decisive = node.kind == NodeKind::Or;  // the value that decides the result
  bool unknown = false;
  for (const NodeId child : node.children) {
    const Value operand = eval(child, frame);
    if (operand.is(Kind::Boolean)) {
      if (operand.boolean() == decisive) return operand;
      continue;
    }
    unknown = true;
    if (!operand.is_null() && state_.wants_warning()) {
      state_.warn(WarningKind::InvalidType, "Expected boolean, but found " + describe(operand));
    }
  }
  return unknown ? Value{} : Value{!decisive};
}

Value Evaluator::eval_chain(const Node& node, const Frame* frame) {
  Value result = eval(node.children[0], frame);
  for (std::size_t i = 0; i < node.operators.size(); ++i) {
    const Value right = eval(node.children[i + 1], frame);
    if (result.is(Kind::String) && right.is(Kind::String)) {
      state_.check_string_size(result.string().size() + right.string().size());
      state_.step_reading(result.string().size() + right.string().size());
    } else {
      state_.step(arithmetic_steps(node.operators[i], result, right));
    }
    Value next = arithmetic(node.operators[i], result, right);
    if (next.is_null()) {
      warn(WarningKind::InvalidType, "Can't calculate with", result, right);
    }
    result = std::move(next);
  }
  return result;
}

Value Evaluator::eval_power(const Node& node, const Frame* frame) {
  const Value base = eval(node.children[0], frame);
  const Value exponent = eval(node.children[1], frame);
  state_.step(arithmetic_steps(Operator::Power, base, exponent));
  Value result = arithmetic(Operator::Power, base, exponent);
  if (result.is_null()) {
    warn(WarningKind::InvalidType, "Can't calculate with", base, exponent);
  }
  return result;
}

Value Evaluator::eval_negate(const Node& node, const Frame* frame) {
  const Value operand = eval(node.children[0], frame);
  Value result = negate(operand);
  if (result.is_null() && state_.wants_warning()) {
    state_.warn(WarningKind::InvalidType,
                "Expected number or duration, but found " + describe(operand));
  }
  return result;
}

Value Evaluator::eval_compare(const Node& node, const Frame* frame) {
  const Value left = eval(node.children[0], frame);
  const Value right = eval(node.children[1], frame);
  state_.step_comparing(left, right);
  Value result = compare_values(node.operators.front(), left, right, program_.fractions());
  if (result.is_null()) warn(WarningKind::NotComparable, "Can't compare", left, right);
  return result;
}

Value Evaluator::eval_between(const Node& node, const Frame* frame) {
  const Value value = eval(node.children[0], frame);
  const Value low = eval(node.children[1], frame);
  const Value high = eval(node.children[2], frame);
  state_.step_comparing(value, low);
  state_.step_comparing(value, high);
  const Value above = compare_values(Operator::GreaterOrEqual, value, low, program_.fractions());
  const Value below = compare_values(Operator::LessOrEqual, value, high, program_.fractions());
  if (above.is_null()) warn(WarningKind::NotComparable, "Can't compare", value, low);
  if (below.is_null()) warn(WarningKind::NotComparable, "Can't compare", value, high);
  if (above.is_false() || below.is_false()) return Value{false};
  return above.is_true() && below.is_true() ? Value{true} : Value{};
}

Value Evaluator::eval_in(const Node& node, const Frame* frame) {
  const Value input = eval(node.children[0], frame);
  const BindingFrame input_frame(frame, "?", input);
  return eval_test(node.children[1], input, &input_frame);
}

Value Evaluator::eval_instance_of(const Node& node, const Frame* frame) {
  const Value value = eval(node.children[0], frame);
  if (!node.types.front()) {
    if (state_.wants_warning()) {
      state_.warn(WarningKind::InvalidType, "The type behind 'instance of' is unknown");
    }
    return {};
  }
  state_.step_through(value);
  return Value{conforms(value, *node.types.front())};
}

// ---- literals ----

Value Evaluator::eval_context(const Node& node, const Frame* frame) {
  std::vector<Entry> entries;
  entries.reserve(node.children.size());
  const EntriesFrame earlier(frame, entries);
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const std::string& name = node.names[i];
    state_.step(1 + entries.size() / 8);
    const bool repeated = std::any_of(entries.begin(), entries.end(),
                                      [&](const Entry& entry) { return entry.name == name; });
    if (repeated && program_.dialect == Dialect::Dmn) {
      return refuse_call(state_, WarningKind::Unknown, "The key '" + name + "' is repeated");
    }
    Value value = eval(node.children[i], &earlier);
    if (program_.node(node.children[i]).kind == NodeKind::Function) {
      value = name_function(value, name);
    }
    state_.check_depth(value.depth() + 1);
    entries.push_back({name, std::move(value)});
  }
  Value context{Context{std::move(entries)}};
  state_.check_value(context);
  return context;
}

Value Evaluator::eval_range(const Node& node, const Frame* frame) {
  Range range;
  range.start = eval(node.children[0], frame);
  range.end = eval(node.children[1], frame);
  range.start_included = node.start_included;
  range.end_included = node.end_included;
  const bool ordered = (range.start.is_null() || is_ordered(range.start.kind())) &&
                       (range.end.is_null() || is_ordered(range.end.kind()));
  const bool same_kind =
      range.start.is_null() || range.end.is_null() || range.start.kind() == range.end.kind();
  if (!ordered || !same_kind || (range.start.is_null() && range.end.is_null())) {
    warn(WarningKind::InvalidType, "A range cannot have the bounds", range.start, range.end);
    return {};
  }
  return Value{std::move(range)};
}

Value Evaluator::eval_comparison(const Node& node, const Frame* frame) {
  const Operator op = node.operators.front();
  const Value operand = eval(node.children[0], frame);
  const bool needs_order = op != Operator::Equal && op != Operator::Unequal;
  if (needs_order && !is_ordered(operand.kind())) {
    return refuse_call(state_, WarningKind::InvalidType,
                       "A range cannot have the bound " + describe(operand));
  }
  Range range;
  range.form = op == Operator::Unequal ? Range::Form::Unequal : Range::Form::Comparison;
  const bool below = op == Operator::Less || op == Operator::LessOrEqual;
  if (!below) range.start = operand;
  if (below || !needs_order) range.end = operand;
  range.start_included = op == Operator::GreaterOrEqual || op == Operator::Equal;
  range.end_included = op == Operator::LessOrEqual || op == Operator::Equal;
  return Value{std::move(range)};
}

Value name_function(const Value& value, std::string name) {
  if (!value.is(Kind::Function)) return value;
  Function function = value.function();
  auto body = std::make_shared<Function::Body>(*function.body);
  body->self = std::move(name);
  function.body = std::move(body);
  return Value{std::move(function)};
}

}  // namespace beeline::feel
