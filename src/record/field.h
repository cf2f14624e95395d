#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

namespace beeline::record {

// The largest number that protobuf has for a field.
inline constexpr std::uint32_t kFieldMax = (std::uint32_t{1} << 29U) - 1;

// One field of a value: its number on the wire, never reused, and its name in JSON. A value names
// each of its fields once, in fields(); every codec, printer and schema walks that list.
template <typename Owner, typename Type>
struct Field {
  using Value = Type;
  std::uint32_t number;
  std::string_view name;
  Type Owner::*member;

  [[nodiscard]] constexpr const Type& of(const Owner& owner) const { return owner.*member; }
  [[nodiscard]] constexpr Type& of(Owner& owner) const { return owner.*member; }
};

template <typename Owner, typename Type>
constexpr Field<Owner, Type> field(std::uint32_t number, std::string_view name,
                                   Type Owner::*member) {
  return {number, name, member};
}

// Fields that most values of a type leave at their defaults: they are kept apart, so that a value
// without them is copied and destroyed at no cost. To readers of the field list they are fields
// like others.
template <typename Part>
class Rare {
 public:
  constexpr Rare() = default;
  constexpr ~Rare() { delete part_; }
  Rare(const Rare& other) : part_(other.part_ != nullptr ? new Part(*other.part_) : nullptr) {}
  constexpr Rare(Rare&& other) noexcept : part_(std::exchange(other.part_, nullptr)) {}
  Rare& operator=(const Rare& other) {
    const bool is_same = this == &other || part_ == other.part_;
    if (!is_same) *this = Rare(other);
    return *this;
  }
  Rare& operator=(Rare&& other) noexcept {
    std::swap(part_, other.part_);
    return *this;
  }
  bool operator==(const Rare& other) const { return **this == *other; }

  // Whether there may be anything in it.
  [[nodiscard]] constexpr bool is_set() const { return part_ != nullptr; }
  [[nodiscard]] const Part& operator*() const {
    static const Part kNone;
    return part_ != nullptr ? *part_ : kNone;
  }
  [[nodiscard]] const Part* operator->() const { return &**this; }
  // To be written to.
  [[nodiscard]] Part& set() {
    if (part_ == nullptr) part_ = new Part;
    return *part_;
  }

 private:
  Part* part_ = nullptr;  // owned; std::unique_ptr is no constant to g++ 12
};

template <typename Owner, typename Part, typename Type>
struct RareField {
  using Value = Type;
  std::uint32_t number;
  std::string_view name;
  Rare<Part> Owner::*part;
  Type Part::*member;

  [[nodiscard]] const Type& of(const Owner& owner) const { return (*(owner.*part)).*member; }
  [[nodiscard]] Type& of(Owner& owner) const { return (owner.*part).set().*member; }
};

template <typename Owner, typename Part, typename Type>
constexpr RareField<Owner, Part, Type> field(std::uint32_t number, std::string_view name,
                                             Rare<Part> Owner::*part, Type Part::*member) {
  return {number, name, part, member};
}

// A type with a field list: a value, a nested part of one, or a row of a state table.
template <typename T>
concept HasFields = requires {
  T::fields();
};

// The list, made once by the compiler rather than at every visit.
template <HasFields T>
inline constexpr auto kFieldsOf = T::fields();

// Inlined always, so that what a visitor asks of a field is known to the compiler.
template <HasFields T, typename Visitor>
[[gnu::always_inline]] constexpr void for_each_field(Visitor&& visit) {
  [&]<std::size_t... Index>(std::index_sequence<Index...>) __attribute__((always_inline)) {
    (visit(std::get<Index>(kFieldsOf<T>)), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(T::fields())>>{});
}

}  // namespace beeline::record
