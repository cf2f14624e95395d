// Boxed expressions of every form except tables.
#include <fmt/format.h>

#include "dmn/evaluation.h"

namespace beeline::dmn {

using feel::Kind;
using feel::Value;

Value Evaluation::evaluate(const BoxedPtr& boxed, const Scope& scope, TableTrace* trace) {
  if (!boxed) return {};
  const feel::EvalState::Nesting nesting(state_);
  state_.step();
  if (const auto* table = std::get_if<Table>(&boxed->form)) {
    return typed(evaluate_table(*table, scope, trace), boxed->type, boxed->id);
  }
  Value value = std::visit(
      [&](const auto& form) -> Value {
        if constexpr (std::is_same_v<std::decay_t<decltype(form)>, Table>) {
          return {};
        } else {
          return form_value(form, scope);
        }
      },
      boxed->form);
  return typed(std::move(value), boxed->type, boxed->id);
}

Value Evaluation::evaluate(const Text& text, const Scope& scope) {
  if (!text.error.empty()) {
    warn(feel::WarningKind::Unknown, text.error);
    return {};
  }
  const feel::Program* program = text.expression.program();
  if (program == nullptr) return {};
  return feel::Evaluator(*program, state_).eval(program->root, scope.frame());
}

Value Evaluation::test(const Text& text, const Value& input, const Scope& scope) {
  if (!text.error.empty()) {
    warn(feel::WarningKind::Unknown, text.error);
    return {};
  }
  const feel::Program* program = text.expression.program();
  if (program == nullptr) return Value{true};
  const feel::BindingFrame frame(scope.frame(), "?", input);
  return feel::Evaluator(*program, state_).eval_test(program->root, input, &frame);
}

// Without this check, recursion could nest lists and contexts without limit.
Value Evaluation::checked(Value value) {
  state_.check_value(value);
  return value;
}

Value Evaluation::form_value(const Literal& literal, const Scope& scope) {
  return evaluate(literal.text, scope);
}

Value Evaluation::form_value(const BoxedContext& context, const Scope& scope) {
  Scope inner(&scope);
  for (const BoxedContext::Entry& entry : context.entries) {
    Value value = evaluate(entry.value, inner);
    if (!entry.variable) return value;
    inner.add(entry.variable->name,
              typed(std::move(value), entry.variable->type, entry.variable->name));
  }
  return checked(Value{feel::Context(inner.entries())});
}

Value Evaluation::form_value(const Invocation& invocation, const Scope& scope) {
  const Value function = evaluate(invocation.function, scope);
  std::vector<std::string> names;
  std::vector<Value> arguments;
  for (const Invocation::Binding& binding : invocation.bindings) {
    names.push_back(binding.parameter);
    arguments.push_back(evaluate(binding.value, scope));
  }
  return feel::call_function_named(state_, function, names, arguments, dialect());
}

Value Evaluation::form_value(const FunctionDefinition& function, const Scope& scope) {
  if (function.kind == FunctionKind::Java) {
    feel::NativeFunction code = find_java_function(evaluate(function.body, scope));
    if (code) return make_function(function.parameters, std::move(code), 0);
  }
  if (function.kind != FunctionKind::Feel) {
    warn(feel::WarningKind::NoFunctionFound, "External functions are not supported");
    return {};
  }
  std::vector<feel::Entry> seen = scope.flattened();
  state_.step(8 + 2 * seen.size());
  std::uint32_t depth = 0;
  for (const feel::Entry& entry : seen) depth = std::max(depth, entry.value.depth());
  // As for knowledge models, the function can be called only during the evaluation, so it may keep
  // `this`.
  return make_function(
      function.parameters,
      [this, &function, seen = std::move(seen)](feel::EvalState&,
                                                std::span<const Value> arguments) -> Value {
        std::optional<std::vector<feel::Entry>> bound = bind(function.parameters, arguments);
        if (!bound) return {};
        state_.step(8 + 2 * seen.size());
        const Scope captured(nullptr, seen);
        const Scope inner(&captured, *std::move(bound));
        return evaluate(function.body, inner);
      },
      depth);
}

Value Evaluation::form_value(const Relation& relation, const Scope& scope) {
  std::vector<Value> rows;
  for (const std::vector<BoxedPtr>& row : relation.rows) {
    state_.step(4 + 2 * row.size());
    std::vector<feel::Entry> entries;
    for (std::size_t i = 0; i < row.size() && i < relation.columns.size(); ++i) {
      entries.push_back({relation.columns[i], evaluate(row[i], scope)});
    }
    rows.emplace_back(feel::Context(std::move(entries)));
  }
  return checked(Value{std::move(rows)});
}

Value Evaluation::form_value(const BoxedList& list, const Scope& scope) {
  std::vector<Value> items;
  for (const BoxedPtr& item : list.items) items.push_back(evaluate(item, scope));
  return checked(Value{std::move(items)});
}

Value Evaluation::form_value(const Conditional& conditional, const Scope& scope) {
  const Value condition = evaluate(conditional.condition, scope);
  if (condition.is_true()) return evaluate(conditional.then_value, scope);
  if (condition.is_false() || condition.is_null()) return evaluate(conditional.else_value, scope);
  warn(feel::WarningKind::InvalidType, "The condition of a conditional is not a boolean");
  return {};
}

// Returns the items that a boxed loop or filter visits: those of a list, those of a range of whole
// numbers or days, otherwise the value alone.
std::optional<std::vector<Value>> Evaluation::domain_of(const Value& value) {
  if (value.is(Kind::List)) {
    state_.step_copying(value.list().size());
    return value.list();
  }
  if (value.is_null()) return std::nullopt;
  if (!value.is(Kind::Range)) return std::vector<Value>{value};
  const feel::Range& range = value.range();
  const bool days = range.start.is(Kind::Date) && range.end.is(Kind::Date);
  if (!days && !(range.start.is(Kind::Number) && range.end.is(Kind::Number))) return std::nullopt;
  const auto first = days ? range.start.date().days : range.start.number().to_int64();
  const auto last = days ? range.end.date().days : range.end.number().to_int64();
  if (!first || !last) return std::nullopt;
  std::vector<Value> items;
  std::int64_t at = *first;
  if (!range.start_included && at < *last) ++at;
  for (; at < *last || (at == *last && range.end_included); ++at) {
    state_.step();
    state_.check_list_size(items.size());
    items.push_back(days ? Value{feel::Date{at}} : Value::number(at));
    if (at == *last) break;
  }
  return items;
}

Value Evaluation::form_value(const Filter& filter, const Scope& scope) {
  const std::optional<std::vector<Value>> items = domain_of(evaluate(filter.list, scope));
  if (!items) {
    warn(feel::WarningKind::InvalidType, "There is no list to filter");
    return {};
  }
  std::vector<Value> kept;
  for (const Value& item : *items) {
    state_.step();
    std::vector<feel::Entry> entries{{"item", item}};
    if (item.is(Kind::Context)) {
      const std::vector<feel::Entry>& own = item.context().entries();
      state_.step(4 + 2 * own.size());
      entries.insert(entries.end(), own.begin(), own.end());
    }
    const Scope inner(&scope, std::move(entries));
    const Value match = evaluate(filter.match, inner);
    if (!match.is(Kind::Boolean) && !match.is_null()) {
      warn(feel::WarningKind::InvalidType, "The condition of a filter is not a boolean");
      return {};
    }
    if (match.is_true()) kept.push_back(item);
  }
  return Value{std::move(kept)};
}

Value Evaluation::form_value(const Iteration& iteration, const Scope& scope) {
  const std::optional<std::vector<Value>> items = domain_of(evaluate(iteration.domain, scope));
  if (!items) {
    warn(feel::WarningKind::InvalidType, "There is no list to iterate over");
    return {};
  }
  const bool is_for = iteration.form == Iteration::Form::For;
  std::vector<Value> results;
  bool any_true = false;
  bool any_false = false;
  for (const Value& item : *items) {
    state_.step(iteration.uses_partial ? 1 + results.size() / 4 : 1);
    Scope inner(&scope);
    inner.add(iteration.variable.name, item);
    if (is_for && iteration.uses_partial) inner.add("partial", Value{results});
    Value value = evaluate(iteration.body, inner);
    if (is_for) {
      results.push_back(std::move(value));
      state_.check_list_size(results.size());
    } else if (!value.is(Kind::Boolean)) {
      warn(feel::WarningKind::InvalidType, "The condition of a quantifier is not a boolean");
      return {};
    } else {
      (value.boolean() ? any_true : any_false) = true;
    }
  }
  if (is_for) return checked(Value{std::move(results)});
  return Value{iteration.form == Iteration::Form::Some ? any_true : !any_false};
}

}  // namespace beeline::dmn
