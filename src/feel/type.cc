#include "feel/type.h"

#include <algorithm>
#include <array>

#include "feel/evaluator.h"
#include "feel/value.h"

namespace beeline::feel {

struct Type::Parts {
  Type inner;
  std::vector<Field> fields;
};

namespace {

struct NamedKind {
  std::string_view name;
  Kind kind;
};
constexpr std::array<NamedKind, 21> kSimpleNames = {{
    {"Null", Kind::Null},
    {"boolean", Kind::Boolean},
    {"number", Kind::Number},
    {"string", Kind::String},
    {"date", Kind::Date},
    {"time", Kind::Time},
    {"date and time", Kind::DateTime},
    {"dateTime", Kind::DateTime},
    {"date time", Kind::DateTime},
    {"days and time duration", Kind::DaysTimeDuration},
    {"dayTimeDuration", Kind::DaysTimeDuration},
    {"day-time-duration", Kind::DaysTimeDuration},
    {"years and months duration", Kind::YearsMonthsDuration},
    {"yearMonthDuration", Kind::YearsMonthsDuration},
    {"year-month-duration", Kind::YearsMonthsDuration},
    {"list", Kind::List},
    {"context", Kind::Context},
    {"function", Kind::Function},
    {"range", Kind::Range},
    {"years-months-duration", Kind::YearsMonthsDuration},
    {"days-time-duration", Kind::DaysTimeDuration},
}};

bool fits(const Value& value, const Type& type) {
  return value.is_null() || conforms(value, type);
}

// True if every value of `type` is a value of `wider`. Every type is within Any.
bool is_within(const Type& type, const Type& wider) {
  if (wider.form() == Type::Form::Any) return true;
  if (type.form() == Type::Form::Any || type.kind() != wider.kind()) return false;
  switch (wider.form()) {
    case Type::Form::Any:
    case Type::Form::Simple:
      return true;
    case Type::Form::List:
    case Type::Form::Range:
      return type.form() == wider.form() && is_within(type.inner(), wider.inner());
    case Type::Form::Context:
      return type.form() == wider.form() &&
             std::all_of(wider.fields().begin(), wider.fields().end(), [&](const auto& wanted) {
               return std::any_of(type.fields().begin(), type.fields().end(), [&](const auto& has) {
                 return has.first == wanted.first && is_within(has.second, wanted.second);
               });
             });
    case Type::Form::Function:
      if (type.form() != wider.form() || type.fields().size() != wider.fields().size())
        return false;
      for (std::size_t i = 0; i < type.fields().size(); ++i) {
        if (!is_within(wider.fields()[i].second, type.fields()[i].second)) return false;
      }
      return is_within(type.inner(), wider.inner());
  }
  return false;
}

// Parameters must accept at least the values that the type allows to pass. The type of the body's
// result is not known before it runs, so the result is not checked.
bool function_conforms(const Function& function, const Type& type) {
  if (function.parameters.size() != type.fields().size()) return false;
  const auto& declared = function.body->types;
  for (std::size_t i = 0; i < type.fields().size() && i < declared.size(); ++i) {
    if (declared[i] && !is_within(type.fields()[i].second, *declared[i])) return false;
  }
  return true;
}

}  // namespace

Type Type::simple(Kind kind) {
  Type type;
  type.form_ = Form::Simple;
  type.kind_ = kind;
  return type;
}

Type Type::list(Type item) {
  Type type;
  type.form_ = Form::List;
  type.kind_ = Kind::List;
  type.parts_ = std::make_shared<const Parts>(Parts{std::move(item), {}});
  return type;
}

Type Type::range(Type bound) {
  Type type = list(std::move(bound));
  type.form_ = Form::Range;
  type.kind_ = Kind::Range;
  return type;
}

Type Type::context(std::vector<Field> fields) {
  Type type;
  type.form_ = Form::Context;
  type.kind_ = Kind::Context;
  type.parts_ = std::make_shared<const Parts>(Parts{{}, std::move(fields)});
  return type;
}

Type Type::function(std::vector<Type> parameters, Type result) {
  std::vector<Field> fields;
  for (Type& parameter : parameters) fields.emplace_back("", std::move(parameter));
  Type type;
  type.form_ = Form::Function;
  type.kind_ = Kind::Function;
  type.parts_ = std::make_shared<const Parts>(Parts{std::move(result), std::move(fields)});
  return type;
}

std::optional<Type> Type::from_name(std::string_view name) {
  if (name.starts_with("feel:")) name.remove_prefix(5);
  if (name.starts_with("feel.")) name.remove_prefix(5);
  if (name == "Any") return any();
  for (const NamedKind& known : kSimpleNames) {
    if (known.name == name) return simple(known.kind);
  }
  return std::nullopt;
}

const Type& Type::inner() const {
  static const Type kAny;
  return parts_ ? parts_->inner : kAny;
}

const std::vector<Type::Field>& Type::fields() const {
  static const std::vector<Field> kNone;
  return parts_ ? parts_->fields : kNone;
}

std::string Type::to_string() const {
  std::string text;
  switch (form_) {
    case Form::Any:
      return "Any";
    case Form::Simple:
      return std::string(kind_name(kind_));
    case Form::List:
    case Form::Range:
      return std::string(kind_name(kind_)) + "<" + inner().to_string() + ">";
    case Form::Context:
    case Form::Function:
      for (const auto& [name, type] : fields()) {
        text += text.empty() ? "" : ", ";
        text += name.empty() ? type.to_string() : name + ": " + type.to_string();
      }
      text = std::string(kind_name(kind_)) + "<" + text + ">";
      return form_ == Form::Function ? text + "->" + inner().to_string() : text;
  }
  return text;
}

bool conforms(const Value& value, const Type& type) {
  if (type.form() == Type::Form::Any) return !value.is_null();
  if (value.kind() != type.kind()) return false;
  switch (type.form()) {
    case Type::Form::Any:
    case Type::Form::Simple:
      return !value.is_null();
    case Type::Form::List:
      return std::all_of(value.list().begin(), value.list().end(),
                         [&](const Value& item) { return fits(item, type.inner()); });
    case Type::Form::Range:
      return fits(value.range().start, type.inner()) && fits(value.range().end, type.inner());
    case Type::Form::Context:
      return std::all_of(type.fields().begin(), type.fields().end(), [&](const auto& field) {
        const Value* entry = value.find(field.first);
        return entry != nullptr && fits(*entry, field.second);
      });
    case Type::Form::Function:
      return function_conforms(value.function(), type);
  }
  return false;
}

std::optional<Value> coerce(const Value& value, const Type& type) {
  if (fits(value, type)) return value;
  if (type.kind() == Kind::DateTime && value.is(Kind::Date)) {
    return Value{DateTime::midnight_utc(value.date())};
  }
  if (type.kind() == Kind::List && !value.is(Kind::List)) {
    Value list{std::vector<Value>{value}};
    if (conforms(list, type)) return list;
  } else if (value.is(Kind::List) && value.list().size() == 1 &&
             conforms(value.list().front(), type)) {
    return value.list().front();
  }
  return std::nullopt;
}

}  // namespace beeline::feel
