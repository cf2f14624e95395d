#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

namespace beeline::record {

// The largest field number in protobuf.
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

// A field that is on the wire and that JSON and text leave out, because it has a meaning only for
// partitions.
template <typename Owner, typename Type>
struct HiddenField : Field<Owner, Type> {};

template <typename Owner, typename Type>
constexpr HiddenField<Owner, Type> hidden_field(std::uint32_t number, std::string_view name,
                                                Type Owner::*member) {
  return {{number, name, member}};
}

template <typename F>
inline constexpr bool kIsHidden = false;
template <typename Owner, typename Type>
inline constexpr bool kIsHidden<HiddenField<Owner, Type>> = true;

// Fields that most values of a type leave at their defaults: they are stored separately, so a value
// without them is copied and destroyed at no cost. In the field list they are fields like others.
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

  // True if the part may contain anything.
  [[nodiscard]] constexpr bool is_set() const { return part_ != nullptr; }
  [[nodiscard]] const Part& operator*() const {
    static const Part kNone;
    return part_ != nullptr ? *part_ : kNone;
  }
  [[nodiscard]] const Part* operator->() const { return &**this; }
  // Returns the part for writing.
  [[nodiscard]] Part& set() {
    if (part_ == nullptr) part_ = new Part;
    return *part_;
  }

 private:
  Part* part_ = nullptr;  // owned; g++ 12 does not accept std::unique_ptr as a constant
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

// The list is made once by the compiler rather than at every visit.
template <HasFields T>
inline constexpr auto kFieldsOf = T::fields();

// Always inlined, so the compiler knows what a visitor reads of a field.
template <HasFields T, typename Visitor>
[[gnu::always_inline]] constexpr void for_each_field(Visitor&& visit) {
  [&]<std::size_t... Index>(std::index_sequence<Index...>) __attribute__((always_inline)) {
    (visit(std::get<Index>(kFieldsOf<T>)), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(T::fields())>>{});
}

// Visits the fields until a visitor returns true, and returns whether one did.
template <HasFields T, typename Visitor>
[[gnu::always_inline]] constexpr bool find_field(Visitor&& visit) {
  return [&]<std::size_t... Index>(std::index_sequence<Index...>) __attribute__((always_inline)) {
    return (visit(std::get<Index>(kFieldsOf<T>)) || ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(T::fields())>>{});
}

}  // namespace beeline::record
