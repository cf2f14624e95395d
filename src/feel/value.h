#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "feel/decimal.h"
#include "feel/feel.h"
#include "feel/temporal.h"

// The values of FEEL expressions. A Value is immutable and cheap to copy: scalars are stored
// inline, other values are shared. Values are trees (FEEL cannot make a cycle) of bounded height,
// so walking them by recursion is safe.
namespace beeline::feel {

class List;
class Context;
struct Range;
struct Function;

// No evaluation and no JSON text gives lists and contexts nested deeper than this: the evaluation
// fails. The limit keeps comparing, printing and destroying within the stack. Variables are not
// nested deeper (record::kJsonDepthMax), so every variable can be read.
inline constexpr std::uint32_t kValueDepthMax = 1000;

class Value {
 public:
  Value();  // null
  explicit Value(bool value);
  explicit Value(Decimal value);
  explicit Value(std::string text);
  explicit Value(const char* text);
  explicit Value(Date value);
  explicit Value(Time value);
  explicit Value(DateTime value);
  explicit Value(YearsMonthsDuration value);
  explicit Value(DaysTimeDuration value);
  explicit Value(std::vector<Value> items);
  explicit Value(Context context);
  explicit Value(Range range);
  explicit Value(Function function);
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(const Value&);
  Value& operator=(Value&&) noexcept;
  ~Value();

  [[nodiscard]] static Value number(std::int64_t value) { return Value{Decimal{value}}; }
  // Converts an optional; an empty one becomes null. Most functions of the calendar and the
  // arithmetic return optionals.
  template <typename T>
  [[nodiscard]] static Value from(const std::optional<T>& value) {
    return value ? Value{*value} : Value{};
  }

  [[nodiscard]] Kind kind() const { return static_cast<Kind>(data_.index()); }
  [[nodiscard]] bool is(Kind kind) const { return this->kind() == kind; }
  [[nodiscard]] bool is_null() const { return is(Kind::Null); }
  [[nodiscard]] bool is_true() const { return is(Kind::Boolean) && boolean(); }
  [[nodiscard]] bool is_false() const { return is(Kind::Boolean) && !boolean(); }

  // Call each only for a value of that kind; this is checked.
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] const Decimal& number() const;
  [[nodiscard]] const std::string& string() const;
  [[nodiscard]] const std::vector<Value>& list() const;
  [[nodiscard]] const Context& context() const;
  [[nodiscard]] const Date& date() const;
  [[nodiscard]] const Time& time() const;
  [[nodiscard]] const DateTime& date_time() const;
  [[nodiscard]] const YearsMonthsDuration& years_months() const;
  [[nodiscard]] const DaysTimeDuration& days_time() const;
  [[nodiscard]] const Range& range() const;
  [[nodiscard]] const Function& function() const;

  // Returns how many lists, contexts and closures enclose the innermost value: 0 for scalars.
  [[nodiscard]] std::uint32_t depth() const;
  // Returns roughly the bytes that the value would take if nothing in it were shared. Sharing lets
  // an expression make a tree of 2^40 leaves in 40 steps, so code that walks a value must charge by
  // this size.
  [[nodiscard]] std::uint64_t full_size() const;
  // Returns the value of this entry if the value is a context that has it, otherwise null.
  [[nodiscard]] const Value* find(std::string_view name) const;

 private:
  // Texts, lists and contexts are shared, so values can be copied into frames, lists and closures
  // without copying trees.
  using Data = std::variant<std::monostate, bool, Decimal, std::shared_ptr<const std::string>,
                            std::shared_ptr<const List>, std::shared_ptr<const Context>, Date, Time,
                            DateTime, YearsMonthsDuration, DaysTimeDuration,
                            std::shared_ptr<const Range>, std::shared_ptr<const Function>>;
  Data data_;
};

struct Entry {
  std::string name;
  Value value;
};

// Named values in the order in which they were written, each name once.
class Context {
 public:
  Context();
  explicit Context(std::vector<Entry> entries);  // the last of several values with one name counts
  Context(const Context&);
  Context(Context&&) noexcept;
  Context& operator=(Context&&) noexcept;
  ~Context();

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] const Value* find(std::string_view name) const;
  [[nodiscard]] std::uint32_t depth() const { return depth_; }
  [[nodiscard]] std::uint64_t full_size() const { return full_size_; }

 private:
  [[nodiscard]] std::size_t index_of(std::string_view name) const;

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> sorted_;  // by name; only when there are many entries
  std::uint32_t depth_ = 1;
  std::uint64_t full_size_ = 0;
};

// An interval, or one of the comparisons written as a value: (< 10), (= 10), (!= 10). A missing
// bound is null. The form counts in equality: (< 10) is not (null..10).
struct Range {
  enum class Form { Interval, Comparison, Unequal };
  Value start;
  Value end;
  bool start_included = false;
  bool end_included = false;
  Form form = Form::Interval;
};

// A function value. Only the interpreter can run its code, hence the opaque body.
struct Function {
  struct Body;
  std::vector<std::string> parameters;
  // Shared because function values are copied like all others.
  std::shared_ptr<const Body> body;
  std::uint32_t depth = 1;  // closures contain values, so they count as nesting too
};

// Returns approximately the bytes that the values made by this thread occupy now. The evaluator
// compares two readings to limit the memory of one evaluation.
[[nodiscard]] std::int64_t live_value_bytes();

}  // namespace beeline::feel
