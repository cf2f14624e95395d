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

// What a built-in function gets: arguments that fit its signature, and the evaluation around it.
class BuiltinCall {
 public:
  BuiltinCall(EvalState& state, Dialect dialect, std::vector<Value> arguments,
              std::vector<bool> given)
      : state_(state),
        dialect_(dialect),
        arguments_(std::move(arguments)),
        given_(std::move(given)) {}

  [[nodiscard]] const Value& operator[](std::size_t index) const { return arguments_[index]; }
  // Whether the optional argument was written, be it as null.
  [[nodiscard]] bool has(std::size_t index) const {
    return index < given_.size() && given_[index];  // overloads of one function share their code
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

  // Null, with a warning that says why.
  [[nodiscard]] Value refuse(std::string_view why) const;
  // The value, or null with a warning when there is none.
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
// where `?` marks an optional parameter, `|` separates names that mean the same parameter (`+`
// before one says that it is so in workflows only), `...` behind the name a list that may also be
// spread over the arguments, `*` one that always is, and the letters are the kinds accepted: b n s
// l c, d date, t time, D date and time, y and z the durations, r range, f function, a anything, ~
// null as well.
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

// Whether there is a built-in function of this name, the extensions included.
[[nodiscard]] bool is_builtin(std::string_view name);
[[nodiscard]] bool is_builtin(std::string_view name, bool extensions);
// How the built-in function looks as a value: the parameters of its first overload.
[[nodiscard]] Value builtin_as_value(std::string_view name);

// Calls the overload that fits. `labels` is empty for positional arguments.
[[nodiscard]] Value call_builtin(EvalState& state, std::string_view name,
                                 std::span<const std::string> labels,
                                 std::span<const Value> arguments, Dialect dialect,
                                 bool extensions);

}  // namespace beeline::feel
