#include "feel/time_zone.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>

#include "feel/calendar.h"

namespace beeline::feel {
namespace {

constexpr std::string_view kDatabase = "/usr/share/zoneinfo/";
constexpr std::size_t kFileBytesMax = 256 * 1024;   // the largest real one has 4 KiB
constexpr std::int32_t kFileOffsetMax = 26 * 3600;  // the limit that RFC 8536 recommends

// Reads the bytes of a TZif file from front to back; numbers are big-endian. Reading past the end
// sets `failed`.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : rest_(bytes) {}
  [[nodiscard]] bool failed() const { return failed_; }
  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) {
      failed_ = true;
      return {};
    }
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(count));
    rest_.remove_prefix(static_cast<std::size_t>(count));
    return taken;
  }
  std::uint64_t number(int bytes) {
    std::uint64_t value = 0;
    for (const char c : take(static_cast<std::uint64_t>(bytes))) {
      value = value << 8 | static_cast<unsigned char>(c);
    }
    return value;
  }
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

struct Header {
  char version = 0;
  std::uint64_t ut_flags = 0;
  std::uint64_t standard_flags = 0;
  std::uint64_t leap_seconds = 0;
  std::uint64_t transitions = 0;
  std::uint64_t types = 0;
  std::uint64_t name_bytes = 0;
};

std::optional<Header> read_header(Bytes& bytes) {
  if (bytes.take(4) != "TZif") return std::nullopt;
  Header header;
  header.version = static_cast<char>(bytes.number(1));
  bytes.take(15);
  header.ut_flags = bytes.number(4);
  header.standard_flags = bytes.number(4);
  header.leap_seconds = bytes.number(4);
  header.transitions = bytes.number(4);
  header.types = bytes.number(4);
  header.name_bytes = bytes.number(4);
  if (bytes.failed()) return std::nullopt;
  return header;
}

bool is_safe_name(std::string_view name) {
  if (name.empty() || name.size() > 64 || name.front() == '/' || name.back() == '/') return false;
  if (name.find("..") != std::string_view::npos || name.find("//") != std::string_view::npos) {
    return false;
  }
  // The machine's own setting is not a zone of the database.
  if (name == "localtime" || name == "posixrules") return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
           c == '_' || c == '+' || c == '-';
  });
}

}  // namespace

// The rule line of a file, in the notation of the POSIX TZ variable: "CET-1CEST,M3.5.0,M10.5.0/3".
class TimeZone::RuleParser {
 public:
  explicit RuleParser(std::string_view text) : rest_(text) {}

  std::optional<Rule> parse() {
    Rule rule;
    // POSIX counts westward.
    if (!skip_name()) return std::nullopt;
    const std::optional<std::int32_t> standard = seconds();
    if (!standard) return std::nullopt;
    rule.standard_offset = -*standard;
    if (rest_.empty()) return within_limits(rule) ? std::optional{rule} : std::nullopt;

    if (!skip_name()) return std::nullopt;
    rule.has_summer = true;
    rule.summer_offset = rule.standard_offset + 3600;
    if (!rest_.empty() && rest_.front() != ',') {
      const std::optional<std::int32_t> summer = seconds();
      if (!summer) return std::nullopt;
      rule.summer_offset = -*summer;
    }
    if (!skip(',') || !date(rule.summer_begins)) return std::nullopt;
    if (!skip(',') || !date(rule.summer_ends)) return std::nullopt;
    if (!rest_.empty() || !within_limits(rule)) return std::nullopt;
    return rule;
  }

