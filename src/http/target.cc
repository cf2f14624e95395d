#include "http/target.h"

#include <charconv>
#include <optional>

namespace beeline::http {
namespace {

std::optional<std::string> percent_decode(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    unsigned char byte = 0;
    const char* const begin = text.data() + i + 1;
    const auto [end, error] = std::from_chars(begin, begin + 2, byte, 16);
    if (error != std::errc{} || end != begin + 2) return std::nullopt;
    result += static_cast<char>(byte);
    i += 2;
  }
  return result;
}

}  // namespace

Result<Target, std::string> parse_target(std::string_view text) {
  if (!text.starts_with('/')) {
    return failure(std::string("Expected a path that begins with '/'."));
  }
  const std::size_t question_mark = text.find('?');
  auto path = percent_decode(text.substr(0, question_mark));
  if (!path) {
    return failure(std::string("Expected two hexadecimal digits behind every '%' in the path."));
  }
  Target result{.path = *std::move(path), .query = {}};
  if (question_mark != std::string_view::npos) result.query = text.substr(question_mark + 1);
  return result;
}

}  // namespace beeline::http
