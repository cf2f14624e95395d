#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace beeline::record::wire {

// Reads protobuf's wire form, field by field. The bytes may be hostile: reading ends where they do
// not have the form, and malformed() is true then.
//
//     while (reader.next()) {
//       if (reader.field() == 3 && reader.is_number()) key = reader.number();
//     }
class Reader {
 public:
  explicit Reader(std::string_view bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  // Moves to the next field, also over a value that was not read. Returns false at the end.
  [[nodiscard]] bool next() {
    std::uint64_t head = 0;
    if (at_ == end_ || !take_varint(head)) return false;
    field_ = head >> 3U;
    if (field_ == 0) return fail();
    type_ = static_cast<Type>(head & 7U);
    switch (type_) {
      case Type::Number:
        return take_varint(number_);
      case Type::Bytes:
        return take_varint(number_) && take_bytes(number_);
      case Type::Eight:
        return take_bytes(8);
      case Type::Four:
        return take_bytes(4);
    }
    return fail();
  }
  // Reads the next number of a packed field; these numbers have no heads.
  [[nodiscard]] bool next_packed() { return at_ != end_ && take_varint(number_); }
  [[nodiscard]] bool malformed() const { return malformed_; }

  [[nodiscard]] std::uint64_t field() const { return field_; }
  [[nodiscard]] bool is_number() const { return type_ == Type::Number; }
  [[nodiscard]] bool is_bytes() const { return type_ == Type::Bytes; }
  [[nodiscard]] std::int64_t number() const { return static_cast<std::int64_t>(number_); }
  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  enum class Type : std::uint8_t { Number = 0, Eight = 1, Bytes = 2, Four = 5 };

  bool fail() {
    malformed_ = true;
    at_ = end_;
    return false;
  }
  [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

  [[gnu::always_inline]] bool take_varint(std::uint64_t& value) {
    if (at_ != end_ && static_cast<unsigned char>(*at_) < 0x80) {
      value = static_cast<unsigned char>(*at_++);
      return true;
    }
    return take_long_varint(value);
  }
  bool take_long_varint(std::uint64_t& value) {
    if (left() < sizeof value) return take_any_varint(value);
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t groups = 0;
    std::memcpy(&groups, at_, sizeof groups);
    const std::uint64_t ends = ~groups & 0x8080808080808080U;
    if (ends == 0) return take_any_varint(value);
    at_ += (std::countr_zero(ends) + 1) / 8;
    // Moves the groups of seven bits up to the last one together.
    groups &= (ends ^ (ends - 1)) & 0x7f7f7f7f7f7f7f7fU;
    groups = (groups & 0x007f007f007f007fU) | ((groups & 0x7f007f007f007f00U) >> 1U);
    groups = (groups & 0x00003fff00003fffU) | ((groups & 0x3fff00003fff0000U) >> 2U);
    value = (groups & 0x000000000fffffffU) | ((groups & 0x0fffffff00000000U) >> 4U);
    return true;
  }
  // For a number near the end of the bytes, or longer than eight bytes.
  [[gnu::noinline]] bool take_any_varint(std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 70 && at_ != end_; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at_++);
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if (byte < 0x80) return true;
    }
    return fail();
  }
  bool take_bytes(std::uint64_t size) {
    if (size > left()) return fail();
    bytes_ = {at_, static_cast<std::size_t>(size)};
    at_ += size;
    return true;
  }

  const char* at_;
  const char* end_;
  std::uint64_t field_ = 0;
  std::uint64_t number_ = 0;
  std::string_view bytes_;
  Type type_ = Type::Number;
  bool malformed_ = false;
};

}  // namespace beeline::record::wire
