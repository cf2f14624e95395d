#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Text is UTF-8 throughout; positions that users see count code points.
namespace beeline::feel::utf8 {

// The code point at `offset`, which moves behind it. Broken bytes read as U+FFFD, one at a time.
[[nodiscard]] char32_t next(std::string_view text, std::size_t& offset);
void append(std::string& out, char32_t code_point);       // surrogates become U+FFFD
[[nodiscard]] std::size_t length(std::string_view text);  // in code points
// The byte offset of the code point with this index; the size of the text when there is none.
[[nodiscard]] std::size_t offset_of(std::string_view text, std::size_t index);
// Whether the bytes are well-formed UTF-8.
[[nodiscard]] bool is_valid(std::string_view text);
[[nodiscard]] constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
// White space as FEEL sees it.
[[nodiscard]] bool is_space(char32_t code_point);
// The characters a name may start with and go on with.
[[nodiscard]] bool is_name_start(char32_t code_point);
[[nodiscard]] bool is_name_part(char32_t code_point);

}  // namespace beeline::feel::utf8
