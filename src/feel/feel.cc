#include "feel/feel.h"

#include <algorithm>

#include "feel/condition.h"
#include "feel/interpreter.h"
#include "feel/json.h"

namespace beeline::feel {

namespace {

constexpr std::size_t kFewMembers = 16;  // with so few members a search from the front is faster

}  // namespace

// Few members stay in their order, many are sorted by name. The last of several members with one
// name counts.
std::optional<JsonObject> JsonObject::read(std::string_view json) {
  JsonObject object;
  auto& members = object.members_;
  const auto add = [&](std::string_view name, std::string_view value) {
    if (members.size() <= kFewMembers) {
      for (auto& [known, old] : members) {
        if (known != name) continue;
        old = value;
        return;
      }
    }
    members.emplace_back(name, value);
  };
  if (!read_json_members(json, add)) return std::nullopt;
  if (members.size() > kFewMembers) {
    std::stable_sort(members.begin(), members.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    const auto last_of_each =
        std::unique(members.rbegin(), members.rend(),
                    [](const auto& a, const auto& b) { return a.first == b.first; });
    members.erase(members.begin(), last_of_each.base());
  }
  return object;
}

std::optional<std::string_view> JsonObject::find(std::string_view name) const {
  if (members_.size() <= kFewMembers) {
    for (const auto& [each, value] : members_) {
      if (each == name) return value;
    }
    return std::nullopt;
  }
  const auto found = std::lower_bound(
      members_.begin(), members_.end(), name,
      [](const auto& member, std::string_view wanted) { return member.first < wanted; });
  if (found == members_.end() || found->first != name) return std::nullopt;
  return found->second;
}

std::string_view Expression::text() const {
  return program_ ? std::string_view(program_->text) : std::string_view();
}

std::string_view root_variable(const Expression& expression) {
  const Program* program = expression.program();
  if (program == nullptr) return {};
  const Node* node = &program->node(program->root);
  while (node->kind == NodeKind::Path) node = &program->node(node->children.front());
  return node->kind == NodeKind::Name ? std::string_view(node->names.front()) : std::string_view{};
}

std::vector<std::string> free_variables(const Expression& expression) {
  const Program* program = expression.program();
  return program != nullptr ? program->free_names() : std::vector<std::string>{};
}

Result<Expression, ParseError> parse_expression(std::string_view text) {
  return parse_expression(text, ParseOptions{});
}

Result<Expression, ParseError> parse_unary_tests(std::string_view text) {
  return parse_unary_tests(text, ParseOptions{});
}

namespace {

// The pointer has no owner, hence no count: the two values live as long as the process.
std::shared_ptr<const Value> shared_boolean(bool value) {
  static const Value kBooleans[] = {Value{false}, Value{true}};
  return {std::shared_ptr<const Value>(), &kBooleans[value ? 1 : 0]};
}

}  // namespace

Evaluation evaluate(const Expression& expression, const VariableSource& variables,
                    const EvaluationOptions& options) {
  Evaluation evaluation;
  if (const Program* program = expression.program(); program != nullptr && program->is_condition) {
    std::int64_t steps = 0;
    const std::optional<bool> verdict = decide(*program, variables, steps);
    if (options.budget != nullptr) options.budget->spend(steps);
    if (verdict && (options.budget == nullptr || !options.budget->is_used_up())) {
      evaluation.value = shared_boolean(*verdict);
      return evaluation;
    }
  }
  EvalState state(Limits{}, options.now, &variables, options.budget);
  Value value;
  try {
    if (const Program* program = expression.program()) {
      value = Evaluator(*program, state).eval(program->root, nullptr);
      // Charges for the JSON that the caller will write.
      if (value.is(Kind::List) || value.is(Kind::Context)) {
        state.step_through(value);
      } else if (value.is(Kind::String)) {
        state.step_searching(value.string().size());
      }
    }
  } catch (EvaluationFailure& error) {
    value = {};
    evaluation.failure = std::move(error.reason);
  }
  evaluation.value = std::make_shared<const Value>(std::move(value));
  evaluation.warnings = state.take_warnings();
  return evaluation;
}

Kind kind_of(const Value& value) {
  return value.kind();
}

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::Null:
      return "null";
    case Kind::Boolean:
      return "boolean";
    case Kind::Number:
      return "number";
    case Kind::String:
      return "string";
    case Kind::List:
      return "list";
    case Kind::Context:
      return "context";
    case Kind::Date:
      return "date";
    case Kind::Time:
      return "time";
    case Kind::DateTime:
      return "date and time";
    case Kind::YearsMonthsDuration:
      return "years and months duration";
    case Kind::DaysTimeDuration:
      return "days and time duration";
    case Kind::Range:
      return "range";
    case Kind::Function:
      return "function";
  }
  return "null";
}

std::optional<bool> as_boolean(const Value& value) {
  return value.is(Kind::Boolean) ? std::optional(value.boolean()) : std::nullopt;
}

std::optional<std::string> as_string(const Value& value) {
  return value.is(Kind::String) ? std::optional(value.string()) : std::nullopt;
}

std::optional<double> as_double(const Value& value) {
  return value.is(Kind::Number) ? std::optional(value.number().to_double()) : std::nullopt;
}

std::optional<std::int64_t> as_integer(const Value& value) {
  return value.is(Kind::Number) ? value.number().to_int64() : std::nullopt;
}

std::optional<std::string> as_number_text(const Value& value) {
  return value.is(Kind::Number) ? std::optional(value.number().to_plain_string()) : std::nullopt;
}

std::string to_json(const Value& value) {
  std::string out;
  write_json(out, value);
  return out;
}

std::optional<std::vector<std::string>> list_items_json(const Value& value) {
  if (!value.is(Kind::List)) return std::nullopt;
  std::vector<std::string> items;
  items.reserve(value.list().size());
  for (const Value& item : value.list()) items.push_back(to_json(item));
  return items;
}

std::optional<std::vector<std::pair<std::string, std::string>>> context_entries_json(
    const Value& value) {
  if (!value.is(Kind::Context)) return std::nullopt;
  std::vector<std::pair<std::string, std::string>> entries;
  for (const Entry& entry : value.context().entries()) {
    entries.emplace_back(entry.name, to_json(entry.value));
  }
  return entries;
}

}  // namespace beeline::feel
