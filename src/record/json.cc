#include "record/json.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <vector>

namespace beeline::record {
namespace {

// Returns the length of the UTF-8 sequence at `text[at]`, or 0 if it is invalid.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 && first <= 0xf4   ? 4
                             : first >= 0xe0                  ? 3
                             : first >= 0xc2 && first <= 0xdf ? 2
                                                              : 0;
  if (length == 0 || first > 0xf4 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // These are overlong forms, surrogates and numbers beyond the last code point.
  if (first == 0xe0 && byte(1) < 0xa0) return 0;
  if (first == 0xed && byte(1) > 0x9f) return 0;
  if (first == 0xf0 && byte(1) < 0x90) return 0;
  if (first == 0xf4 && byte(1) > 0x8f) return 0;
  return length;
}

void append_utf8(std::uint32_t code, std::string& out) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Scans JSON once, checking every byte, without recursion: the text comes from a client and may be
// nested as deeply as a message is long.
class Scanner {
 public:
  explicit Scanner(std::string_view text, DuplicateNames duplicates = DuplicateNames::LastWins)
      : text_(text), duplicates_(duplicates) {}

  Result<Document, std::string> document() {
    Document result;
    skip_space();
    if (at_end()) return result;
    if (peek() != '{') return failure(std::string("expected a JSON object"));
    ++at_;
    skip_space();
    if (!at_end() && peek() == '}') {
      ++at_;
    } else {
      while (true) {
        skip_space();
        DocumentEntry entry;
        if (!string(&entry.name)) return failed();
        skip_space();
        if (!expect(':')) return failed();
        skip_space();
        const std::size_t begin = at_;
        if (!value()) return failed();
        entry.value.assign(text_.substr(begin, at_ - begin));
        if (!put(result, std::move(entry))) return failed();
        skip_space();
        if (at_end()) return failed();
        if (peek() == ',') {
          ++at_;
          continue;
        }
        if (!expect('}')) return failed();
        break;
      }
    }
    skip_space();
    if (!at_end()) return failed();
    return result;
  }

  std::optional<std::string> only_string() {
    std::string text;
    if (!string(&text) || !at_end()) return std::nullopt;
    return text;
  }

 private:
  // The last of two equal names wins, in the place of the first, unless they are refused.
  bool put(Document& document, DocumentEntry entry) {
    if (DocumentEntry* known = find(document, entry.name)) {
      if (duplicates_ == DuplicateNames::Refused) {
        problem_ = fmt::format("it has the member '{}' more than once", known->name.substr(0, 100));
        return false;
      }
      known->value = std::move(entry.value);
      return true;
    }
    if (!places_.empty()) places_.emplace(entry.name, document.entries.size());
    document.entries.push_back(std::move(entry));
    return true;
  }

  // There are usually few variables, which are searched one by one; but a message may have hundreds
  // of thousands of names, and a linear search for each would take minutes.
  DocumentEntry* find(Document& document, const std::string& name) {
    std::vector<DocumentEntry>& entries = document.entries;
    if (entries.size() < kSearchedOneByOneMax) {
      for (DocumentEntry& known : entries) {
        if (known.name == name) return &known;
      }
      return nullptr;
    }
    if (places_.empty()) {
      for (std::size_t i = 0; i < entries.size(); ++i) places_.emplace(entries[i].name, i);
    }
    const auto found = places_.find(name);
    return found == places_.end() ? nullptr : &entries[found->second];
  }

  std::unexpected<std::string> failed() {
    return failure(problem_.empty() ? fmt::format("it is not valid JSON at byte {}", at_)
                                    : problem_);
  }
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] char peek() const { return text_[at_]; }
  void skip_space() {
    while (!at_end() && is_space(peek())) ++at_;
  }
  bool expect(char c) {
    if (at_end() || peek() != c) return false;
    ++at_;
    return true;
  }

  // Reads one value of any kind. `open_` contains the open brackets within it.
  bool value() {
    open_.clear();
    while (true) {
      skip_space();
      if (at_end()) return false;
      const char c = peek();
      bool opened = false;
      if (c == '{' || c == '[') {
        // The document is the first level, the bracket being opened the last.
        if (open_.size() + 2 > static_cast<std::size_t>(kJsonDepthMax)) {
          problem_ = fmt::format("it nests deeper than {} levels", kJsonDepthMax);
          return false;
        }
        open_.push_back(c);
        ++at_;
        skip_space();
        if (!at_end() && peek() == (c == '{' ? '}' : ']')) {
          open_.pop_back();
          ++at_;
        } else {
          if (c == '{' && !member_name()) return false;
          opened = true;
        }
      } else if (!scalar()) {
        return false;
      }
      if (opened) continue;
      if (!after_value()) return false;
      if (open_.empty()) return true;
    }
  }

