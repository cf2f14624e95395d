#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "base/strong_id.h"

namespace beeline::state {

// How a key is written in a checkpoint. The bytes sort like the keys, and no encoding is a prefix
// of another. Other kinds of keys specialise KeyCodec with
//
//     static void encode(const K& key, std::string& out);   // appends
//     static K decode(std::string_view& in);                // takes its bytes off the front
//
// decode throws StoreError if the bytes are not such a key.
template <typename K>
struct KeyCodec;

// Big-endian with the sign flipped, for every integer type.
void encode_integer(std::uint64_t value, std::size_t bytes, std::string& out);
[[nodiscard]] std::uint64_t decode_integer(std::size_t bytes, std::string_view& in);
// 00 becomes 00 FF, and 00 01 ends the string, so "a" sorts before "a\0" and "ab".
void encode_text(std::string_view text, std::string& out);
[[nodiscard]] std::string decode_text(std::string_view& in);

template <typename Integer>
requires(std::is_integral_v<Integer> || std::is_enum_v<Integer>) struct KeyCodec<Integer> {
  // The sign bit is flipped, so negative numbers sort first.
  static constexpr std::uint64_t kSign = [] {
    if constexpr (std::is_enum_v<Integer>) {
      return std::is_signed_v<std::underlying_type_t<Integer>> ? 1ull << (8 * sizeof(Integer) - 1)
                                                               : 0ull;
    } else {
      return std::is_signed_v<Integer> ? 1ull << (8 * sizeof(Integer) - 1) : 0ull;
    }
  }();

  static void encode(Integer key, std::string& out) {
    encode_integer(static_cast<std::uint64_t>(key) ^ kSign, sizeof(Integer), out);
  }
  static Integer decode(std::string_view& in) {
    return static_cast<Integer>(decode_integer(sizeof(Integer), in) ^ kSign);
  }
};

template <typename Tag, typename Rep>
struct KeyCodec<StrongId<Tag, Rep>> {
  static void encode(StrongId<Tag, Rep> key, std::string& out) {
    KeyCodec<Rep>::encode(key.value(), out);
  }
  static StrongId<Tag, Rep> decode(std::string_view& in) {
    return StrongId<Tag, Rep>{KeyCodec<Rep>::decode(in)};
  }
};

template <>
struct KeyCodec<std::string> {
  static void encode(const std::string& key, std::string& out) { encode_text(key, out); }
  static std::string decode(std::string_view& in) { return decode_text(in); }
};

template <typename... Parts>
struct KeyCodec<std::tuple<Parts...>> {
  static void encode(const std::tuple<Parts...>& key, std::string& out) {
    std::apply([&](const Parts&... parts) { (KeyCodec<Parts>::encode(parts, out), ...); }, key);
  }
  static std::tuple<Parts...> decode(std::string_view& in) {
    // Braces are used, since only they fix the order of evaluation.
    return std::tuple<Parts...>{KeyCodec<Parts>::decode(in)...};
  }
};

template <typename First, typename Second>
struct KeyCodec<std::pair<First, Second>> {
  static void encode(const std::pair<First, Second>& key, std::string& out) {
    KeyCodec<First>::encode(key.first, out);
    KeyCodec<Second>::encode(key.second, out);
  }
  static std::pair<First, Second> decode(std::string_view& in) {
    return std::pair<First, Second>{KeyCodec<First>::decode(in), KeyCodec<Second>::decode(in)};
  }
};

}  // namespace beeline::state
