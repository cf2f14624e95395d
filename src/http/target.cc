#include "http/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

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
    return failure(std::string("Expected two hexadecimal digits after every '%' in the path."));
  }
  Target result{.path = *std::move(path), .query = {}};
  if (question_mark != std::string_view::npos) result.query = text.substr(question_mark + 1);
  return result;
}

Result<std::vector<NameValue>, std::string> parse_query(std::string_view query) {
  std::vector<NameValue> parameters;
  while (!query.empty()) {
    const std::size_t ampersand = query.find('&');
    std::string pair(query.substr(0, ampersand));
    query.remove_prefix(ampersand == std::string_view::npos ? query.size() : ampersand + 1);
    if (pair.empty()) continue;
    std::ranges::replace(pair, '+', ' ');
    const std::size_t equals = pair.find('=');
    auto name = percent_decode(std::string_view(pair).substr(0, equals));
    auto value =
        percent_decode(equals == std::string::npos ? std::string_view{}
                                                   : std::string_view(pair).substr(equals + 1));
    if (!name || !value) {
      return failure(std::string("Expected two hexadecimal digits after every '%' in the query."));
    }
    parameters.emplace_back(*std::move(name), *std::move(value));
  }
  return parameters;
}

std::string percent_encode(std::string_view text) {
  constexpr std::string_view kPlain = "-._~";
  std::string result;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || kPlain.find(c) != std::string_view::npos;
    if (is_plain) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return result;
}

}  // namespace beeline::http
