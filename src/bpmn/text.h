#pragma once

#include <string_view>

namespace beeline::bpmn {

// Returns the text without blanks (space, tab, line ends) at its ends.
[[nodiscard]] inline std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// Returns the beginning of a text, short enough for a message and not ending inside a UTF-8
// character.
[[nodiscard]] inline std::string_view cut(std::string_view text, std::size_t bytes_max = 200) {
  if (text.size() <= bytes_max) return text;
  while (bytes_max > 0 && (static_cast<unsigned char>(text[bytes_max]) & 0xC0u) == 0x80u) {
    --bytes_max;
  }
  return text.substr(0, bytes_max);
}

}  // namespace beeline::bpmn
