// Reading and printing of dates, times and durations.
#include <fmt/format.h>

#include <cstdlib>
#include <limits>

#include "feel/calendar.h"
#include "feel/temporal.h"

namespace beeline::feel {
namespace {

constexpr std::int32_t kOffsetMax = 18 * 3600;

// Reads a text from front to back. Every function either consumes its part or does not move.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  [[nodiscard]] std::string_view rest() const { return rest_; }
  bool skip(char c) {
    if (peek() != c || rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view digits() {
    std::size_t length = 0;
    while (length < rest_.size() && rest_[length] >= '0' && rest_[length] <= '9') ++length;
    return take(length);
  }
  std::string_view take(std::size_t length) {
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  // Reads exactly two digits with a value of at most `max`.
  std::optional<int> two_digits(int max) {
    if (rest_.size() < 2 || rest_[0] < '0' || rest_[0] > '9' || rest_[1] < '0' || rest_[1] > '9') {
      return std::nullopt;
    }
    const int value = (rest_[0] - '0') * 10 + (rest_[1] - '0');
    if (value > max) return std::nullopt;
    rest_.remove_prefix(2);
    return value;
  }

 private:
  std::string_view rest_;
};

// Returns the value of at most 18 digits.
std::optional<std::int64_t> small_number(std::string_view digits) {
  if (digits.empty() || digits.size() > 18) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  return value;
}

// Returns the digits after a decimal point as nanoseconds.
std::int64_t fraction_nanos(std::string_view digits) {
  std::int64_t nanos = 0;
  for (std::size_t i = 0; i < 9; ++i)
    nanos = nanos * 10 + (i < digits.size() ? digits[i] - '0' : 0);
  return nanos;
}

std::string fraction_text(std::int64_t nanos) {
  if (nanos == 0) return "";
  std::string text = fmt::format(".{:09}", nanos);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

std::string offset_text(std::int32_t seconds) {
  if (seconds == 0) return "Z";
  const std::int32_t magnitude = std::abs(seconds);
  std::string text =
      fmt::format("{}{:02}:{:02}", seconds < 0 ? '-' : '+', magnitude / 3600, magnitude / 60 % 60);
  if (magnitude % 60 != 0) text += fmt::format(":{:02}", magnitude % 60);
  return text;
}

std::optional<Date> scan_date(Scanner& text) {
  const bool negative = text.skip('-');
  const std::string_view year_digits = text.digits();
  if (year_digits.size() < 4 || year_digits.size() > 9) return std::nullopt;
  if (year_digits.size() > 4 && year_digits.front() == '0') return std::nullopt;
  const std::int64_t year = *small_number(year_digits);
  if (!text.skip('-')) return std::nullopt;
  const std::optional<int> month = text.two_digits(12);
  if (!month || !text.skip('-')) return std::nullopt;
  const std::optional<int> day = text.two_digits(31);
  if (!day) return std::nullopt;
  return Date::from_civil(negative ? -year : year, *month, *day);
}

std::optional<std::int32_t> scan_offset(Scanner& text) {
  if (text.skip('Z')) return 0;
  const bool negative = text.peek() == '-';
  if (!text.skip('-') && !text.skip('+')) return std::nullopt;
  const std::optional<int> hours = text.two_digits(18);
  if (!hours || !text.skip(':')) return std::nullopt;
  const std::optional<int> minutes = text.two_digits(59);
  if (!minutes) return std::nullopt;
  int seconds = 0;
  if (text.skip(':')) {
    const std::optional<int> read = text.two_digits(59);
    if (!read) return std::nullopt;
    seconds = *read;
  }
  const std::int32_t total = *hours * 3600 + *minutes * 60 + seconds;
  if (total > kOffsetMax) return std::nullopt;
  return negative ? -total : total;
}

// Reads nothing, an offset, or a zone; it must reach the end of the text.
std::optional<ZoneInfo> scan_zone(Scanner& text, TextForms forms) {
  if (text.at_end()) return ZoneInfo::local();
  if (text.skip('@')) {
    const TimeZone* zone = TimeZone::find(text.rest());
    if (zone == nullptr) return std::nullopt;
    return ZoneInfo::in_zone(*zone);
  }
  const std::optional<std::int32_t> offset = scan_offset(text);
  if (!offset) return std::nullopt;
  if (text.at_end()) return ZoneInfo::at_offset(*offset);
  if (forms == TextForms::Lenient && text.skip('[') && text.rest().ends_with(']')) {
    const TimeZone* zone = TimeZone::find(text.rest().substr(0, text.rest().size() - 1));
    if (zone == nullptr) return std::nullopt;
    ZoneInfo info = ZoneInfo::in_zone(*zone);
    info.offset = *offset;
    return info;
  }
  return std::nullopt;
}

// An `hour_max` of 24 admits the end of the day, written 24:00:00.
std::optional<Time> scan_time(Scanner& text, TextForms forms, int hour_max) {
  const std::optional<int> hour = text.two_digits(hour_max);
  if (!hour || !text.skip(':')) return std::nullopt;
  const std::optional<int> minute = text.two_digits(59);
  if (!minute) return std::nullopt;
  std::optional<int> second = 0;
  std::int64_t nanos = 0;
  if (text.skip(':')) {
    second = text.two_digits(59);
    if (!second) return std::nullopt;
    if (text.skip('.')) {
      const std::string_view fraction = text.digits();
      if (fraction.empty() || fraction.size() > 9) return std::nullopt;
      nanos = fraction_nanos(fraction);
    }
  } else if (forms == TextForms::Strict) {
    return std::nullopt;
  }
  const std::optional<ZoneInfo> zone = scan_zone(text, forms);
  if (!zone) return std::nullopt;
  const std::int64_t seconds = (*hour * 60LL + *minute) * 60 + *second;
  nanos += seconds * kNanosPerSecond;
  if (nanos > kNanosPerDay || (nanos == kNanosPerDay && hour_max < 24)) return std::nullopt;
  return Time{nanos, *zone};
}

std::string clock_text(const Time& time) {
  return fmt::format("{:02}:{:02}:{:02}{}", time.hour(), time.minute(), time.second(),
                     fraction_text(time.nanosecond()));
}

// One part of a duration, "12H". Parts come in the order of `units`; `unit` is the current place in
// that order.
struct DurationPart {
  std::int64_t value;
  std::int64_t nanos;
  char unit;
};
std::optional<DurationPart> scan_part(Scanner& text, std::string_view units, std::size_t& unit) {
  const std::optional<std::int64_t> value = small_number(text.digits());
  if (!value) return std::nullopt;
  std::int64_t nanos = 0;
  bool has_point = false;
  if (text.skip('.')) {
    has_point = true;
    const std::string_view fraction = text.digits();
    if (fraction.size() > 9) return std::nullopt;
    nanos = fraction_nanos(fraction);
  }
  const std::size_t found = units.find(text.peek(), unit);
  if (text.at_end() || found == std::string_view::npos) return std::nullopt;
  if (has_point && units[found] != 'S') return std::nullopt;
  unit = found + 1;
  text.take(1);
  return DurationPart{*value, nanos, units[found]};
}

}  // namespace

std::string ZoneInfo::to_string() const {
  switch (form) {
    case Form::Local:
      return "";
    case Form::Offset:
      return offset_text(offset);
    case Form::Zone:
      return "@" + zone->name();
  }
  return "";
}

std::optional<Date> Date::parse(std::string_view text) {
  Scanner scanner(text);
  const std::optional<Date> date = scan_date(scanner);
  return scanner.at_end() ? date : std::nullopt;
}

std::string Date::to_string() const {
  const calendar::Civil civil = calendar::civil_from_days(days);
  return fmt::format("{}{:04}-{:02}-{:02}", civil.year < 0 ? "-" : "", std::abs(civil.year),
                     civil.month, civil.day);
}

std::optional<Time> Time::parse(std::string_view text, TextForms forms) {
  Scanner scanner(text);
  if (forms == TextForms::Lenient) scanner.skip('T');
  return scan_time(scanner, forms, 23);
}

std::string Time::to_string() const {
  return clock_text(*this) + zone.to_string();
}

std::optional<DateTime> DateTime::parse(std::string_view text, TextForms forms) {
  Scanner scanner(text);
  std::optional<Date> date = scan_date(scanner);
  if (!date) return std::nullopt;
  if (scanner.at_end()) return midnight_local(*date);
  if (!scanner.skip('T')) return std::nullopt;
  std::optional<Time> time = scan_time(scanner, forms, 24);
  if (!time) return std::nullopt;
  if (time->nanos == kNanosPerDay) {
    time->nanos = 0;
    date = Date::from_days(date->days + 1);
    if (!date) return std::nullopt;
  }
  const std::int32_t written = time->zone.offset;
  const std::optional<DateTime> result = from_date_and_time(*date, *time);
  // An offset beside the zone selects one of the two readings of a repeated hour. It also counts if
  // the zone's rules have changed since the text was written.
  if (result && time->zone.form == ZoneInfo::Form::Zone && written != ZoneInfo::kUnresolved &&
      result->time.zone.offset != written) {
    return DateTime{*date, {time->nanos, ZoneInfo::at_offset(written)}}.in_zone(time->zone);
  }
  return result;
}

std::string DateTime::to_string() const {
  return date.to_string() + "T" + time.to_string();
}

std::string DateTime::to_iso_string() const {
  std::string text = date.to_string() + "T" + clock_text(time);
  if (is_local()) return text;
  text += offset_text(offset_seconds());
  if (time.zone.form == ZoneInfo::Form::Zone) text += "[" + time.zone.zone->name() + "]";
  return text;
}

std::optional<YearsMonthsDuration> YearsMonthsDuration::parse(std::string_view text) {
  Scanner scanner(text);
  const bool negative = scanner.skip('-');
  if (!scanner.skip('P') || scanner.at_end()) return std::nullopt;
  std::size_t unit = 0;
  Nanoseconds months = 0;
  while (!scanner.at_end()) {
    const std::optional<DurationPart> part = scan_part(scanner, "YM", unit);
    if (!part) return std::nullopt;
    months += static_cast<Nanoseconds>(part->value) * (part->unit == 'Y' ? 12 : 1);
  }
  if (months > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  const auto total = static_cast<std::int64_t>(months);
  return YearsMonthsDuration{negative ? -total : total};
}

std::string YearsMonthsDuration::to_string() const {
  if (months == 0) return "P0M";
  const std::int64_t years = std::abs(years_part());
  const std::int64_t rest = std::abs(months_part());
  std::string text = months < 0 ? "-P" : "P";
  if (years != 0) text += fmt::format("{}Y", years);
  if (rest != 0) text += fmt::format("{}M", rest);
  return text;
}

std::optional<DaysTimeDuration> DaysTimeDuration::parse(std::string_view text) {
  Scanner scanner(text);
  const bool negative = scanner.skip('-');
  if (!scanner.skip('P') || scanner.at_end()) return std::nullopt;
  Nanoseconds total = 0;
  std::size_t unit = 0;
  if (scanner.peek() != 'T') {
    const std::optional<DurationPart> days = scan_part(scanner, "D", unit);
    if (!days) return std::nullopt;
    total = static_cast<Nanoseconds>(days->value) * kNanosPerDay;
  }
  if (scanner.skip('T')) {
    if (scanner.at_end()) return std::nullopt;
    unit = 0;
    while (!scanner.at_end()) {
      const std::optional<DurationPart> part = scan_part(scanner, "HMS", unit);
      if (!part) return std::nullopt;
      const int seconds = part->unit == 'H' ? 3600 : part->unit == 'M' ? 60 : 1;
      total += static_cast<Nanoseconds>(part->value) * seconds * kNanosPerSecond + part->nanos;
    }
  }
  if (!scanner.at_end()) return std::nullopt;
  return from_nanoseconds(negative ? -total : total);
}

std::string DaysTimeDuration::to_string() const {
  const Nanoseconds total = total_nanoseconds();
  if (total == 0) return "PT0S";
  const Nanoseconds magnitude = total < 0 ? -total : total;
  const auto days = static_cast<std::int64_t>(magnitude / kNanosPerDay);
  const Time rest{static_cast<std::int64_t>(magnitude % kNanosPerDay), {}};
  std::string text = total < 0 ? "-P" : "P";
  if (days != 0) text += fmt::format("{}D", days);
  if (rest.nanos != 0) text += "T";
  if (rest.hour() != 0) text += fmt::format("{}H", rest.hour());
  if (rest.minute() != 0) text += fmt::format("{}M", rest.minute());
  if (rest.second() != 0 || rest.nanosecond() != 0) {
    text += fmt::format("{}{}S", rest.second(), fraction_text(rest.nanosecond()));
  }
  return text;
}

}  // namespace beeline::feel
