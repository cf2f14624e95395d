#include <algorithm>
#include <cstring>

#include "feel/builtins.h"
#include "feel/regex.h"
#include "feel/utf8.h"

// Strings: parts, case, regular expressions. Positions count code points from 1.
namespace beeline::feel {

namespace {

std::int64_t code_points(const BuiltinCall& call, const std::string& text) {
  call.state().step_searching(text.size());
  return static_cast<std::int64_t>(utf8::length(text));
}

// Returns where the second argument begins in the first, in linear time; std::string::find is not
// linear.
std::size_t find_match(const BuiltinCall& call) {
  const std::string& text = call[0].string();
  const std::string& match = call[1].string();
  // For needles of up to 256 bytes glibc uses a method whose worst case grows with the needle.
  constexpr std::size_t kShortNeedle = 256;
  const std::size_t passes = match.size() <= 1              ? 1
                             : match.size() <= kShortNeedle ? 4 + match.size() / 8
                                                            : 4;
  if (match.size() <= text.size())
    call.state().step_searching((text.size() + match.size()) * passes);
  const void* found = memmem(text.data(), text.size(), match.data(), match.size());
  return found == nullptr ? std::string::npos
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

Value substring(const BuiltinCall& call) {
  const std::string& text = call[0].string();
  call.state().step_searching(3 * text.size());
  const auto size = static_cast<std::int64_t>(utf8::length(text));
  const std::optional<std::int64_t> position = call[1].number().truncated_int64();
  if (!position || *position == 0 || *position > size + 1 || *position < -size) {
    return call.refuse("The start position is outside the string");
  }
  const std::int64_t start = *position > 0 ? *position - 1 : size + *position;
  std::int64_t length = size - start;
  if (call.has(2)) {
    const std::optional<std::int64_t> wanted = call[2].number().truncated_int64();
    if (!wanted || *wanted < 1) return call.refuse("The length must be positive");
    length = std::min(length, *wanted);
  }
  const std::size_t from = utf8::offset_of(text, static_cast<std::size_t>(start));
  const std::size_t to = utf8::offset_of(text, static_cast<std::size_t>(start + length));
  return Value{text.substr(from, to - from)};
}

Value string_length(const BuiltinCall& call) {
  return Value::number(code_points(call, call[0].string()));
}

Value upper(const BuiltinCall& call) {
  call.state().step_walking(3 * call[0].string().size());
  return Value{upper_case(call[0].string())};
}

Value lower(const BuiltinCall& call) {
  call.state().step_walking(2 * call[0].string().size());
  return Value{lower_case(call[0].string())};
}

Value substring_before(const BuiltinCall& call) {
  const std::size_t at = find_match(call);
  return Value{at == std::string::npos ? std::string() : call[0].string().substr(0, at)};
}

Value substring_after(const BuiltinCall& call) {
  const std::size_t at = find_match(call);
  return Value{at == std::string::npos ? std::string()
                                       : call[0].string().substr(at + call[1].string().size())};
}

Value contains_text(const BuiltinCall& call) {
  return Value{find_match(call) != std::string::npos};
}

Value starts_with(const BuiltinCall& call) {
  call.state().step_comparing(call[0], call[1]);
  return Value{call[0].string().starts_with(call[1].string())};
}

Value ends_with(const BuiltinCall& call) {
  call.state().step_comparing(call[0], call[1]);
  return Value{call[0].string().ends_with(call[1].string())};
}

// ---- regular expressions ----

constexpr std::string_view kBadPattern = "The regular expression or its flags are not valid";
constexpr std::string_view kNotUtf8 = "The text is not UTF-8";

std::shared_ptr<const Regex> regex_of(const BuiltinCall& call, std::size_t flags_index) {
  const Regex::Syntax syntax = call.is_dmn() ? Regex::Syntax::Strict : Regex::Syntax::Lenient;
  const bool has_flags =
      flags_index > 0 && call.has(flags_index) && call[flags_index].is(Kind::String);
  call.state().step(Regex::pattern_steps(call[1].string()));
  auto regex =
      Regex::compile(call[1].string(), has_flags ? call[flags_index].string() : "", syntax);
  if (regex) call.state().step(regex->compile_steps());
  return regex;
}

// Returns whether the pattern matches from `from` on. Fails the evaluation if the search takes too
// long.
bool search(const BuiltinCall& call, const Regex& regex, std::string_view text, std::size_t from,
            Regex::Groups& groups) {
  const std::int64_t before = call.state().steps_left();
  std::int64_t left = before;
  const Regex::Outcome outcome = regex.search(text, from, groups, left);
  call.state().step(static_cast<std::size_t>(before - left));
  if (outcome == Regex::Outcome::OutOfMemory) {
    call.state().fail("The regular expression needs more than 20 MiB to match");
  }
  return outcome == Regex::Outcome::Found;
}

// PCRE2 requires valid UTF-8.
bool is_valid_text(const BuiltinCall& call) {
  call.state().step_walking(call[0].string().size());
  return utf8::is_valid(call[0].string());
}

Value matches(const BuiltinCall& call) {
  const auto regex = regex_of(call, 2);
  if (!regex) return call.refuse(kBadPattern);
  if (!is_valid_text(call)) return call.refuse(kNotUtf8);
  Regex::Groups groups;
  return Value{search(call, *regex, call[0].string(), 0, groups)};
}

// Calls `visit` with every match from left to right.
template <typename Visit>
void for_each_match(const BuiltinCall& call, const Regex& regex, const Visit& visit) {
  const std::string& text = call[0].string();
  Regex::Groups groups;
  for (std::size_t from = 0; from <= text.size();) {
    if (!search(call, regex, text, from, groups)) return;
    call.state().step(2 + groups.size());
    visit(groups);
    const auto [start, end] = groups.front();
    from = end;
    if (start != end) continue;
    if (from == text.size()) return;
    (void)utf8::next(text, from);  // an empty match must not be found again
  }
}

// Appends the replacement with $0 ... $9 filled in. Returns false if it is not well-formed.
bool append_replacement(std::string& out, std::string_view replacement, std::string_view text,
                        const Regex::Groups& groups) {
  for (std::size_t i = 0; i < replacement.size(); ++i) {
    const char c = replacement[i];
    const char next = i + 1 < replacement.size() ? replacement[i + 1] : '\0';
    if (c == '\\') {
      if (next != '$' && next != '\\') return false;
      out.push_back(next);
      ++i;
    } else if (c == '$') {
      if (next < '0' || next > '9') return false;
      auto group = static_cast<std::size_t>(next - '0');
      ++i;
      // Uses only as many digits as there are groups: $12 with one group is $1 and a 2.
      while (i + 1 < replacement.size() && replacement[i + 1] >= '0' && replacement[i + 1] <= '9') {
        const std::size_t longer = group * 10 + static_cast<std::size_t>(replacement[i + 1] - '0');
        if (longer >= groups.size()) break;
        group = longer;
        ++i;
      }
      if (group < groups.size()) {
        out += text.substr(groups[group].first, groups[group].second - groups[group].first);
      }
    } else {
      out.push_back(c);
    }
  }
  return true;
}

Value replace(const BuiltinCall& call) {
  const auto regex = regex_of(call, 3);
  if (!regex) return call.refuse(kBadPattern);
  Regex::Groups empty_match;
  if (call.is_dmn() && search(call, *regex, "", 0, empty_match)) {
    return call.refuse("The regular expression matches the empty string");
  }
  if (!is_valid_text(call)) return call.refuse(kNotUtf8);
  const std::string& text = call[0].string();
  std::string out;
  std::size_t copied = 0;
  bool well_formed = true;
  for_each_match(call, *regex, [&](const Regex::Groups& groups) {
    const std::size_t size_before = out.size();
    out.append(text, copied, groups.front().first - copied);
    well_formed = well_formed && append_replacement(out, call[2].string(), text, groups);
    call.state().check_string_size(out.size());
    call.state().step_walking(call[2].string().size());
    call.state().step_reading(out.size() - size_before);
    copied = groups.front().second;
  });
  if (!well_formed) return call.refuse("The replacement is not valid");
  out.append(text, copied);
  return Value{std::move(out)};
}

Value split(const BuiltinCall& call) {
  const auto regex = regex_of(call, 0);
  if (!regex) return call.refuse(kBadPattern);
  const std::string& text = call[0].string();
  if (!is_valid_text(call)) return call.refuse(kNotUtf8);
  std::vector<Value> parts;
  std::size_t copied = 0;
  for_each_match(call, *regex, [&](const Regex::Groups& groups) {
    const auto [start, end] = groups.front();
    const bool empty_at_rim = start == end && (start == 0 || start == text.size());
    if (empty_at_rim) return;
    call.state().check_list_size(parts.size());
    call.state().step_making(start - copied);
    parts.emplace_back(text.substr(copied, start - copied));
    copied = end;
  });
  call.state().step_making(text.size() - copied);
  parts.emplace_back(text.substr(copied));
  return Value{std::move(parts)};
}

Value extract(const BuiltinCall& call) {
  const auto regex = regex_of(call, 0);
  if (!regex) return call.refuse(kBadPattern);
  if (!is_valid_text(call)) return call.refuse(kNotUtf8);
  std::vector<Value> found;
  for_each_match(call, *regex, [&](const Regex::Groups& groups) {
    const auto [start, end] = groups.front();
    call.state().check_list_size(found.size());
    call.state().step_making(end - start);
    found.emplace_back(call[0].string().substr(start, end - start));
  });
  return Value{std::move(found)};
}

// ---- the rest ----

std::optional<std::string> joined(const BuiltinCall& call, std::string_view delimiter) {
  std::string out;
  bool first = true;
  for (const Value& item : call[0].list()) {
    call.state().step();
    if (item.is_null()) continue;
    if (!item.is(Kind::String)) return std::nullopt;
    if (!first) out += delimiter;
    first = false;
    out += item.string();
    call.state().step_reading(delimiter.size() + item.string().size());
    call.state().check_string_size(out.size());
  }
  return out;
}

Value string_join(const BuiltinCall& call) {
  const bool has_delimiter = call.has(1) && !call[1].is_null();
  return call.or_refuse(joined(call, has_delimiter ? call[1].string() : ""),
                        "Only strings can be joined");
}

Value string_join_around(const BuiltinCall& call) {
  const std::optional<std::string> middle = joined(call, call[1].is_null() ? "" : call[1].string());
  if (!middle) return call.refuse("Only strings can be joined");
  const std::size_t size = call[2].string().size() + middle->size() + call[3].string().size();
  call.state().check_string_size(size);
  call.state().step_reading(size);
  return Value{call[2].string() + *middle + call[3].string()};
}

Value trim(const BuiltinCall& call) {
  const std::string& text = call[0].string();
  call.state().step_walking(text.size());
  const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
  std::size_t start = 0;
  std::size_t end = text.size();
  while (start < end && is_blank(text[start])) ++start;
  while (end > start && is_blank(text[end - 1])) --end;
  return Value{text.substr(start, end - start)};
}

Value is_blank(const BuiltinCall& call) {
  const std::string& text = call[0].string();
  call.state().step_walking(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (!utf8::is_space(utf8::next(text, at))) return Value{false};
  }
  return Value{true};
}

// Version 7: the time in milliseconds comes first, so ids grow with time.
Value uuid(const BuiltinCall& call) {
  call.state().step(8);
  const auto millis = static_cast<std::uint64_t>(call.state().now.time_since_epoch().count());
  const std::uint64_t high = millis << 16 | 0x7000 | (call.state().random() & 0x0FFF);
  const std::uint64_t low = (call.state().random() >> 2) | 0x8000000000000000ULL;
  constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (int digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) text.push_back('-');
    const std::uint64_t half = digit < 16 ? high : low;
    text.push_back(kHex[half >> (60 - 4 * (digit % 16)) & 15]);
  }
  return Value{std::move(text)};
}

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

Value to_base64(const BuiltinCall& call) {
  const std::string& text = call[0].string();
  call.state().step_walking(text.size());
  std::string out;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    const auto byte = [&](std::size_t j) {
      return i + j < text.size() ? static_cast<unsigned char>(text[i + j]) : 0U;
    };
    const std::uint32_t bits = byte(0) << 16 | byte(1) << 8 | byte(2);
    out.push_back(kBase64[bits >> 18 & 63]);
    out.push_back(kBase64[bits >> 12 & 63]);
    out.push_back(i + 1 < text.size() ? kBase64[bits >> 6 & 63] : '=');
    out.push_back(i + 2 < text.size() ? kBase64[bits & 63] : '=');
  }
  return Value{std::move(out)};
}

Value from_base64(const BuiltinCall& call) {
  std::string_view text = call[0].string();
  call.state().step_walking(2 * text.size());
  if (text.size() % 4 != 0) return call.refuse("The text is not base64");
  std::size_t padding = 0;
  while (padding < 2 && text.ends_with('=')) {
    text.remove_suffix(1);
    ++padding;
  }
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = kBase64.find(c);
    if (digit == std::string_view::npos) return call.refuse("The text is not base64");
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out.push_back(static_cast<char>(bits >> count & 0xFF));
  }
  if (!utf8::is_valid(out)) return call.refuse("The bytes are not text");
  return Value{std::move(out)};
}

