// Converts values to declared types.
#include <fmt/format.h>

#include <algorithm>

#include "dmn/evaluation.h"
#include "feel/type.h"

namespace beeline::dmn {

using feel::Kind;
using feel::Value;

std::optional<Value> Evaluation::fit(const Value& value, const TypeRef& type) {
  if (type.source.empty() || value.is_null()) return value;
  if (value.is(Kind::List) || value.is(Kind::Context)) state_.step_through(value);
  // Camunda converts nothing: a value either has the type or not.
  std::optional<Value> fitting;
  if (is_standard()) {
    fitting = feel::coerce(value, type.type);
  } else if (type.type.form() == feel::Type::Form::Any || feel::conforms(value, type.type)) {
    fitting = value;
  }
  if (!fitting) return std::nullopt;
  if (type.item != nullptr && type.item->has_constraints && !satisfies(*fitting, *type.item)) {
    return std::nullopt;
  }
  return fitting;
}

Value Evaluation::typed(Value value, const TypeRef& type, std::string_view what) {
  if (!is_standard()) return value;
  std::optional<Value> fitting = fit(value, type);
  if (fitting) return *std::move(fitting);
  warn(feel::WarningKind::InvalidType,
       fmt::format("The value of '{}' is not of type '{}'", what, type.source));
  return {};
}

bool Evaluation::satisfies(const Value& value, const ItemType& type) {
  if (value.is_null() || !type.has_constraints) return true;
  state_.step();
  const Scope nothing(nullptr);
  if (type.type_constraint && !test(*type.type_constraint, value, nothing).is_true()) return false;
  if (!type.is_collection) return satisfies_item(value, type);
  if (!value.is(Kind::List)) return false;
  return std::all_of(value.list().begin(), value.list().end(),
                     [&](const Value& item) { return satisfies_item(item, type); });
}

bool Evaluation::satisfies_item(const Value& value, const ItemType& type) {
  state_.step(2 + type.components.size());
  if (value.is_null()) return true;
  const Scope nothing(nullptr);
  if (type.allowed_values && !test(*type.allowed_values, value, nothing).is_true()) return false;
  if (type.base != nullptr && !satisfies(value, *type.base)) return false;
  for (const std::unique_ptr<ItemType>& component : type.components) {
    const Value* part = value.find(component->name);
    if (part != nullptr && !satisfies(*part, *component)) return false;
  }
  return true;
}

}  // namespace beeline::dmn