 private:
  static bool within_limits(const Rule& rule) {
    return std::abs(rule.standard_offset) <= kFileOffsetMax &&
           std::abs(rule.summer_offset) <= kFileOffsetMax;
  }
  bool skip(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool skip_name() {
    std::size_t length = 0;
    if (!rest_.empty() && rest_.front() == '<') {
      length = rest_.find('>');
      if (length == std::string_view::npos) return false;
      ++length;
    } else {
      while (length < rest_.size() && ((rest_[length] >= 'a' && rest_[length] <= 'z') ||
                                       (rest_[length] >= 'A' && rest_[length] <= 'Z'))) {
        ++length;
      }
    }
    if (length < 3) return false;
    rest_.remove_prefix(length);
    return true;
  }
  std::optional<int> number(int max) {
    int value = 0;
    std::size_t length = 0;
    while (length < rest_.size() && rest_[length] >= '0' && rest_[length] <= '9') {
      value = value * 10 + (rest_[length++] - '0');
      if (value > max) return std::nullopt;
    }
    if (length == 0) return std::nullopt;
    rest_.remove_prefix(length);
    return value;
  }
  // [+-]hh[:mm[:ss]]; hours up to a week, as version 3 files use.
  std::optional<std::int32_t> seconds() {
    const bool negative = skip('-');
    if (!negative) skip('+');
    const std::optional<int> hours = number(167);
    if (!hours) return std::nullopt;
    std::int32_t total = *hours * 3600;
    for (const int unit : {60, 1}) {
      if (!skip(':')) break;
      const std::optional<int> part = number(59);
      if (!part) return std::nullopt;
      total += *part * unit;
    }
    return negative ? -total : total;
  }
  bool date(RuleDate& result) {
    if (skip('M')) {
      const std::optional<int> month = number(12);
      if (!month || *month == 0 || !skip('.')) return false;
      const std::optional<int> week = number(5);
      if (!week || *week == 0 || !skip('.')) return false;
      const std::optional<int> day = number(6);
      if (!day) return false;
      result.form = RuleDate::Form::MonthWeekDay;
      result.month = *month;
      result.week = *week;
      result.day = *day;
    } else {
      const bool julian = skip('J');
      const std::optional<int> day = number(365);
      if (!day || (julian && *day == 0)) return false;
      result.form = julian ? RuleDate::Form::JulianWithoutLeapDay : RuleDate::Form::DayOfYear;
      result.day = *day;
    }
    if (skip('/')) {
      const std::optional<std::int32_t> at = seconds();
      if (!at) return false;
      result.seconds = *at;
    }
    return true;
  }

  std::string_view rest_;
};

std::optional<TimeZone> TimeZone::read(std::string name, std::string_view text) {
  Bytes bytes(text);
  const std::optional<Header> old = read_header(bytes);
  if (!old || old->version < '2') return std::nullopt;
  // The first block repeats the following data with 32-bit times.
  bytes.take(old->transitions * 5 + old->types * 6 + old->name_bytes + old->leap_seconds * 8 +
             old->standard_flags + old->ut_flags);
  const std::optional<Header> header = bytes.failed() ? std::nullopt : read_header(bytes);
  // FEEL's time has no leap seconds, so files that count them are refused.
  if (!header || header->leap_seconds != 0 || header->types == 0) return std::nullopt;

  const std::string_view instants = bytes.take(header->transitions * 8);
  const std::string_view type_indices = bytes.take(header->transitions);
  const std::string_view types = bytes.take(header->types * 6);
  bytes.take(header->name_bytes + header->standard_flags + header->ut_flags);
  if (bytes.failed()) return std::nullopt;

  std::vector<std::int32_t> offsets;
  std::vector<bool> is_summer;
  for (Bytes each(types); !each.rest().empty();) {
    const auto offset = static_cast<std::int32_t>(static_cast<std::uint32_t>(each.number(4)));
    if (offset < -kFileOffsetMax || offset > kFileOffsetMax) return std::nullopt;
    offsets.push_back(offset);
    is_summer.push_back(each.number(1) != 0);
    each.number(1);
  }

  TimeZone zone;
  zone.name_ = std::move(name);
  zone.first_offset_ = offsets[0];
  zone.standard_offset_ = offsets[0];
  Bytes each(instants);
  for (const char index : type_indices) {
    const auto instant = static_cast<std::int64_t>(each.number(8));
    const auto type = static_cast<std::size_t>(static_cast<unsigned char>(index));
    if (type >= offsets.size()) return std::nullopt;
    if (!zone.transitions_.empty() && zone.transitions_.back().instant >= instant) {
      return std::nullopt;
    }
    zone.transitions_.push_back({instant, offsets[type]});
    if (!is_summer[type]) zone.standard_offset_ = offsets[type];
  }

  std::string_view footer = bytes.rest();
  if (footer.size() >= 2 && footer.front() == '\n') {
    footer.remove_prefix(1);
    footer = footer.substr(0, footer.find('\n'));
    if (!footer.empty()) {
      zone.rule_ = RuleParser(footer).parse();
      if (!zone.rule_) return std::nullopt;
      // Ireland's rule calls its winter time the exception; the smaller offset is the one without
      // summer time.
      zone.standard_offset_ = zone.rule_->has_summer
                                  ? std::min(zone.rule_->standard_offset, zone.rule_->summer_offset)
                                  : zone.rule_->standard_offset;
    }
  }
  return zone;
}

const TimeZone* TimeZone::find(std::string_view name) {
  if (!is_safe_name(name)) return nullptr;
  // Only names that exist are kept, so the cache is no larger than the database.
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<const TimeZone>, std::less<>> zones;
  const std::lock_guard lock(mutex);
  if (const auto found = zones.find(name); found != zones.end()) return found->second.get();

  std::ifstream file(std::string(kDatabase).append(name), std::ios::binary);
  if (!file) return nullptr;
  std::string bytes(kFileBytesMax, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  std::optional<TimeZone> zone = read(std::string(name), bytes);
  if (!zone) return nullptr;
  return zones.emplace(std::string(name), std::make_unique<const TimeZone>(*std::move(zone)))
      .first->second.get();
}

std::int64_t TimeZone::day_of(const RuleDate& date, std::int64_t year) {
  const std::int64_t new_year = calendar::days_from_civil(year, 1, 1);
  switch (date.form) {
    case RuleDate::Form::DayOfYear:
      return new_year + date.day;
    case RuleDate::Form::JulianWithoutLeapDay:
      return new_year + date.day - 1 + (calendar::is_leap_year(year) && date.day >= 60 ? 1 : 0);
    case RuleDate::Form::MonthWeekDay:
      break;
  }
  const std::int64_t first = calendar::days_from_civil(year, date.month, 1);
  const int first_weekday = calendar::weekday(first) % 7;  // Sunday 0, as the rule counts
  int day = (date.day - first_weekday + 7) % 7 + (date.week - 1) * 7;
  if (day >= calendar::days_in_month(year, date.month)) day -= 7;  // week 5 means the last
  return first + day;
}

std::int32_t TimeZone::rule_offset_at(const Rule& rule, std::int64_t instant) {
  if (!rule.has_summer) return rule.standard_offset;
  const std::int64_t day = calendar::floor_divide(instant + rule.standard_offset, 86'400);
  const std::int64_t year = calendar::civil_from_days(day).year;
  const std::int64_t begins =
      day_of(rule.summer_begins, year) * 86'400 + rule.summer_begins.seconds - rule.standard_offset;
  const std::int64_t ends =
      day_of(rule.summer_ends, year) * 86'400 + rule.summer_ends.seconds - rule.summer_offset;
  const bool summer =
      begins < ends ? begins <= instant && instant < ends : !(ends <= instant && instant < begins);
  return summer ? rule.summer_offset : rule.standard_offset;
}

std::int32_t TimeZone::offset_at(std::int64_t instant) const {
  if (rule_ && (transitions_.empty() || instant >= transitions_.back().instant)) {
    return rule_offset_at(*rule_, instant);
  }
  const auto after = std::upper_bound(
      transitions_.begin(), transitions_.end(), instant,
      [](std::int64_t at, const Transition& transition) { return at < transition.instant; });
  return after == transitions_.begin() ? first_offset_ : std::prev(after)->offset;
}

std::int32_t TimeZone::offset_at_local(std::int64_t local) const {
  // Offsets are less than a day, so these two instants enclose every reading of the local time.
  const std::int32_t before = offset_at(local - 86'400);
  const std::int32_t after = offset_at(local + 86'400);
  if (before == after || offset_at(local - before) == before) return before;
  if (offset_at(local - after) == after) return after;
  return before;  // in the gap
}

}  // namespace beeline::feel
