#include "feel/parse_error.h"

#include <algorithm>

#include "feel/utf8.h"

namespace beeline::feel {

namespace {

// Returns where the line around this offset begins and ends.
std::pair<std::size_t, std::size_t> line_around(std::string_view text, std::size_t offset) {
  const std::size_t before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return {begin, std::min(text.find('\n', offset), text.size())};
}

}  // namespace

ParseError located(ParseError error, std::string_view text) {
  error.offset = std::min(error.offset, text.size());
  const std::size_t begin = line_around(text, error.offset).first;
  error.line = 1 + static_cast<std::size_t>(std::count(
                       text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
  error.column = 1 + utf8::length(text.substr(begin, error.offset - begin));
  return error;
}

std::string ParseError::describe(std::string_view text) const {
  constexpr std::size_t kAround = 40;  // characters kept on either side of the place
  std::string out = message;
  out += " (line " + std::to_string(line) + ", column " + std::to_string(column) + ")";
  if (!utf8::is_valid(text)) return out;
  const auto [begin, end] = line_around(text, std::min(offset, text.size()));
  std::string shown = "\n  ";
  std::string below = "\n  ";
  std::size_t at = begin;
  for (std::size_t i = 1; at < end; ++i) {
    const std::size_t start = at;
    (void)utf8::next(text, at);
    if (i + kAround < column || i > column + kAround) continue;
    // A tab counts as one space here, so the caret is below its character.
    shown += text[start] == '\t' || text[start] == '\r' ? " " : text.substr(start, at - start);
    if (i < column) below.push_back(' ');
  }
  return out + shown + below + "^";
}

}  // namespace beeline::feel
