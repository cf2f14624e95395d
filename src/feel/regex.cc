#include "feel/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>

#include "feel/check.h"
#include "feel/utf8.h"

namespace beeline::feel {

namespace {

constexpr std::uint32_t kMatchLimit = 1'000'000;
constexpr std::uint32_t kDepthLimit = 100'000;  // PCRE2 keeps these on the heap, limited below
constexpr std::uint32_t kHeapLimitKib = 20 * 1024;
constexpr std::size_t kKeptPatterns = 32;

PCRE2_SPTR8 bytes(std::string_view text) {
  return reinterpret_cast<PCRE2_SPTR8>(text.data());
}

// How patterns are compiled: `.` stops at line feed and carriage return, \C is off.
pcre2_compile_context* compile_context() {
  static pcre2_compile_context* const context = [] {
    pcre2_compile_context* made = pcre2_compile_context_create(nullptr);
    check(made != nullptr, "PCRE2 has no memory");
    pcre2_set_newline(made, PCRE2_NEWLINE_ANYCRLF);
    return made;
  }();
  return context;
}

pcre2_match_context* match_context() {
  static pcre2_match_context* const context = [] {
    pcre2_match_context* made = pcre2_match_context_create(nullptr);
    check(made != nullptr, "PCRE2 has no memory");
    pcre2_set_match_limit(made, kMatchLimit);
    pcre2_set_depth_limit(made, kDepthLimit);
    pcre2_set_heap_limit(made, kHeapLimitKib);
    return made;
  }();
  return context;
}

// Options of the flags; nothing for an unknown one, unless it may be ignored.
std::optional<std::uint32_t> options_of(std::string_view flags, Regex::Syntax syntax,
                                        bool& ignore_space) {
  std::uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY;
  for (const char flag : flags) {
    if (flag == 's') {
      options |= PCRE2_DOTALL;
    } else if (flag == 'm') {
      options |= PCRE2_MULTILINE;
    } else if (flag == 'i') {
      options |= PCRE2_CASELESS;
    } else if (flag == 'x') {
      ignore_space = true;
    } else if (syntax == Regex::Syntax::Strict) {
      return std::nullopt;
    }
  }
  return options;
}

// The last few patterns of this thread, the oldest replaced first.
struct Kept {
  std::string pattern;
  std::string flags;
  Regex::Syntax syntax = Regex::Syntax::Strict;
  std::shared_ptr<const Regex> regex;
};
struct Cache {
  std::array<Kept, kKeptPatterns> entries;
  std::size_t next = 0;
};

Cache& cache() {
  thread_local Cache instance;
  return instance;
}

}  // namespace

Regex::~Regex() {
  pcre2_code_free(static_cast<pcre2_code*>(code_));
}

std::shared_ptr<const Regex> Regex::compile(std::string_view pattern, std::string_view flags,
                                            Syntax syntax) {
  if (pattern.size() > kPatternMax) return nullptr;
  Cache& kept = cache();
  for (const Kept& entry : kept.entries) {
    if (entry.regex && entry.syntax == syntax && entry.flags == flags && entry.pattern == pattern) {
      return entry.regex;
    }
  }
  bool ignore_space = false;
  const std::optional<std::uint32_t> options = options_of(flags, syntax, ignore_space);
  if (!options) return nullptr;
  const std::optional<std::string> translated = translate_pattern(pattern, ignore_space, syntax);
  if (!translated) return nullptr;
  int error = 0;
  PCRE2_SIZE error_offset = 0;
  pcre2_code* code = pcre2_compile(bytes(*translated), translated->size(), *options, &error,
                                   &error_offset, compile_context());
  if (code == nullptr) return nullptr;
  // The constructor is private, so make_shared cannot reach it.
  const std::shared_ptr<const Regex> regex(new Regex(code));
  kept.entries[kept.next] = {std::string(pattern), std::string(flags), syntax, regex};
  kept.next = (kept.next + 1) % kKeptPatterns;
  return regex;
}

Regex::Outcome Regex::search(std::string_view text, std::size_t from, Groups& groups) const {
  const auto* code = static_cast<const pcre2_code*>(code_);
  pcre2_match_data* data = pcre2_match_data_create_from_pattern(code, nullptr);
  check(data != nullptr, "PCRE2 has no memory");
  const int count = pcre2_match(code, bytes(text), text.size(), from, 0, data, match_context());
  groups.clear();
  if (count > 0) {
    const PCRE2_SIZE* offsets = pcre2_get_ovector_pointer(data);
    const std::uint32_t pairs = pcre2_get_ovector_count(data);
    for (std::uint32_t i = 0; i < pairs; ++i) {
      const bool set = offsets[2 * i] != PCRE2_UNSET;
      groups.emplace_back(set ? offsets[2 * i] : 0, set ? offsets[2 * i + 1] : 0);
    }
  }
  pcre2_match_data_free(data);
  if (count > 0) return Outcome::Found;
  return count == PCRE2_ERROR_NOMATCH ? Outcome::NotFound : Outcome::LimitExceeded;
}

namespace {

// PCRE2 knows the simple case pairs of all of Unicode; its substitution applies them.
std::string change_case(std::string_view text, std::string_view replacement) {
  static pcre2_code* const everything = [] {
    int error = 0;
    PCRE2_SIZE offset = 0;
    pcre2_code* code =
        pcre2_compile(bytes("(?s)^.+$"), PCRE2_ZERO_TERMINATED,
                      PCRE2_UTF | PCRE2_UCP | PCRE2_DOLLAR_ENDONLY, &error, &offset, nullptr);
    check(code != nullptr, "a pattern of our own is refused");
    return code;
  }();
  std::string out(text.size() * 2 + 16, '\0');
  while (true) {
    PCRE2_SIZE size = out.size();
    const int result = pcre2_substitute(
        everything, bytes(text), text.size(), 0,
        PCRE2_SUBSTITUTE_EXTENDED | PCRE2_SUBSTITUTE_OVERFLOW_LENGTH, nullptr, nullptr,
        bytes(replacement), replacement.size(), reinterpret_cast<PCRE2_UCHAR8*>(out.data()), &size);
    if (result == PCRE2_ERROR_NOMEMORY && size > out.size()) {
      out.resize(size);
      continue;
    }
    if (result < 0) return std::string(text);
    out.resize(size);
    return out;
  }
}

struct Expansion {
  std::string_view from;
  std::string_view to;
};
// What grows when written in capitals.
constexpr std::array<Expansion, 8> kExpansions = {{{"ß", "SS"},
                                                   {"ŉ", "ʼN"},
                                                   {"ﬀ", "FF"},
                                                   {"ﬁ", "FI"},
                                                   {"ﬂ", "FL"},
                                                   {"ﬃ", "FFI"},
                                                   {"ﬄ", "FFL"},
                                                   {"ﬆ", "ST"}}};

bool is_ascii(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  }
  return true;
}

}  // namespace

std::string upper_case(std::string_view text) {
  std::string out;
  if (is_ascii(text)) {
    out = text;
    for (char& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    return out;
  }
  for (std::size_t at = 0; at < text.size();) {
    std::size_t behind = at;
    (void)utf8::next(text, behind);
    std::string_view letter = text.substr(at, behind - at);
    for (const Expansion& expansion : kExpansions) {
      if (letter == expansion.from) letter = expansion.to;
    }
    out += letter;
    at = behind;
  }
  return change_case(out, "\\U$0");
}

std::string lower_case(std::string_view text) {
  if (!is_ascii(text)) return change_case(text, "\\L$0");
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return out;
}

}  // namespace beeline::feel
