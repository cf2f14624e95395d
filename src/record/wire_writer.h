#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/check.h"

// Writes protobuf's wire form through a pointer; docs/adr/0007 and 0008 explain why it is ours.
//
// The caller first reserves room for the largest possible result (append_at_most), then passes the
// write position from function to function. Nothing is checked on the way, and the compiler keeps
// the position in a register. It could not do so with a member, because writing bytes through it
// might change the member.
namespace beeline::record::wire {

inline constexpr std::size_t kVarintMax = 10;
// The most bytes of a tag together with a length or a number.
inline constexpr std::size_t kHeadMax = 2 * kVarintMax;

// Appends to `out` the bytes that `write(char*)` writes, at most `bytes_max`; `write` returns its
// end.
template <typename Write>
[[gnu::always_inline]] inline void append_at_most(std::string& out, std::size_t bytes_max,
                                                  Write&& write) {
  const std::size_t used = out.size();
  out.resize_and_overwrite(used + bytes_max, [&](char* data, std::size_t) {
    const std::size_t size = static_cast<std::size_t>(write(data + used) - data);
    BEELINE_CHECK(size <= used + bytes_max, "{} bytes were written into room for {}", size - used,
                  bytes_max);
    return size;
  });
}

constexpr std::size_t varint_size(std::uint64_t value) {
  return (static_cast<std::size_t>(std::bit_width(value | 1)) + 6) / 7;
}

[[gnu::noinline]] inline char* put_long_varint(char* at, std::uint64_t value) {
  while (value >= 0x80) {
    *at++ = static_cast<char>(value | 0x80);
    value >>= 7U;
  }
  *at++ = static_cast<char>(value);
  return at;
}

// Moves up to eight groups of seven bits apart, into a byte each: first the upper half, then the
// upper halves of the halves, and so on. A part that moves left by n bits is added 2^n - 1 times.
[[gnu::always_inline]] inline std::uint64_t spread_groups(std::uint64_t value) {
  value += (value & 0x00fffffff0000000U) * 15;
  value += (value & 0x0fffc0000fffc000U) * 3;
  value += value & 0x3f803f803f803f80U;
  return value;
}

// There must be room for ten bytes, whatever the value is.
[[gnu::always_inline]] inline char* put_varint(char* at, std::uint64_t value) {
  if (value < 0x80) {
    *at = static_cast<char>(value);
    return at + 1;
  }
  if (value >> 56U != 0) return put_long_varint(at, value);
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t groups = spread_groups(value);
  // Keys, which most long numbers are, take all eight bytes.
  if (value >> 49U != 0) {
    groups |= 0x0080808080808080U;
    std::memcpy(at, &groups, sizeof groups);
    return at + 8;
  }
  const std::size_t size = varint_size(value);
  groups |= 0x8080808080808080U & ((std::uint64_t{1} << (8 * (size - 1))) - 1);
  std::memcpy(at, &groups, sizeof groups);
  return at + size;
}

// Writes a number that nearly always takes one or two bytes: a tag or a length.
[[gnu::always_inline]] inline char* put_short(char* at, std::uint64_t value) {
  if (value >= 0x80) return put_long_varint(at, value);
  *at = static_cast<char>(value);
  return at + 1;
}

// Numbers are written as int64: a negative one takes ten bytes.
[[gnu::always_inline]] inline char* put_number(char* at, std::uint32_t tag, std::int64_t value) {
  return put_varint(put_short(at, tag << 3U), static_cast<std::uint64_t>(value));
}

inline constexpr std::uint32_t kLengthDelimited = 2;

[[gnu::always_inline]] inline char* put_bytes(char* at, std::uint32_t tag, std::string_view value) {
  at = put_short(put_short(at, (tag << 3U) | kLengthDelimited), value.size());
  if (!value.empty()) std::memcpy(at, value.data(), value.size());
  return at + value.size();
}

// Writes a field that contains the bytes of `body(char*)`. Its length is known only afterwards:
// most are shorter than 128 bytes and need one byte for the length; longer ones are moved.
template <typename Body>
[[gnu::always_inline]] inline char* put_nested(char* at, std::uint32_t tag, Body&& body) {
  char* const length_at = put_short(at, (tag << 3U) | kLengthDelimited);
  char* const content = length_at + 1;
  char* const end = body(content);
  const auto length = static_cast<std::size_t>(end - content);
  if (length < 0x80) {
    *length_at = static_cast<char>(length);
    return end;
  }
  const std::size_t further = varint_size(length) - 1;
  std::memmove(content + further, content, length);
  put_long_varint(length_at, length);
  return end + further;
}

}  // namespace beeline::record::wire