  // Closes the brackets after a finished value, up to the next value or the end.
  bool after_value() {
    while (!open_.empty()) {
      skip_space();
      if (at_end()) return false;
      const char c = peek();
      if (c == ',') {
        ++at_;
        skip_space();
        return open_.back() == '{' ? member_name() : true;
      }
      if (c != (open_.back() == '{' ? '}' : ']')) return false;
      open_.pop_back();
      ++at_;
    }
    return true;
  }

  bool member_name() {
    skip_space();
    if (!string(nullptr)) return false;
    skip_space();
    return expect(':');
  }

  bool scalar() {
    switch (peek()) {
      case '"':
        return string(nullptr);
      case 't':
        return word("true");
      case 'f':
        return word("false");
      case 'n':
        return word("null");
      default:
        return number();
    }
  }

  bool word(std::string_view expected) {
    if (text_.substr(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
  }

  bool digits() {
    const std::size_t begin = at_;
    while (!at_end() && is_digit(peek())) ++at_;
    return at_ > begin;
  }

  bool number() {
    if (peek() == '-') ++at_;
    if (at_end()) return false;
    if (peek() == '0') {
      ++at_;
    } else if (!digits()) {
      return false;
    }
    if (!at_end() && peek() == '.') {
      ++at_;
      if (!digits()) return false;
    }
    if (!at_end() && (peek() == 'e' || peek() == 'E')) {
      ++at_;
      if (!at_end() && (peek() == '+' || peek() == '-')) ++at_;
      if (!digits()) return false;
    }
    return true;
  }

  bool hex4(std::uint32_t& code) {
    if (at_ + 4 > text_.size()) return false;
    code = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = text_[at_++];
      const int digit = is_digit(c)              ? c - '0'
                        : (c >= 'a' && c <= 'f') ? c - 'a' + 10
                        : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                                 : -1;
      if (digit < 0) return false;
      code = code * 16 + static_cast<std::uint32_t>(digit);
    }
    return true;
  }

  // Reads one string; its decoded text goes to `out`, if given.
  bool string(std::string* out) {
    if (!expect('"')) return false;
    while (!at_end()) {
      const char c = peek();
      if (c == '"') {
        ++at_;
        return true;
      }
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c == '\\') {
        ++at_;
        if (!escape(out)) return false;
        continue;
      }
      const std::size_t length = utf8_length(text_, at_);
      if (length == 0) {
        problem_ = fmt::format("it is not valid UTF-8 at byte {}", at_);
        return false;
      }
      if (out != nullptr) out->append(text_.substr(at_, length));
      at_ += length;
    }
    return false;
  }

  bool escape(std::string* out) {
    if (at_end()) return false;
    const char c = text_[at_++];
    if (c == 'u') return unicode_escape(out);
    constexpr std::string_view kFrom = "\"\\/bfnrt";
    constexpr std::string_view kTo = "\"\\/\b\f\n\r\t";
    const std::size_t index = kFrom.find(c);
    if (index == std::string_view::npos) return false;
    if (out != nullptr) *out += kTo[index];
    return true;
  }

  bool unicode_escape(std::string* out) {
    std::uint32_t code = 0;
    if (!hex4(code)) return false;
    if (code >= 0xd800 && code <= 0xdbff) {
      std::uint32_t low = 0;
      if (!expect('\\') || !expect('u') || !hex4(low) || low < 0xdc00 || low > 0xdfff) return false;
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code <= 0xdfff) {
      return false;
    }
    if (out != nullptr) append_utf8(code, *out);
    return true;
  }

  static constexpr std::size_t kSearchedOneByOneMax = 32;

  std::string_view text_;
  DuplicateNames duplicates_;
  std::size_t at_ = 0;
  std::string open_;
  std::string problem_;
  std::map<std::string, std::size_t> places_;  // places of the names, when there are many
};

}  // namespace

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const std::size_t length = utf8_length(text, at);
    if (length == 0) {
      out += "\xef\xbf\xbd";
      ++at;
      continue;
    }
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out.append(text.substr(at, length));
    }
    at += length;
  }
  out += '"';
}

std::string json_string(std::string_view text) {
  std::string json;
  append_json_string(text, json);
  return json;
}

void append_document(const Document& document, std::string& out) {
  out += '{';
  bool first = true;
  for (const DocumentEntry& entry : document.entries) {
    if (!first) out += ',';
    first = false;
    append_json_string(entry.name, out);
    out += ':';
    out += entry.value;
  }
  out += '}';
}

void append_headers(const Headers& headers, std::string& out) {
  out += '{';
  bool first = true;
  for (const Header& header : headers.entries) {
    if (!first) out += ',';
    first = false;
    append_json_string(header.key, out);
    out += ':';
    append_json_string(header.value, out);
  }
  out += '}';
}

Result<Document, std::string> parse_document(std::string_view json, DuplicateNames duplicates) {
  return Scanner{json, duplicates}.document();
}

std::optional<std::string> parse_json_string(std::string_view json) {
  return Scanner{json}.only_string();
}

}  // namespace beeline::record
