#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <vector>

#include "bpmn/schedule.h"
#include "bpmn/text.h"

namespace beeline::bpmn {
namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::year_month_day;

// The calendar repeats itself after this many years, so an expression that did not match by then
// never will.
constexpr int kYearsOfCalendar = 400;
constexpr int kYearMax = 9999;

constexpr std::array<std::string_view, 12> kMonths = {"JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                                      "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
constexpr std::array<std::string_view, 7> kWeekdays = {"MON", "TUE", "WED", "THU",
                                                       "FRI", "SAT", "SUN"};

struct Macro {
  std::string_view name;
  std::string_view text;
};
constexpr std::array kMacros = {
    Macro{"@yearly", "0 0 0 1 1 *"},  Macro{"@annually", "0 0 0 1 1 *"},
    Macro{"@monthly", "0 0 0 1 * *"}, Macro{"@weekly", "0 0 0 * * 0"},
    Macro{"@daily", "0 0 0 * * *"},   Macro{"@midnight", "0 0 0 * * *"},
    Macro{"@hourly", "0 0 * * * *"},
};

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

// Returns the first set bit at or after `from`, or -1.
template <std::size_t N>
int first_at(const std::bitset<N>& bits, int from) {
  for (std::size_t i = static_cast<std::size_t>(from); i < N; ++i) {
    if (bits.test(i)) return static_cast<int>(i);
  }
  return -1;
}

int last_day_of(int year, int month) {
  const std::chrono::year_month_day_last last{
      std::chrono::year{year},
      std::chrono::month_day_last{std::chrono::month{static_cast<unsigned>(month)}}};
  return static_cast<int>(static_cast<unsigned>(last.day()));
}

int weekday_of(int year, int month, int day) {
  const year_month_day date{std::chrono::year{year},
                            std::chrono::month{static_cast<unsigned>(month)},
                            std::chrono::day{static_cast<unsigned>(day)}};
  return static_cast<int>(std::chrono::weekday(sys_days(date)).c_encoding());
}

// Returns the working day next to `day` in the same month.
int nearest_weekday(int year, int month, int day) {
  const int weekday = weekday_of(year, month, day);
  if (weekday == 6) return day > 1 ? day - 1 : day + 2;
  if (weekday == 0) return day < last_day_of(year, month) ? day + 1 : day - 2;
  return day;
}

}  // namespace

class CronParser {
 public:
  // Returns false if the text is not a cron expression.
  bool parse(std::string_view text, Cron& cron) {
    for (const Macro& macro : kMacros) {
      if (text == macro.name) text = macro.text;
    }
    std::vector<std::string> fields;
    std::string field;
    for (const char c : text) {
      if (c != ' ' && c != '\t') {
        field += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      } else if (!field.empty()) {
        fields.push_back(std::move(field));
        field.clear();
      }
    }
    if (!field.empty()) fields.push_back(std::move(field));
    return fields.size() == 6 && list(fields[0], 0, 59, {}, cron.seconds_) &&
           list(fields[1], 0, 59, {}, cron.minutes_) && list(fields[2], 0, 23, {}, cron.hours_) &&
           day_of_month(fields[3], cron) && list(fields[4], 1, 12, kMonths, cron.months_) &&
           day_of_week(fields[5], cron);
  }

 private:
  using Names = std::span<const std::string_view>;

  static std::optional<int> value(std::string_view text, int min, int max, Names names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (text == names[i]) return static_cast<int>(i) + 1;
    }
    const std::optional<int> parsed = number(text);
    if (!parsed || *parsed < min || *parsed > max) return std::nullopt;
    return parsed;
  }

  // Reads comma-separated "*", v, v-v, each with an optional "/step".
  template <std::size_t N>
  static bool list(std::string_view text, int min, int max, Names names, std::bitset<N>& bits) {
    while (true) {
      const std::size_t comma = text.find(',');
      if (!item(text.substr(0, comma), min, max, names, bits)) return false;
      if (comma == std::string_view::npos) return true;
      text.remove_prefix(comma + 1);
    }
  }

  template <std::size_t N>
  static bool item(std::string_view text, int min, int max, Names names, std::bitset<N>& bits) {
    int step = 1;
    const std::size_t slash = text.find('/');
    if (slash != std::string_view::npos) {
      const std::optional<int> parsed = number(text.substr(slash + 1));
      if (!parsed || *parsed < 1) return false;
      step = *parsed;
      text = text.substr(0, slash);
    }
    int low = min;
    int high = max;
    if (text != "*") {
      const std::size_t dash = text.find('-');
      const std::optional<int> first = value(text.substr(0, dash), min, max, names);
      if (!first) return false;
      low = *first;
      if (dash != std::string_view::npos) {
        const std::optional<int> last = value(text.substr(dash + 1), min, max, names);
        if (!last) return false;
        high = *last;
        // Sunday begins a range as 0 and ends it as 7.
        if (N == 7 && low == 7) low = 0;
      } else if (slash == std::string_view::npos) {
        high = low;
      }
    }
    if (low > high) return false;
    for (int i = low; i <= high; i += step) {
      bits.set(static_cast<std::size_t>(N == 7 ? i % 7 : i));
      if (i > high - step) break;  // a step may be as large as an int
    }
    return true;
  }

  static bool day_of_month(std::string_view text, Cron& cron) {
    if (text == "?") text = "*";
    if (text == "LW") {
      cron.day_rule_ = Cron::DayRule::LastWeekday;
      return true;
    }
    if (text == "L" || text.starts_with("L-")) {
      const std::optional<int> before = text == "L" ? 0 : number(text.substr(2));
      if (!before || *before > 30) return false;
      cron.day_rule_ = Cron::DayRule::Last;
      cron.day_argument_ = *before;
      return true;
    }
    if (text.ends_with('W')) {
      const std::optional<int> day = value(text.substr(0, text.size() - 1), 1, 31, {});
      if (!day) return false;
      cron.day_rule_ = Cron::DayRule::NearestWeekday;
      cron.day_argument_ = *day;
      return true;
    }
    return list(text, 1, 31, {}, cron.days_);
  }

