#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Text is UTF-8 throughout; positions that users see count code points.
namespace beeline::feel::utf8 {

// Returns the code point at `offset` and moves the offset after it. Broken bytes read as U+FFFD,
// one at a time.
[[nodiscard]] char32_t next(std::string_view text, std::size_t& offset);
void append(std::string& out, char32_t code_point);       // surrogates become U+FFFD
[[nodiscard]] std::size_t length(std::string_view text);  // in code points
// Returns the byte offset of the code point with this index; the size of the text if there is no
// such code point.
[[nodiscard]] std::size_t offset_of(std::string_view text, std::size_t index);
// True if the bytes are well-formed UTF-8.
[[nodiscard]] bool is_valid(std::string_view text);
[[nodiscard]] constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
// White space in FEEL.
[[nodiscard]] bool is_space(char32_t code_point);
// The characters that may begin a name, and those that may follow.
[[nodiscard]] bool is_name_start(char32_t code_point);
[[nodiscard]] bool is_name_part(char32_t code_point);

}  // namespace beeline::feel::utf8
