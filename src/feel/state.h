#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "feel/feel.h"
#include "feel/program.h"
#include "feel/value.h"

namespace beeline::feel {

enum class WarningKind {
  NoVariableFound,
  NoContextEntryFound,
  NoPropertyFound,
  NotComparable,
  InvalidType,
  NoFunctionFound,
  FunctionInvocationFailure,
  Unknown
};
[[nodiscard]] std::string_view warning_kind_name(WarningKind kind);  // "NO_VARIABLE_FOUND", ...

// The limits of one evaluation. Exceeding one fails the whole evaluation; the result is not null,
// because it would then depend on how much of the limit was left.
struct Limits {
  std::int64_t steps = Budget::kSteps;  // see Budget
  int call_depth = 256;                 // functions inside functions
  int depth = 2'500;                    // nodes and functions inside each other; limits the stack
  std::uint64_t value_size = 64ULL * 1024 * 1024;  // size of one value if nothing in it were shared
  std::int64_t live_bytes = 64LL * 1024 * 1024;    // size of the values made by this evaluation
  std::size_t list_size = 1'000'000;
  std::size_t string_size = 4 * 1024 * 1024;
  std::size_t warnings = 100;
};

// Ends an evaluation without a value. It is thrown, because it may happen at any depth and no code
// in between can act on it. It never leaves this folder: the entry points catch it.
struct EvaluationFailure {
  std::string reason;
};

// Names bound around a node, innermost first. Frames live on the C++ stack while the bound
// expression is evaluated; closures copy the entries that they need.
class Frame {
 public:
  explicit Frame(const Frame* parent) : parent_(parent) {}
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;
  virtual ~Frame() = default;

  // Looks here and then outwards. Adds the number of compared names to `looked_at`.
  [[nodiscard]] static const Value* find(const Frame* frame, std::string_view name,
                                         std::size_t& looked_at) {
    for (; frame != nullptr; frame = frame->parent_) {
      if (const Value* value = frame->find_here(name, looked_at)) return value;
    }
    return nullptr;
  }

 private:
  [[nodiscard]] virtual const Value* find_here(std::string_view name,
                                               std::size_t& looked_at) const = 0;
  const Frame* parent_;
};

// One name, whose value may change from one iteration to the next.
class BindingFrame final : public Frame {
 public:
  BindingFrame(const Frame* parent, std::string_view name, Value value = {})
      : Frame(parent), name_(name), value_(std::move(value)) {}
  void set(Value value) { value_ = std::move(value); }

 private:
  const Value* find_here(std::string_view name, std::size_t& looked_at) const override {
    ++looked_at;
    return name == name_ ? &value_ : nullptr;
  }
  std::string_view name_;
  Value value_;
};

// Entries that another object owns: those of a context being built, of a call, of a closure.
class EntriesFrame final : public Frame {
 public:
  EntriesFrame(const Frame* parent, const std::vector<Entry>& entries)
      : Frame(parent), entries_(entries) {}

 private:
  const Value* find_here(std::string_view name, std::size_t& looked_at) const override {
    looked_at += 1 + entries_.size();
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
      if (entry->name == name) return &entry->value;
    }
    return nullptr;
  }
  const std::vector<Entry>& entries_;
};

// The item inside a filter: names refer first to its entries, then to the item itself as `item`.
class ItemFrame final : public Frame {
 public:
  ItemFrame(const Frame* parent, const Value& item) : Frame(parent), item_(item) {}

 private:
  const Value* find_here(std::string_view name, std::size_t& looked_at) const override {
    looked_at += 4;  // a search in a sorted index, or a short list
    if (const Value* entry = item_.find(name)) return entry;
    return name == "item" ? &item_ : nullptr;
  }
  const Value& item_;
};

// Everything that changes during an evaluation: budget, warnings, variables read so far. Each
// evaluation has one object, used by one thread.
class EvalState {
  struct Place {
    const Program* program = nullptr;
    const Node* node = nullptr;
  };

 public:
  // With a budget, the evaluation takes its steps from the budget instead of `limits.steps` and
  // returns unused steps when it ends.
  EvalState(const Limits& limits, Instant now_time, const VariableSource* source,
            Budget* budget = nullptr);
  EvalState(const EvalState&) = delete;
  EvalState& operator=(const EvalState&) = delete;
  ~EvalState();

  Instant now;
  std::optional<std::uint64_t> seed;  // for random number() and uuid(); if empty, the system's
  // The host's implementation of functions described as external; without it the result of such a
  // call is null.
  std::function<Value(EvalState& state, const Value& description, std::span<const Value> arguments)>
      call_external;

  // Ends the evaluation; the sub-expression that is being evaluated is added to the reason.
  [[noreturn]] void fail(std::string reason) const;