  static bool day_of_week(std::string_view text, Cron& cron) {
    if (text == "?") text = "*";
    std::optional<int> day;
    if (const std::size_t hash = text.find('#'); hash != std::string_view::npos) {
      day = value(text.substr(0, hash), 0, 7, kWeekdays);
      const std::optional<int> nth = value(text.substr(hash + 1), 1, 5, {});
      if (!day || !nth) return false;
      cron.weekday_rule_ = Cron::WeekdayRule::NthOfMonth;
      cron.weekday_nth_ = *nth;
    } else if (text.size() > 1 && text.ends_with('L')) {
      day = value(text.substr(0, text.size() - 1), 0, 7, kWeekdays);
      if (!day) return false;
      cron.weekday_rule_ = Cron::WeekdayRule::LastOfMonth;
    } else {
      return list(text, 0, 7, kWeekdays, cron.weekdays_);
    }
    cron.weekdays_.set(static_cast<std::size_t>(*day % 7));
    return true;
  }
};

Result<Cron, std::string> Cron::parse(std::string_view text) {
  Cron cron;
  const std::string_view shown = cut(text);
  if (!CronParser().parse(text, cron)) {
    return failure(
        fmt::format("'{}' is not a valid cycle: expected R[n]/[start/]duration or a cron "
                    "expression of six fields",
                    shown));
  }
  if (!cron.next(Timestamp{0}, nullptr)) {
    return failure(fmt::format("'{}' is not a valid cycle: it never matches", shown));
  }
  return cron;
}

bool Cron::day_matches(int year, int month, int day) const {
  const int last = last_day_of(year, month);
  switch (day_rule_) {
    case DayRule::Set:
      if (!days_.test(static_cast<std::size_t>(day))) return false;
      break;
    case DayRule::Last:
      if (day != last - day_argument_) return false;
      break;
    case DayRule::NearestWeekday:
      if (day_argument_ > last || day != nearest_weekday(year, month, day_argument_)) return false;
      break;
    case DayRule::LastWeekday:
      if (day != nearest_weekday(year, month, last)) return false;
      break;
  }
  if (!weekdays_.test(static_cast<std::size_t>(weekday_of(year, month, day)))) return false;
  switch (weekday_rule_) {
    case WeekdayRule::Set:
      return true;
    case WeekdayRule::LastOfMonth:
      return day + 7 > last;
    case WeekdayRule::NthOfMonth:
      return (day - 1) / 7 + 1 == weekday_nth_;
  }
  return false;
}

int Cron::time_at_or_after(int second_of_day) const {
  const int first_second = first_at(seconds_, 0);
  const int first_minute = first_at(minutes_, 0);
  int hour = second_of_day / 3600;
  int minute = second_of_day / 60 % 60;
  // A field that advances resets the finer fields to their first values.
  int second = first_at(seconds_, second_of_day % 60);
  if (second < 0) {
    second = first_second;
    ++minute;
  }
  const int matching_minute = first_at(minutes_, minute);
  if (matching_minute != minute) second = first_second;
  if (matching_minute < 0) ++hour;
  minute = matching_minute < 0 ? first_minute : matching_minute;
  const int matching_hour = first_at(hours_, hour);
  if (matching_hour < 0) return -1;
  if (matching_hour != hour) {
    minute = first_minute;
    second = first_second;
  }
  return matching_hour * 3600 + minute * 60 + second;
}

std::optional<Timestamp> Cron::next(Timestamp after, Zone zone) const {
  std::optional<Timestamp> local = next_local(to_local(after, zone));
  // While clocks show an hour for the second time, its matches are over.
  while (local && from_local(*local, zone) <= after) local = next_local(*local);
  if (!local) return std::nullopt;
  return from_local(*local, zone);
}

std::optional<Timestamp> Cron::next_local(Timestamp after) const {
  constexpr std::int64_t kLatestMillis = 253'402'300'799'999;
  if (after.millis() >= kLatestMillis || after.millis() < -kLatestMillis) return std::nullopt;
  const std::chrono::sys_time<Milliseconds> instant{Milliseconds{after.millis()}};
  const auto from = std::chrono::floor<std::chrono::seconds>(instant) + std::chrono::seconds{1};
  const sys_days first_date = std::chrono::floor<days>(from);
  const int last_year =
      std::min(kYearMax, static_cast<int>(year_month_day(first_date).year()) + kYearsOfCalendar);
  sys_days date = first_date;
  while (true) {
    const year_month_day ymd{date};
    const int year = static_cast<int>(ymd.year());
    const int month = static_cast<int>(static_cast<unsigned>(ymd.month()));
    if (year > last_year) return std::nullopt;
    if (!months_.test(static_cast<std::size_t>(month))) {
      date = sys_days((ymd.year() / ymd.month() + std::chrono::months{1}) / 1);
      continue;
    }
    if (day_matches(year, month, static_cast<int>(static_cast<unsigned>(ymd.day())))) {
      const std::int64_t earliest = date == first_date ? (from - date).count() : 0;
      if (const int second = time_at_or_after(static_cast<int>(earliest)); second >= 0) {
        return Timestamp{(date.time_since_epoch().count() * 86'400LL + second) * 1000};
      }
    }
    date += days{1};
  }
}

}  // namespace beeline::bpmn
