#include "feel/condition.h"

#include <algorithm>

#include "feel/json.h"

namespace beeline::feel {

namespace {

bool is_equality(Operator op) {
  return op == Operator::Equal || op == Operator::Unequal;
}

bool is_plain(const Program& program, NodeId id) {
  const Node& node = program.node(id);
  if (node.kind == NodeKind::And || node.kind == NodeKind::Or) {
    return std::all_of(node.children.begin(), node.children.end(),
                       [&](NodeId child) { return is_plain(program, child); });
  }
  if (node.kind != NodeKind::Compare) return false;
  NodeId left = node.children[0];
  while (program.node(left).kind == NodeKind::Path) left = program.node(left).children[0];
  if (program.node(left).kind != NodeKind::Name) return false;
  const Node& right = program.node(node.children[1]);
  if (right.kind != NodeKind::Constant) return false;
  const Kind kind = right.constant.kind();
  return kind == Kind::Number || kind == Kind::String ||
         (kind == Kind::Boolean && is_equality(node.operators.front()));
}

bool holds(Operator op, std::strong_ordering order) {
  switch (op) {
    case Operator::Less:
      return order < 0;
    case Operator::LessOrEqual:
      return order <= 0;
    case Operator::Greater:
      return order > 0;
    case Operator::GreaterOrEqual:
      return order >= 0;
    case Operator::Equal:
      return order == 0;
    case Operator::Unequal:
      return order != 0;
    case Operator::Add:
    case Operator::Subtract:
    case Operator::Multiply:
    case Operator::Divide:
    case Operator::Power:
      break;
  }
  return false;
}

std::optional<std::string_view> read(const Program& program, NodeId id,
                                     const VariableSource& variables, std::int64_t& steps) {
  const Node& node = program.node(id);
  if (node.kind == NodeKind::Name) return variables.find(node.names.front());
  const std::optional<std::string_view> object = read(program, node.children[0], variables, steps);
  if (!object) return std::nullopt;
  steps += static_cast<std::int64_t>(object->size() / 32);
  return find_json_member(*object, node.names.front());
}

// Reads a whole number of few digits; most numbers are like this.
bool read_small(std::string_view json, std::int64_t& out) {
  constexpr std::size_t kDigitsMax = 18;
  const bool negative = json.starts_with('-');
  if (negative) json.remove_prefix(1);
  if (json.empty() || json.size() > kDigitsMax) return false;
  std::int64_t number = 0;
  for (const char c : json) {
    if (c < '0' || c > '9') return false;
    number = number * 10 + (c - '0');
  }
  out = negative ? -number : number;
  return true;
}

std::optional<std::strong_ordering> order_number(std::string_view json, const Decimal& constant) {
  std::int64_t small = 0;
  if (read_small(json, small)) {
    if (const std::optional<std::int64_t> whole = constant.small_integer()) return small <=> *whole;
    return Decimal{small} <=> constant;
  }
  const std::optional<Value> value = parse_json(json);
  if (!value || !value->is(Kind::Number)) return std::nullopt;
  return value->number() <=> constant;
}

std::optional<std::strong_ordering> order_string(std::string_view json, std::string_view constant) {
  if (json.size() < 2 || json.front() != '"' || json.back() != '"') return std::nullopt;
  json = json.substr(1, json.size() - 2);
  if (json.find('\\') != std::string_view::npos) return std::nullopt;
  if (json.find('"') != std::string_view::npos) return std::nullopt;
  return json.compare(constant) <=> 0;
}

std::optional<bool> compare(const Program& program, const Node& node,
                            const VariableSource& variables, std::int64_t& steps) {
  const Node& left = program.node(node.children[0]);
  const std::optional<std::string_view> json =
      left.kind == NodeKind::Name ? variables.find(left.names.front())
                                  : read(program, node.children[0], variables, steps);
  if (!json) return std::nullopt;
  steps += 64 + static_cast<std::int64_t>(json->size() / 16);
  const Operator op = node.operators.front();
  const Value& constant = program.node(node.children[1]).constant;
  std::optional<std::strong_ordering> order;
  if (constant.is(Kind::Number)) {
    order = order_number(*json, constant.number());
  } else if (constant.is(Kind::String)) {
    order = order_string(*json, constant.string());
  } else if (*json == "true" || *json == "false") {
    order = (*json == "true") <=> constant.boolean();
  }
  return order ? std::optional(holds(op, *order)) : std::nullopt;
}

std::optional<bool> decide_node(const Program& program, NodeId id, const VariableSource& variables,
                                std::int64_t& steps) {
  const Node& node = program.node(id);
  if (node.kind == NodeKind::Compare) return compare(program, node, variables, steps);
  const bool decisive = node.kind == NodeKind::Or;
  for (const NodeId child : node.children) {
    const std::optional<bool> verdict = decide_node(program, child, variables, steps);
    if (!verdict || *verdict == decisive) return verdict;
  }
  return !decisive;
}

}  // namespace

bool is_plain_condition(const Program& program) {
  return is_plain(program, program.root);
}

std::optional<bool> decide(const Program& condition, const VariableSource& variables,
                           std::int64_t& steps) {
  return decide_node(condition, condition.root, variables, steps);
}

}  // namespace beeline::feel
