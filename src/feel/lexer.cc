#include "feel/lexer.h"

#include <array>

#include "feel/utf8.h"

namespace beeline::feel {

namespace {

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>, ParseError> run() {
    if (text_.size() > kTextMax) {
      return std::unexpected(ParseError{"The expression is longer than 65536 bytes", kTextMax});
    }
    if (!utf8::is_valid(text_))
      return std::unexpected(ParseError{"The text is not valid UTF-8", 0});
    std::vector<Token> tokens;
    constexpr std::size_t kBytesOfToken = 3;  // a guess that is seldom too small
    tokens.reserve(text_.size() / kBytesOfToken + 4);
    while (true) {
      if (!skip_blanks()) return std::unexpected(ParseError{"A comment is not closed", at_});
      if (tokens.size() >= kTokensMax) {
        return std::unexpected(ParseError{"The expression has more than 20000 parts", at_});
      }
      const std::size_t start = at_;
      if (at_ == text_.size()) {
        tokens.push_back({TokenKind::End, {}, at_});
        return tokens;
      }
      TokenKind kind = TokenKind::Symbol;
      if (!read_token(kind)) {
        return std::unexpected(ParseError{
            kind == TokenKind::Quoted ? "A back-tick is not closed" : "A string is not closed",
            start});
      }
      std::string_view text = text_.substr(start, at_ - start);
      if (kind == TokenKind::Quoted) text = text.substr(1, text.size() - 2);
      tokens.push_back({kind, text, start});
    }
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  // Returns false if a block comment is not closed.
  bool skip_blanks() {
    while (at_ < text_.size()) {
      if (peek() > ' ' && peek() != '/' && peek() < '\x7F') return true;
      if (peek() == '/' && peek(1) == '/') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
        continue;
      }
      if (peek() == '/' && peek(1) == '*') {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) return false;
        at_ = end + 2;
        continue;
      }
      std::size_t behind = at_;
      if (!utf8::is_space(utf8::next(text_, behind))) return true;
      at_ = behind;
    }
    return true;
  }

  // Returns false if a string or back-tick name is not closed.
  bool read_token(TokenKind& kind) {
    const char c = peek();
    if (utf8::is_digit(c) || (c == '.' && utf8::is_digit(peek(1)))) {
      kind = read_number() ? TokenKind::Number : TokenKind::Fragment;
      return true;
    }
    if (c == '"') {
      kind = TokenKind::String;
      return read_until('"', true);
    }
    if (c == '`') {
      kind = TokenKind::Quoted;
      return read_until('`', false);
    }
    std::size_t behind = at_;
    if (read_plain_symbol()) {
      kind = TokenKind::Symbol;
      return true;
    }
    if (utf8::is_name_start(utf8::next(text_, behind))) {
      kind = TokenKind::Word;
      read_name_parts();
      return true;
    }
    kind = read_symbol() ? TokenKind::Symbol : TokenKind::Fragment;
    if (kind == TokenKind::Fragment) at_ = behind;
    return true;
  }

  bool read_until(char quote, bool escapes) {
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == quote) {
        ++at_;
        return true;
      }
      if (escapes && text_[at_] == '\\') ++at_;
    }
    return false;
  }

  void read_name_parts() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || utf8::is_digit(c)) {
        ++at_;
        continue;
      }
      std::size_t behind = at_;
      if (!utf8::is_name_part(utf8::next(text_, behind))) return;
      at_ = behind;
    }
  }

  void read_digits() {
    while (utf8::is_digit(peek())) ++at_;
  }

  // Returns false if letters follow the digits directly: then it is part of a name or an error.
  bool read_number() {
    read_digits();
    if (peek() == '.' && utf8::is_digit(peek(1))) {
      ++at_;
      read_digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
      if (utf8::is_digit(peek(1 + sign))) {
        at_ += 1 + sign;
        read_digits();
      }
    }
    const std::size_t digits_end = at_;
    read_name_parts();
    return at_ == digits_end;
  }

  // Reads symbols that no longer symbol begins with, which are most.
  bool read_plain_symbol() {
    switch (peek()) {
      case '(':
      case ')':
      case '[':
      case ']':
      case '{':
      case '}':
      case ',':
      case ':':
      case '=':
      case '+':
        ++at_;
        return true;
      default:
        return false;
    }
  }

  bool read_symbol() {
    constexpr std::array<std::string_view, 6> kPairs = {"..", "**", "<=", ">=", "!=", "->"};
    for (const std::string_view pair : kPairs) {
      if (text_.substr(at_).starts_with(pair)) {
        at_ += 2;
        return true;
      }
    }
    constexpr std::string_view kSingles = "()[]{},:.?@+-*/=<>";
    if (kSingles.find(peek()) == std::string_view::npos) return false;
    ++at_;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Reads hexadecimal digits; returns false if there are fewer than `count`.
bool read_hex(std::string_view text, std::size_t at, std::size_t count, char32_t& out) {
  if (at + count > text.size()) return false;
  out = 0;
  for (const char c : text.substr(at, count)) {
    const int digit = utf8::is_digit(c)      ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return false;
    out = out << 4 | static_cast<char32_t>(digit);
  }
  return true;
}

// Reads the escape whose backslash is at `at` and moves after it.
void decode_escape(std::string_view text, std::size_t& at, std::string& out) {
  constexpr std::string_view kLetters = "\"\\'nrtbf";
  constexpr std::string_view kMeanings = "\"\\'\n\r\t\b\f";
  const char letter = text[at + 1];
  if (const std::size_t found = kLetters.find(letter); found != std::string_view::npos) {
    out.push_back(kMeanings[found]);
    at += 2;
    return;
  }
  char32_t code_point = 0;
  if (letter == 'U' && read_hex(text, at + 2, 6, code_point)) {
    utf8::append(out, code_point);
    at += 8;
    return;
  }
  if (letter == 'u' && read_hex(text, at + 2, 4, code_point)) {
    at += 6;
    char32_t low = 0;
    if (code_point >= 0xD800 && code_point < 0xDC00 && text.substr(at).starts_with("\\u") &&
        read_hex(text, at + 2, 4, low) && low >= 0xDC00 && low < 0xE000) {
      code_point = 0x10000 + ((code_point - 0xD800) << 10) + (low - 0xDC00);
      at += 6;
    }
    utf8::append(out, code_point);
    return;
  }
  // Authors write "\d+" without doubling the backslash; both characters stay.
  out.push_back('\\');
  ++at;
}

}  // namespace

Result<std::vector<Token>, ParseError> tokenize(std::string_view text) {
  return Lexer(text).run();
}

std::string decode_string(std::string_view quoted) {
  const std::string_view text = quoted.substr(1, quoted.size() - 2);
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\\' && at + 1 < text.size()) {
      decode_escape(text, at, out);
    } else {
      out.push_back(text[at++]);
    }
  }
  return out;
}

std::string spell_name(const Token* tokens, std::size_t count) {
  const auto is_wordy = [](const Token& token) {
    return token.kind == TokenKind::Word || token.kind == TokenKind::Number ||
           (token.kind == TokenKind::Fragment && utf8::is_digit(token.text.front()));
  };
  std::string name;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0 && is_wordy(tokens[i - 1]) && is_wordy(tokens[i])) name.push_back(' ');
    name += tokens[i].text;
  }
  return name;
}

}  // namespace beeline::feel