  // These functions use the budget. Each throws EvaluationFailure when it is exceeded.
  void step(std::size_t count = 1) {
    steps_left_ -= static_cast<std::int64_t>(count);
    if (steps_left_ < 0) steps_exhausted();
    if (steps_left_ < next_memory_check_) check_memory();
  }
  // The cost of work on a number of bytes or items. Reading is work as fast as memcmp and memcpy,
  // searching as fast as memmem, walking looks at every byte or character on its own, and copying
  // counts references to items.
  void step_reading(std::size_t bytes) { step(bytes / 128); }
  void step_searching(std::size_t bytes) { step(bytes / 32); }
  void step_walking(std::size_t bytes) { step(bytes / 8); }
  void step_copying(std::size_t items) { step(items / 2); }
  // The cost of sorting a context's entries by name.
  void step_sorting(std::size_t entries) {
    step(entries * (2 + static_cast<std::size_t>(std::bit_width(entries))) / 2);
  }
  void step_making(std::size_t bytes) { step(3 + bytes / 128); }  // one string of many
  // For code that counts its steps itself: how many are left.
  [[nodiscard]] std::int64_t steps_left() const { return steps_left_; }
  void check_value(const Value& value);  // the size of a list or string, the depth of nesting
  void check_depth(std::uint32_t depth) const;
  void check_list_size(std::size_t size) const;
  void check_string_size(std::size_t size) const;
  void check_memory();
  void step_through(const Value& value) { step(value.full_size() / 16); }  // walking all of it
  // The cost of comparing two values: values that differ in kind or length are distinguished at
  // once.
  void step_comparing(const Value& a, const Value& b) {
    const std::uint64_t smaller = std::min(a.full_size(), b.full_size());
    step(a.is(Kind::String) ? smaller / 128 : smaller / 16);
  }
  // Returns the value bound to this name around the node, or null.
  [[nodiscard]] const Value* find_bound(const Frame* frame, std::string_view name) {
    std::size_t looked_at = 0;
    const Value* found = Frame::find(frame, name, looked_at);
    step(looked_at / 8);
    return found;
  }
  [[nodiscard]] const Limits& limits() const { return limits_; }

  // Counts nesting during its lifetime.
  class Nesting {
   public:
    explicit Nesting(EvalState& state) : state_(state) {
      if (++state_.depth_ > state_.limits_.depth) state_.too_deep();
    }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    ~Nesting() { --state_.depth_; }

   private:
    EvalState& state_;
  };
  // Counts the nesting of a node; warnings and failures during its lifetime name the text of the
  // node.
  class Visit {
   public:
    Visit(EvalState& state, const Program& program, const Node& node)
        : state_(state), place_(state.place_) {
      if (!node.children.empty()) state_.place_ = {&program, &node};
      if (++state_.depth_ > state_.limits_.depth) state_.too_deep();
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    ~Visit() {
      --state_.depth_;
      state_.place_ = place_;
    }

   private:
    EvalState& state_;
    const Place place_;
  };
  class CallNesting {
   public:
    explicit CallNesting(EvalState& state) : state_(state) {
      if (++state_.call_depth_ > state_.limits_.call_depth) state_.too_deep();
    }
    CallNesting(const CallNesting&) = delete;
    CallNesting& operator=(const CallNesting&) = delete;
    ~CallNesting() { --state_.call_depth_; }

   private:
    EvalState& state_;
  };

  // Functions for warnings.
  [[nodiscard]] bool
  wants_warning();  // counts one warning; false if enough are kept or warnings are muted
  void warn(WarningKind kind, std::string_view text);  // adds the sub-expression
  class Mute {
   public:
    explicit Mute(EvalState& state) : state_(state) { ++state_.muted_; }
    Mute(const Mute&) = delete;
    Mute& operator=(const Mute&) = delete;
    ~Mute() { --state_.muted_; }

   private:
    EvalState& state_;
  };
  [[nodiscard]] std::vector<std::string> take_warnings();
  [[nodiscard]] std::size_t warning_count() const { return warning_count_; }

  // Variables outside the expression: given as values (decisions) or as JSON text (processes).
  class Globals {  // uses these variables during its lifetime
   public:
    Globals(EvalState& state, const Context* variables) : state_(state), previous_(state.globals_) {
      state_.globals_ = variables;
    }
    Globals(const Globals&) = delete;
    Globals& operator=(const Globals&) = delete;
    ~Globals() { state_.globals_ = previous_; }

   private:
    EvalState& state_;
    const Context* previous_;
  };
  [[nodiscard]] const Value* find_global(std::string_view name) const {
    return globals_ != nullptr ? globals_->find(name) : nullptr;
  }
  // Returns the whole variable, which is read once and kept; null if there is no such variable.
  [[nodiscard]] const Value* read_variable(std::string_view name);
  // Returns the value that the path `members` leads to below the variable, and reads only the JSON
  // on the way. Returns nothing if the path leads nowhere, or if the variable was read in this way
  // so often that reading it completely is cheaper.
  [[nodiscard]] std::optional<Value> read_member(std::string_view name,
                                                 std::span<const std::string_view> members);

  [[nodiscard]] std::uint64_t random();

 private:
  [[noreturn]] void steps_exhausted() const;
  [[noreturn]] void too_deep();
  [[nodiscard]] std::string in_place() const;  // " in '<sub-expression>'", or nothing

  Limits limits_;
  const VariableSource* source_;
  Budget* budget_;
  const Context* globals_ = nullptr;
  Place place_;
  std::int64_t steps_left_;
  std::int64_t live_bytes_before_;
  std::int64_t next_memory_check_;  // the next check is due when so many steps are left
  int depth_ = 0;
  int call_depth_ = 0;
  int muted_ = 0;
  std::size_t warning_count_ = 0;
  std::vector<std::string> warnings_;
  // Variables that were read completely; empty if there is no such variable.
  std::map<std::string, std::optional<Value>, std::less<>> variables_;
  std::map<std::string, int, std::less<>> member_reads_;  // how often each was read by path
  std::optional<std::mt19937_64> generator_;
};

}  // namespace beeline::feel
