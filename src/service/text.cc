#include "service/text.h"

#include <algorithm>

namespace beeline::service {
namespace {

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

}  // namespace

std::size_t characters_in(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return !continues_character(c); }));
}

std::string_view first_characters(std::string_view utf8, std::size_t count) {
  if (utf8.size() <= count) return utf8;
  std::size_t characters = 0;
  for (std::size_t at = 0; at < utf8.size(); ++at) {
    if (continues_character(utf8[at])) continue;
    if (characters == count) return utf8.substr(0, at);
    ++characters;
  }
  return utf8;
}

std::string_view first_bytes(std::string_view utf8, std::size_t bytes_max) {
  if (utf8.size() <= bytes_max) return utf8;
  std::size_t end = bytes_max;
  while (end > 0 && continues_character(utf8[end])) --end;
  return utf8.substr(0, end);
}

std::string_view first_encoded_bytes(std::string_view utf8, std::size_t bytes_max) {
  std::size_t encoded = 0;
  for (std::size_t at = 0; at < utf8.size(); ++at) {
    const char c = utf8[at];
    encoded += c >= ' ' && c <= '~' && c != '%' ? 1 : 3;
    if (encoded > bytes_max) return first_bytes(utf8, at);
  }
  return utf8;
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\n\r\f\v") == std::string_view::npos;
}

}  // namespace beeline::service
