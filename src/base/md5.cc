#include "base/md5.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace beeline {
namespace {

using Words = std::array<std::uint32_t, 4>;

constexpr std::array<int, 16> kShifts = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

// The constants are defined as the integer part of 2^32 times the sine of their number.
const std::array<std::uint32_t, 64>& sines() {
  static const auto table = [] {
    std::array<std::uint32_t, 64> made{};
    for (std::size_t i = 0; i < made.size(); ++i) {
      made[i] = static_cast<std::uint32_t>(
          std::floor(std::abs(std::sin(static_cast<double>(i + 1))) * 4294967296.0));
    }
    return made;
  }();
  return table;
}

void add_block(const char* block, Words& state) {
  std::array<std::uint32_t, 16> words{};
  for (std::size_t i = 0; i < 64; ++i) {
    words[i / 4] |= static_cast<std::uint32_t>(static_cast<unsigned char>(block[i]))
                    << (8 * (i % 4));
  }
  auto [a, b, c, d] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    std::uint32_t mixed = 0;
    std::size_t word = 0;
    switch (i / 16) {
      case 0:
        mixed = (b & c) | (~b & d);
        word = i;
        break;
      case 1:
        mixed = (d & b) | (~d & c);
        word = (5 * i + 1) % 16;
        break;
      case 2:
        mixed = b ^ c ^ d;
        word = (3 * i + 5) % 16;
        break;
      default:
        mixed = c ^ (b | ~d);
        word = (7 * i) % 16;
        break;
    }
    const std::uint32_t sum = a + mixed + sines()[i] + words[word];
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, kShifts[(i / 16) * 4 + i % 4]);
  }
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d};
}

}  // namespace

std::string md5_hex(std::string_view bytes) {
  Words state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  std::size_t at = 0;
  for (; at + 64 <= bytes.size(); at += 64) add_block(bytes.data() + at, state);
  std::string tail{bytes.substr(at)};
  tail += static_cast<char>(0x80);
  while (tail.size() % 64 != 56) tail += '\0';
  const std::uint64_t bits = static_cast<std::uint64_t>(bytes.size()) * 8;
  for (int i = 0; i < 8; ++i) tail += static_cast<char>((bits >> (8 * i)) & 0xff);
  for (std::size_t i = 0; i < tail.size(); i += 64) add_block(tail.data() + i, state);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const std::uint32_t word : state) {
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t byte = (word >> (8 * i)) & 0xff;
      hex += kDigits[byte >> 4];
      hex += kDigits[byte & 0xf];
    }
  }
  return hex;
}

}  // namespace beeline
