#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "feel/evaluator.h"
#include "feel/state.h"
#include "feel/value.h"

namespace beeline::feel {

// The arguments of a call of a built-in function, which fit its signature, and the evaluation
// around it.
class BuiltinCall {
 public:
  BuiltinCall(EvalState& state, Dialect dialect, std::vector<Value> arguments,
              std::vector<bool> given)
      : state_(state),
        dialect_(dialect),
        arguments_(std::move(arguments)),
        given_(std::move(given)) {}

  [[nodiscard]] const Value& operator[](std::size_t index) const { return arguments_[index]; }
  // True if the optional argument was written, even as null.
  [[nodiscard]] bool has(std::size_t index) const {
    return index < given_.size() && given_[index];  // overloads of one function share their code,
                                                    // so an index may be out of range
  }

  [[nodiscard]] EvalState& state() const { return state_; }
  [[nodiscard]] Dialect dialect() const { return dialect_; }
  [[nodiscard]] bool is_dmn() const { return dialect_ == Dialect::Dmn; }
  [[nodiscard]] Fractions fractions() const {
    return is_dmn() ? Fractions::Ignored : Fractions::Compared;
  }
  [[nodiscard]] TextForms text_forms() const {
    return is_dmn() ? TextForms::Strict : TextForms::Lenient;
  }

  // Returns null and adds a warning with the reason.
  [[nodiscard]] Value refuse(std::string_view why) const;
  // Returns the value; if there is no value, returns null and adds a warning.
  template <typename T>
  [[nodiscard]] Value or_refuse(const std::optional<T>& value, std::string_view why) const {
    return value ? Value{*value} : refuse(why);
  }

 private:
  EvalState& state_;
  Dialect dialect_;
  std::vector<Value> arguments_;
  std::vector<bool> given_;
};

using BuiltinFunction = Value (*)(const BuiltinCall& call);

// One row of the tables in builtins_*.cc. The signature reads
//   substring(string:s, start position:n, length?:n)
// where `?` marks an optional parameter, `|` separates names of the same parameter (a name
// after `+` is valid in workflows only), `...` after the name marks a list that may also be spread
// over the arguments, `*` a list that is always spread, and the letters are the accepted kinds:
// b boolean, n number, s string, l list, c context, d date, t time, D date and time, y and z the
// durations, r range, f function, a anything, ~ null as well.
struct BuiltinRow {
  const char* signature;
  BuiltinFunction function;
  enum class Origin { Standard, Extension } origin = Origin::Standard;
};
inline constexpr auto kExtension = BuiltinRow::Origin::Extension;

[[nodiscard]] std::span<const BuiltinRow> conversion_builtins();
[[nodiscard]] std::span<const BuiltinRow> string_builtins();
[[nodiscard]] std::span<const BuiltinRow> number_builtins();
[[nodiscard]] std::span<const BuiltinRow> list_builtins();
[[nodiscard]] std::span<const BuiltinRow> context_builtins();
[[nodiscard]] std::span<const BuiltinRow> temporal_builtins();
[[nodiscard]] std::span<const BuiltinRow> range_builtins();

// True if there is a built-in function of this name, including the extensions.
[[nodiscard]] bool is_builtin(std::string_view name);
[[nodiscard]] bool is_builtin(std::string_view name, bool extensions);
// Returns the built-in function as a value, with the parameters of its first overload.
[[nodiscard]] Value builtin_as_value(std::string_view name);

// Calls the overload that fits the arguments. `labels` is empty for positional arguments.
[[nodiscard]] Value call_builtin(EvalState& state, std::string_view name,
                                 std::span<const std::string> labels,
                                 std::span<const Value> arguments, Dialect dialect,
                                 bool extensions);

}  // namespace beeline::feel
