#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "feel/feel.h"

namespace beeline::feel {

// A FEEL type, as used in `instance of`, typed parameters and item definitions. A type is immutable
// and cheap to copy; a default one is Any.
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
  // Returns a built-in type by name or alias ("date and time", "dateTime", "feel:string"); nothing
  // if it is unknown.
  [[nodiscard]] static std::optional<Type> from_name(std::string_view name);

  [[nodiscard]] Form form() const { return form_; }
  [[nodiscard]] Kind kind() const { return kind_; }  // the kind of its values; not for Any
  // The type of a list's items, of a range's bounds, or of a function's result.
  [[nodiscard]] const Type& inner() const;
  [[nodiscard]] const std::vector<Field>& fields() const;  // of a context; or parameters
  [[nodiscard]] std::string to_string() const;

 private:
  struct Parts;
  Form form_ = Form::Any;
  Kind kind_ = Kind::Null;
  // Shared because types are copied into every function value and never change.
  std::shared_ptr<const Parts> parts_;
};

// True if the value has the type. Null has no type except Null here (`null instance of Any` is
// false); inside lists and contexts null fits every type.
[[nodiscard]] bool conforms(const Value& value, const Type& type);
// Converts a value to a declared type (dmn dialect): the result is the value, the value as
// singleton list, the only item of a list, or a date as midnight UTC. Returns nothing if the value
// does not fit. Null fits every type.
[[nodiscard]] std::optional<Value> coerce(const Value& value, const Type& type);

}  // namespace beeline::feel
