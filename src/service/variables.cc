#include "service/variables.h"

#include <fmt/format.h>

#include <utility>

#include "record/json.h"
#include "service/text.h"

namespace beeline::service {
namespace {

// The error of a text that is not JSON quotes at most this many bytes of it.
constexpr std::size_t kEchoBytesMax = 512;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view kind_of(std::string_view value) {
  switch (value.front()) {
    case '[':
      return "ARRAY";
    case '"':
      return "STRING";
    case 't':
    case 'f':
      return "BOOLEAN";
    default:
      return value.find_first_of(".eE") == std::string_view::npos ? "INTEGER" : "FLOAT";
  }
}

Error not_json(std::string_view text, std::string_view problem) {
  return invalid(
      fmt::format("Invalid JSON value: {} ({})", first_bytes(text, kEchoBytesMax), problem));
}

// `text` is not an object. Decides whether it is JSON of another kind or not JSON at all.
Error not_an_object(std::string_view text) {
  const Result<record::Document, std::string> wrapped =
      record::parse_document(fmt::format(R"({{"value":{}}})", text));
  // A text such as `1,"value":2` is valid only within the braces; then the value is not the text.
  if (wrapped && wrapped->entries.size() == 1 && wrapped->entries.front().value == text) {
    return invalid(
        fmt::format("Property 'variables' is invalid: Expected document to be a root level object, "
                    "but was '{}'",
                    kind_of(text)));
  }
  return not_json(text, wrapped ? "it is more than one value" : "it is not valid JSON");
}

// True if a whole number in decimal digits is outside -2^63 .. 2^64-1.
bool is_too_large(std::string_view digits, bool negative) {
  const std::string_view limit = negative ? "9223372036854775808" : "18446744073709551615";
  return digits.size() > limit.size() || (digits.size() == limit.size() && digits > limit);
}

// Looks for a whole number that clients could not read back exactly. `json` is valid.
bool has_too_large_integer(std::string_view json) {
  std::size_t at = 0;
  while (at < json.size()) {
    const char c = json[at];
    if (c == '"') {
      for (++at; json[at] != '"'; ++at) {
        if (json[at] == '\\') ++at;
      }
      ++at;
    } else if (is_digit(c)) {
      const std::size_t begin = at;
      while (at < json.size() && is_digit(json[at])) ++at;
      const bool negative = begin > 0 && json[begin - 1] == '-';
      const bool whole =
          at == json.size() || (json[at] != '.' && json[at] != 'e' && json[at] != 'E');
      if (whole && is_too_large(json.substr(begin, at - begin), negative)) return true;
      // Digits after a point or an exponent are part of the same number, which is not whole.
      while (at < json.size() && (is_digit(json[at]) || std::string_view("+-.eE").find(json[at]) !=
                                                            std::string_view::npos)) {
        ++at;
      }
    } else {
      ++at;
    }
  }
  return false;
}

}  // namespace

Outcome<record::Document> read_variables(std::string_view json) {
  const std::string_view text = trimmed(json);
  if (text.empty() || text == "null") return record::Document{};
  if (text.front() != '{') return failure(not_an_object(text));
  Result<record::Document, std::string> document = record::parse_document(text);
  if (!document) return failure(not_json(text, document.error()));
  if (document->entries.size() > kVariablesMax) {
    return failure(invalid(fmt::format(
        "Expected at most {} variables in one request, but found {}. Send them in several "
        "requests, or as members of one variable.",
        kVariablesMax, document->entries.size())));
  }
  for (const record::DocumentEntry& entry : document->entries) {
    if (entry.name.size() > kVariableNameLengthMax &&
        characters_in(entry.name) > kVariableNameLengthMax) {
      return failure(invalid(fmt::format(
          "Expected variable names to be no longer than {} characters, but found one with length "
          "{}.",
          kVariableNameLengthMax, characters_in(entry.name))));
    }
    if (has_too_large_integer(entry.value)) {
      return failure(invalid("MessagePack cannot serialize BigInteger larger than 2^64-1"));
    }
  }
  return std::move(*document);
}

std::string write_variables(const record::Document& document) {
  std::string text;
  record::append_document(document, text);
  return text;
}

}  // namespace beeline::service
