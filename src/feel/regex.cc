#include "feel/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <limits>

#include "feel/check.h"
#include "feel/utf8.h"

namespace beeline::feel {

namespace {

constexpr std::uint32_t kHeapLimitKib = 20 * 1024;  // memory for positions to backtrack to
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

// Counts the steps of one search.
struct Meter {
  std::int64_t left;
  std::size_t weight;
  std::size_t at;     // position of the search at the last callout
  std::size_t start;  // start of the attempt that was running then

  // Counts one step, and the text that was passed since the last one: by trying, and by looking for
  // a place where an attempt can begin.
  void count(std::size_t now_at, std::size_t now_start) {
    const std::size_t moved = now_at > at ? now_at - at : 0;
    const std::size_t skipped = now_start > start ? now_start - start : 0;
    left -= static_cast<std::int64_t>((1 + moved / 16) * weight + skipped / 16);
    at = now_at;
    start = now_start;
  }
};

int count_step(pcre2_callout_block* block, void* data) {
  auto& meter = *static_cast<Meter*>(data);
  meter.count(block->current_position, block->start_match);
  return meter.left < 0 ? PCRE2_ERROR_CALLOUT : 0;
}

// The data that a search needs besides the pattern. It belongs to a thread, which runs one search
// at a time.
struct Searcher {
  Searcher() : context(pcre2_match_context_create(nullptr)) {
    check(context != nullptr, "PCRE2 has no memory");
    // The callouts count. PCRE2's own limits are set as high as possible.
    pcre2_set_match_limit(context, std::numeric_limits<std::uint32_t>::max());
    pcre2_set_depth_limit(context, std::numeric_limits<std::uint32_t>::max());
    pcre2_set_heap_limit(context, kHeapLimitKib);
  }
  Searcher(const Searcher&) = delete;
  Searcher& operator=(const Searcher&) = delete;
  ~Searcher() { pcre2_match_context_free(context); }

  pcre2_match_context* context;
};

pcre2_match_context* match_context() {
  thread_local const Searcher searcher;
  return searcher.context;
}

// Returns the options of the flags; nothing if there is an unknown flag that must not be ignored.
std::optional<std::uint32_t> options_of(std::string_view flags, Regex::Syntax syntax,
                                        bool& ignore_space) {
  std::uint32_t options =
      PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY | PCRE2_AUTO_CALLOUT;
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

// The last few patterns of this thread; the oldest is replaced first.
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

std::size_t Regex::pattern_steps(std::string_view pattern) {
  return 16 + pattern.size();
}

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
  const std::optional<TranslatedPattern> translated =
      translate_pattern(pattern, ignore_space, syntax);
  if (!translated) return nullptr;
  int error = 0;
  PCRE2_SIZE error_offset = 0;
  pcre2_code* code = pcre2_compile(bytes(translated->text), translated->text.size(), *options,
                                   &error, &error_offset, compile_context());
  if (code == nullptr) return nullptr;
  // The constructor is private, so make_shared cannot reach it.
  const std::shared_ptr<Regex> made(new Regex(code));
  std::size_t code_size = 0;
  pcre2_pattern_info(code, PCRE2_INFO_SIZE, &code_size);
  made->compile_steps_ = pattern_steps(pattern) + code_size / 8;
  made->weight_ = 1 + translated->repetitions / 16 + translated->text.size() / 16;
  made->has_back_references_ = translated->has_back_references;
  const std::shared_ptr<const Regex> regex = made;
  kept.entries[kept.next] = {std::string(pattern), std::string(flags), syntax, regex};
  kept.next = (kept.next + 1) % kKeptPatterns;
  return regex;
}

Regex::Outcome Regex::search(std::string_view text, std::size_t from, Groups& groups,
                             std::int64_t& steps_left) const {
  const auto* code = static_cast<const pcre2_code*>(code_);
  pcre2_match_data* data = pcre2_match_data_create_from_pattern(code, nullptr);
  check(data != nullptr, "PCRE2 has no memory");
  constexpr std::int64_t kStepsPerSearch = 8;
  Meter meter{steps_left - kStepsPerSearch, weight_ + (has_back_references_ ? text.size() / 16 : 0),
              from, from};
  pcre2_match_context* const context = match_context();
  pcre2_set_callout(context, &count_step, &meter);
  const int count =
      pcre2_match(code, bytes(text), text.size(), from, PCRE2_NO_UTF_CHECK, data, context);
  // Without a match, the rest of the text was searched for a place to begin.
  if (count == PCRE2_ERROR_NOMATCH) meter.count(meter.at, text.size());
  steps_left = meter.left;
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
  if (meter.left < 0) return Outcome::OutOfSteps;
  if (count > 0) return Outcome::Found;
  return count == PCRE2_ERROR_NOMATCH ? Outcome::NotFound : Outcome::OutOfMemory;
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
// Characters that become longer in upper case.
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
