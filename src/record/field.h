#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

namespace beeline::record {

// One field of a value: its number on the wire, never reused, and its name in JSON. A value names
// each of its fields once, in fields(); every codec, printer and schema walks that list.
template <typename Owner, typename Type>
struct Field {
  std::uint32_t number;
  std::string_view name;
  Type Owner::*member;
};

template <typename Owner, typename Type>
constexpr Field<Owner, Type> field(std::uint32_t number, std::string_view name,
                                   Type Owner::*member) {
  return {number, name, member};
}

// A type with a field list: a value, a nested part of one, or a row of a state table.
template <typename T>
concept HasFields = requires {
  T::fields();
};

// The list, made once by the compiler rather than at every visit.
template <HasFields T>
inline constexpr auto kFieldsOf = T::fields();

template <HasFields T, typename Visitor>
constexpr void for_each_field(Visitor&& visit) {
  std::apply([&](const auto&... each) { (visit(each), ...); }, kFieldsOf<T>);
}

}  // namespace beeline::record
