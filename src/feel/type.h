#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "feel/feel.h"

namespace beeline::feel {

// A FEEL type, as `instance of`, typed parameters and item definitions name it. Immutable and cheap
// to copy; a default one is Any.
class Type {
 public:
  enum class Form { Any, Simple, List, Range, Context, Function };
  using Field = std::pair<std::string, Type>;

  Type() = default;
  [[nodiscard]] static Type any() { return {}; }
  [[nodiscard]] static Type simple(Kind kind);  // a bare list, context, ... is simple too
  [[nodiscard]] static Type list(Type item);
  [[nodiscard]] static Type range(Type bound);
  [[nodiscard]] static Type context(std::vector<Field> fields);
  [[nodiscard]] static Type function(std::vector<Type> parameters, Type result);
  // A built-in type by name or alias ("date and time", "dateTime", "feel:string"); nothing when
  // unknown.
  [[nodiscard]] static std::optional<Type> from_name(std::string_view name);

  [[nodiscard]] Form form() const { return form_; }
  [[nodiscard]] Kind kind() const { return kind_; }  // what values of it are; not for Any
  // The item of a list, the bound of a range, the result of a function.
  [[nodiscard]] const Type& inner() const;
  [[nodiscard]] const std::vector<Field>& fields() const;  // of a context; parameters of a function
  [[nodiscard]] std::string to_string() const;

 private:
  struct Parts;
  Form form_ = Form::Any;
  Kind kind_ = Kind::Null;
  // Shared because types are copied into every function value and never change.
  std::shared_ptr<const Parts> parts_;
};

// Whether the value is of the type. Null is of no type but Null here (`null instance of Any` is
// false); inside lists and contexts null fits everywhere.
[[nodiscard]] bool conforms(const Value& value, const Type& type);
// Where a declared type meets a value (dmn dialect): the value, the value as singleton list, the
// only item of a list, a date as midnight UTC; nothing when it does not fit. Null fits everywhere.
[[nodiscard]] std::optional<Value> coerce(const Value& value, const Type& type);

}  // namespace beeline::feel
