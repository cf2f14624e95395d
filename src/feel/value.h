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

// What FEEL expressions work on. A Value is immutable and cheap to copy: scalars are held inline,
// the rest is shared. Values are trees (nothing in FEEL makes a cycle) of bounded height, so
// walking them by recursion is safe.
namespace beeline::feel {

class List;
class Context;
struct Range;
struct Function;

// Lists and contexts nested deeper than this do not come out of an evaluation or out of JSON: the
// evaluation fails. It keeps comparing, printing and destroying within the stack. Variables nest no
// deeper (record::kJsonDepthMax), so every one of them can be read.
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
  // Null for nothing: most of the calendar and of the arithmetic answers with optionals.
  template <typename T>
  [[nodiscard]] static Value from(const std::optional<T>& value) {
    return value ? Value{*value} : Value{};
  }

  [[nodiscard]] Kind kind() const { return static_cast<Kind>(data_.index()); }
  [[nodiscard]] bool is(Kind kind) const { return this->kind() == kind; }
  [[nodiscard]] bool is_null() const { return is(Kind::Null); }
  [[nodiscard]] bool is_true() const { return is(Kind::Boolean) && boolean(); }
  [[nodiscard]] bool is_false() const { return is(Kind::Boolean) && !boolean(); }

  // Each only when the value is of that kind; checked.
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

  // How many lists, contexts and closures enclose the innermost value: 0 for scalars.
  [[nodiscard]] std::uint32_t depth() const;
  // Bytes the value would take if nothing in it were shared, roughly. Sharing lets an expression
  // make a tree of 2^40 leaves in 40 steps; whoever walks a value pays by this size.
  [[nodiscard]] std::uint64_t full_size() const;
  // The value of this entry when it is a context that has it.
  [[nodiscard]] const Value* find(std::string_view name) const;

 private:
  // Shared so that values can be copied into frames, lists and closures without copying trees.
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

// Named values in the order they were written, each name once.
class Context {
 public:
  Context();
  explicit Context(std::vector<Entry> entries);  // of a repeated name the last value counts
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
// bound is null. The form matters for equality: (< 10) is not (null..10).
struct Range {
  enum class Form { Interval, Comparison, Unequal };
  Value start;
  Value end;
  bool start_included = false;
  bool end_included = false;
  Form form = Form::Interval;
};

// A function value. What it does is code that only the interpreter can run, hence the opaque body.
struct Function {
  struct Body;
  std::vector<std::string> parameters;
  // Shared because function values are copied like all others.
  std::shared_ptr<const Body> body;
  std::uint32_t depth = 1;  // closures hold values, so they count as nesting too
};

// Approximate bytes that the values made by this thread occupy now. The evaluator compares two
// readings to limit what one evaluation may hold.
[[nodiscard]] std::int64_t live_value_bytes();

}  // namespace beeline::feel
