#include "base/toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <system_error>
#include <utility>

namespace beeline::toml {
namespace {

constexpr std::string_view kBlank = " \t";

bool is_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

bool is_number(std::string_view text, Kind& kind) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  std::int64_t integer = 0;
  if (const auto [stop, error] = std::from_chars(text.data(), end, integer);
      error == std::errc{} && stop == end) {
    kind = Kind::Integer;
    return true;
  }
  double number = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  kind = Kind::Float;
  return error == std::errc{} && stop == end;
}

void append_utf8(std::uint32_t c, std::string& out) {
  const auto byte = [&](std::uint32_t value) { out += static_cast<char>(value); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0 | (c >> 6));
    byte(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    byte(0xE0 | (c >> 12));
    byte(0x80 | ((c >> 6) & 0x3F));
    byte(0x80 | (c & 0x3F));
  } else {
    byte(0xF0 | (c >> 18));
    byte(0x80 | ((c >> 12) & 0x3F));
    byte(0x80 | ((c >> 6) & 0x3F));
    byte(0x80 | (c & 0x3F));
  }
}

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  Result<std::vector<Entry>, Error> parse() {
    while (!rest_.empty() && !failed_) parse_line();
    if (failed_) return failure(Error{line_, message_});
    return std::move(entries_);
  }

 private:
  void parse_line() {
    skip_blank();
    if (rest_.starts_with('[')) {
      parse_table();
    } else if (!rest_.empty() && is_key_character(rest_[0])) {
      parse_entry();
    }
    if (!failed_) end_line();
  }

  void parse_table() {
    rest_.remove_prefix(1);
    if (rest_.starts_with('[')) return fail("Arrays of tables are not understood here.");
    skip_blank();
    table_ = take_key();
    skip_blank();
    if (table_.empty() || !rest_.starts_with(']')) {
      return fail("Expected the name of a table between '[' and ']'.");
    }
    rest_.remove_prefix(1);
    table_ += '.';
  }

  void parse_entry() {
    Entry entry{.key = table_ + take_key(), .text = {}, .line = line_};
    skip_blank();
    if (!rest_.starts_with('=')) {
      return fail(fmt::format("Expected '=' behind '{}'.", entry.key));
    }
    rest_.remove_prefix(1);
    skip_blank();
    if (!parse_value(entry)) return;
    if (std::ranges::find(entries_, entry.key, &Entry::key) != entries_.end()) {
      return fail(fmt::format("'{}' is there twice.", entry.key));
    }
    entries_.push_back(std::move(entry));
  }

  bool parse_value(Entry& entry) {
    if (rest_.starts_with("'''") || rest_.starts_with("\"\"\"")) return parse_multi_line(entry);
    if (rest_.starts_with('\'') || rest_.starts_with('"')) return parse_single_line(entry);
    entry.text = rest_.substr(0, std::min(rest_.size(), rest_.find_first_of(" \t\r\n#")));
    rest_.remove_prefix(entry.text.size());
    if (entry.text == "true" || entry.text == "false") {
      entry.kind = Kind::Boolean;
      return true;
    }
    if (is_number(entry.text, entry.kind)) return true;
    fail(fmt::format(
        "Expected a string in quotes, a number, true or false for '{}', but found '{}'.", entry.key,
        entry.text));
    return false;
  }

  bool parse_single_line(Entry& entry) {
    const char quote = rest_[0];
    rest_.remove_prefix(1);
    while (!rest_.empty() && rest_[0] != '\n') {
      if (rest_[0] == quote) {
        rest_.remove_prefix(1);
        return true;
      }
      if (!take_character(quote == '"', entry.text)) return false;
    }
    fail(fmt::format("The string of '{}' has no end.", entry.key));
    return false;
  }

  bool parse_multi_line(Entry& entry) {
    const std::string_view quotes = rest_.substr(0, 3);
    rest_.remove_prefix(3);
    if (rest_.starts_with("\r\n")) rest_.remove_prefix(1);
    if (rest_.starts_with('\n')) {  // a line break right behind the quotes does not count
      rest_.remove_prefix(1);
      ++line_;
    }
    while (!rest_.empty()) {
      if (rest_.starts_with(quotes)) {
        rest_.remove_prefix(3);
        return true;
      }
      if (rest_[0] == '\n') ++line_;
      if (!take_character(quotes[0] == '"', entry.text)) return false;
    }
    fail(fmt::format("The string of '{}' has no end.", entry.key));
    return false;
  }

  bool take_character(bool with_escapes, std::string& out) {
    const char c = rest_[0];
    rest_.remove_prefix(1);
    if (c != '\\' || !with_escapes) {
      out += c;
      return true;
    }
    const char escaped = rest_.empty() ? '\0' : rest_[0];
    static constexpr std::string_view kFrom = "\"\\bfnrt";
    static constexpr std::string_view kTo = "\"\\\b\f\n\r\t";
    if (const auto at = kFrom.find(escaped); at != std::string_view::npos && !rest_.empty()) {
      rest_.remove_prefix(1);
      out += kTo[at];
      return true;
    }
    if (escaped == 'u' || escaped == 'U') return take_code_point(escaped == 'u' ? 4 : 8, out);
    fail("Expected one of b, f, n, r, t, u, U, \" and \\ behind a backslash.");
    return false;
  }

  bool take_code_point(std::size_t digits, std::string& out) {
    const std::string_view text = rest_.substr(1, digits);
    std::uint32_t code_point = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), code_point, 16);
    const bool is_whole = error == std::errc{} && end == text.data() + digits;
    const bool is_surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
    if (!is_whole || code_point > 0x10FFFF || is_surrogate) {
      fail(fmt::format("Expected {} hexadecimal digits of a character.", digits));
      return false;
    }
    rest_.remove_prefix(1 + digits);
    append_utf8(code_point, out);
    return true;
  }

  std::string take_key() {
    std::size_t size = 0;
    while (size < rest_.size() && is_key_character(rest_[size])) ++size;
    std::string key(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return key;
  }

  void skip_blank() {
    rest_.remove_prefix(std::min(rest_.size(), rest_.find_first_not_of(kBlank)));
  }

  void end_line() {
    skip_blank();
    if (rest_.starts_with('#')) rest_.remove_prefix(std::min(rest_.size(), rest_.find('\n')));
    if (rest_.starts_with("\r\n")) rest_.remove_prefix(1);
    if (rest_.empty()) return;
    if (rest_[0] != '\n') return fail(fmt::format("Did not expect '{}' here.", rest_[0]));
    rest_.remove_prefix(1);
    ++line_;
  }

  void fail(std::string message) {
    failed_ = true;
    message_ = std::move(message);
  }

  std::string_view rest_;
  int line_ = 1;
  std::string table_;
  std::vector<Entry> entries_;
  bool failed_ = false;
  std::string message_;
};

}  // namespace

Result<std::vector<Entry>, Error> parse(std::string_view text) {
  return Parser(text).parse();
}

}  // namespace beeline::toml
