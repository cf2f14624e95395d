#include "state/key_codec.h"

#include "state/store_error.h"

namespace beeline::state {
namespace {

constexpr char kEscaped = '\xFF';
constexpr char kEnd = '\x01';

}  // namespace

void encode_integer(std::uint64_t value, std::size_t bytes, std::string& out) {
  for (std::size_t i = bytes; i > 0; --i) out.push_back(static_cast<char>(value >> (8 * (i - 1))));
}

std::uint64_t decode_integer(std::size_t bytes, std::string_view& in) {
  if (in.size() < bytes) throw StoreError("a key ends within a number");
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value = value << 8 | static_cast<unsigned char>(in[i]);
  in.remove_prefix(bytes);
  return value;
}

void encode_text(std::string_view text, std::string& out) {
  for (const char byte : text) {
    out.push_back(byte);
    if (byte == '\0') out.push_back(kEscaped);
  }
  out.push_back('\0');
  out.push_back(kEnd);
}

std::string decode_text(std::string_view& in) {
  std::string text;
  while (true) {
    const std::size_t zero = in.find('\0');
    if (zero == std::string_view::npos || zero + 1 == in.size()) {
      throw StoreError("a key ends within a text");
    }
    const char mark = in[zero + 1];
    text.append(in.substr(0, zero));
    in.remove_prefix(zero + 2);
    if (mark == kEnd) return text;
    if (mark != kEscaped) throw StoreError("a key has a text that is not one");
    text.push_back('\0');
  }
}

}  // namespace beeline::state
