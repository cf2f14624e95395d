#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace beeline::record {

// Appends protobuf's wire form to a string. protozero reads it; it does not write it here, since
// it appends byte by byte and that took half of the time of processing a command (docs/adr/0007).
// This writes varints at once into room made beforehand.
//
// The string has the right size again when the writer is gone, and must not be touched before.
class WireWriter {
 public:
  explicit WireWriter(std::string& out) : out_(out) { take(out.size(), out.capacity()); }
  ~WireWriter() { out_.resize(size()); }
  WireWriter(const WireWriter&) = delete;
  WireWriter& operator=(const WireWriter&) = delete;

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(cursor_ - out_.data()); }

  // Numbers travel as int64: what is negative takes ten bytes.
  [[gnu::always_inline]] void number(std::uint32_t tag, std::int64_t value) {
    make_room(2 * kVarintMax);
    head(tag << 3U);
    varint(static_cast<std::uint64_t>(value));
  }
  void bytes(std::uint32_t tag, std::string_view value) {
    make_room(2 * kVarintMax + value.size());
    head((tag << 3U) | kLengthDelimited);
    head(value.size());
    cursor_ += value.copy(cursor_, value.size());
  }

  // A field that holds others. What it is given to write is measured afterwards.
  template <typename Body>
  void nested(std::uint32_t tag, Body&& body) {
    make_room(2 * kVarintMax);
    head((tag << 3U) | kLengthDelimited);
    const std::size_t begin = size();
    // Most are shorter than 128 bytes and need one byte for their length; else they move.
    ++cursor_;
    body();
    const std::size_t length = size() - begin - 1;
    const std::size_t length_bytes = varint_size(length);
    if (length_bytes > 1) {
      make_room(length_bytes);
      char* const content = out_.data() + begin + 1;
      std::memmove(content + length_bytes - 1, content, length);
      cursor_ += length_bytes - 1;
    }
    char* const end = cursor_;
    cursor_ = out_.data() + begin;
    varint_exact(length);
    cursor_ = end;
  }
  // An item of a packed field: a number without a tag.
  void item(std::int64_t value) {
    make_room(kVarintMax);
    varint(static_cast<std::uint64_t>(value));
  }
  // Plain bytes, for what is not protobuf.
  void raw(std::string_view value) {
    make_room(value.size());
    cursor_ += value.copy(cursor_, value.size());
  }

 private:
  static constexpr std::size_t kVarintMax = 10;
  static constexpr std::uint32_t kLengthDelimited = 2;

  void take(std::size_t used, std::size_t capacity) {
    out_.resize_and_overwrite(capacity, [](char*, std::size_t n) { return n; });
    cursor_ = out_.data() + used;
    end_ = out_.data() + capacity;
  }
  [[gnu::always_inline]] void make_room(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - cursor_) < bytes) [[unlikely]]
      grow(bytes);
  }
  [[gnu::noinline]] void grow(std::size_t bytes) {
    const std::size_t used = size();
    take(used, std::max(used + bytes, 2 * out_.size()));
  }

  static std::size_t varint_size(std::uint64_t value) {
    return (static_cast<std::size_t>(std::bit_width(value | 1)) + 6) / 7;
  }
  [[gnu::noinline]] void varint_exact(std::uint64_t value) {
    while (value >= 0x80) {
      *cursor_++ = static_cast<char>(value | 0x80);
      value >>= 7U;
    }
    *cursor_++ = static_cast<char>(value);
  }
  // What is nearly always one byte, or two: a tag or a length.
  [[gnu::always_inline]] void head(std::uint64_t value) {
    if (value < 0x80) {
      *cursor_++ = static_cast<char>(value);
    } else {
      varint_exact(value);
    }
  }
  // There must be room for ten bytes, whatever the value.
  [[gnu::always_inline]] void varint(std::uint64_t value) {
    if (value < 0x80) {
      *cursor_++ = static_cast<char>(value);
      return;
    }
    if (value >> 56U != 0) return varint_exact(value);
    // Up to eight groups of seven bits move apart, into a byte each, and go out in one store.
    const std::size_t size = varint_size(value);
    value = (value & 0x000000000fffffffU) | ((value & 0x00fffffff0000000U) << 4U);
    value = (value & 0x00003fff00003fffU) | ((value & 0x0fffc0000fffc000U) << 2U);
    value = (value & 0x007f007f007f007fU) | ((value & 0x3f803f803f803f80U) << 1U);
    value |= 0x8080808080808080U & ((std::uint64_t{1} << (8 * (size - 1))) - 1);
    std::memcpy(cursor_, &value, sizeof value);
    cursor_ += size;
  }
  static_assert(std::endian::native == std::endian::little);

  std::string& out_;
  char* cursor_ = nullptr;
  char* end_ = nullptr;
};

}  // namespace beeline::record