constexpr BuiltinRow kStringRows[] = {
    {"substring(string:s, start position:n, length?:n)", &substring},
    {"string length(string:s)", &string_length},
    {"upper case(string:s)", &upper},
    {"lower case(string:s)", &lower},
    {"substring before(string:s, match:s)", &substring_before},
    {"substring after(string:s, match:s)", &substring_after},
    {"contains(string:s, match:s)", &contains_text},
    {"starts with(string:s, match:s)", &starts_with},
    {"ends with(string:s, match:s)", &ends_with},
    {"matches(input:s, pattern:s, flags?:s~)", &matches},
    {"replace(input:s, pattern:s, replacement:s, flags?:s~)", &replace},
    {"split(string:s, delimiter:s)", &split},
    {"extract(input:s, pattern:s)", &extract, kExtension},
    {"string join(list:l, delimiter?:s~)", &string_join},
    {"string join(list:l, delimiter:s~, prefix:s, suffix:s)", &string_join_around, kExtension},
    {"trim(string:s)", &trim, kExtension},
    {"is blank(string:s)", &is_blank, kExtension},
    {"uuid()", &uuid, kExtension},
    {"to base64(value:s)", &to_base64, kExtension},
    {"from base64(value:s)", &from_base64, kExtension},
};

}  // namespace

std::span<const BuiltinRow> string_builtins() {
  return kStringRows;
}

}  // namespace beeline::feel
