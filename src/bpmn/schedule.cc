#include "bpmn/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <limits>

#include "bpmn/text.h"

namespace beeline::bpmn {
namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::year_month_day;

// The last millisecond of the year 9999.
constexpr Timestamp kLatest{253'402'300'799'999};

// Ten thousand years, in days and in milliseconds.
constexpr std::int64_t kStepsMax = 3'660'000;
constexpr std::int64_t kMillisMax = kStepsMax * 86'400'000;

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Reads a text from left to right.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  [[nodiscard]] std::string_view rest() const { return rest_; }
  bool take(char c) {
    if (peek() != c || rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take_either_case(char upper) {
    return take(upper) || take(static_cast<char>(upper - 'A' + 'a'));
  }
  // Reads exactly `count` digits.
  std::optional<int> digits(std::size_t count) {
    if (rest_.size() < count) return std::nullopt;
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_digit(rest_[i])) return std::nullopt;
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(count);
    return value;
  }
  // Reads one or more digits. The value is limited so that later arithmetic stays in range.
  std::optional<std::int64_t> number() {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (rest_.empty() || !is_digit(rest_.front()) || error != std::errc()) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  // Reads the digits after a decimal point as milliseconds; further digits are cut off.
  std::optional<int> fraction() {
    int millis = 0;
    std::size_t count = 0;
    for (; count < rest_.size() && is_digit(rest_[count]); ++count) {
      if (count < 3) millis = millis * 10 + (rest_[count] - '0');
    }
    if (count == 0 || count > 9) return std::nullopt;
    for (std::size_t i = count; i < 3; ++i) millis *= 10;
    rest_.remove_prefix(count);
    return millis;
  }

 private:
  std::string_view rest_;
};

// Reads "+02:00", "-05" or "Z"; returns seconds.
std::optional<std::int64_t> read_offset(Cursor& cursor) {
  if (cursor.take_either_case('Z')) return 0;
  const bool negative = cursor.peek() == '-';
  if (!cursor.take('+') && !cursor.take('-')) return std::nullopt;
  const std::optional<int> hours = cursor.digits(2);
  if (!hours || *hours > 18) return std::nullopt;
  std::int64_t seconds = *hours * 3600;
  for (const int unit : {60, 1}) {
    if (!cursor.take(':')) break;
    const std::optional<int> part = cursor.digits(2);
    if (!part || *part > 59) return std::nullopt;
    seconds += *part * unit;
  }
  return negative ? -seconds : seconds;
}

// Reads "[Europe/Berlin]", or nothing; returns false if it is not a zone.
bool read_zone(Cursor& cursor, Zone& zone) {
  if (!cursor.take('[')) return true;
  const std::string_view name = cursor.rest().substr(0, cursor.rest().find(']'));
  zone = feel::TimeZone::find(name);
  for (const char c : name) cursor.take(c);
  return zone != nullptr && cursor.take(']');
}

struct ZonedDate {
  Timestamp at;
  Zone zone = nullptr;  // if it names one
};

std::optional<ZonedDate> read_date(Cursor& cursor) {
  const auto year = cursor.digits(4);
  if (!year || !cursor.take('-')) return std::nullopt;
  const auto month = cursor.digits(2);
  if (!month || !cursor.take('-')) return std::nullopt;
  const auto day = cursor.digits(2);
  if (!day || !cursor.take_either_case('T')) return std::nullopt;
  const year_month_day date{std::chrono::year{*year},
                            std::chrono::month{static_cast<unsigned>(*month)},
                            std::chrono::day{static_cast<unsigned>(*day)}};
  const auto hour = cursor.digits(2);
  if (!date.ok() || !hour || *hour > 23 || !cursor.take(':')) return std::nullopt;
  const auto minute = cursor.digits(2);
  if (!minute || *minute > 59) return std::nullopt;
  int second = 0;
  int millis = 0;
  if (cursor.take(':')) {
    const auto seconds = cursor.digits(2);
    if (!seconds || *seconds > 59) return std::nullopt;
    second = *seconds;
    if (cursor.take('.')) {
      const auto fraction = cursor.fraction();
      if (!fraction) return std::nullopt;
      millis = *fraction;
    }
  }
  const auto offset = read_offset(cursor);
  ZonedDate result;
  if (!offset || !read_zone(cursor, result.zone) || !cursor.at_end()) return std::nullopt;
  const std::int64_t at = sys_days(date).time_since_epoch().count() * 86'400LL + *hour * 3600LL +
                          *minute * 60LL + second - *offset;
  result.at = Timestamp{at * 1000 + millis};
  return result;
}

Result<ZonedDate, std::string> parse_zoned_date(std::string_view text) {
  Cursor cursor(text);
  const std::optional<ZonedDate> date = read_date(cursor);
  if (date) return *date;
  return failure(fmt::format(
      "'{}' is not a valid ISO 8601 date-time with an offset, such as 2026-10-01T12:00:00Z",
      cut(text)));
}

std::int64_t floor_to_seconds(Timestamp at) {
  const std::int64_t millis = at.millis();
  return millis / 1000 - (millis % 1000 < 0 ? 1 : 0);
}

// Reads the value of each designator with its sign. `total` limits keep later arithmetic in range.
class DurationReader {
 public:
  explicit DurationReader(std::string_view text) : cursor_(text) {}

  std::optional<Duration> read() {
    const std::int64_t sign = cursor_.peek() == '-' ? -1 : 1;
    if (!cursor_.take('-')) cursor_.take('+');
    if (!cursor_.take('P')) return std::nullopt;
    bool any = read_fields("YMWD", {12, 1, 7, 1}, false);
    if (cursor_.take('T')) {
      if (!read_fields("HMS", {3'600'000, 60'000, 1000}, true)) return std::nullopt;
      any = true;
    }
    if (!any || bad_ || !cursor_.at_end()) return std::nullopt;
    return Duration{.months = static_cast<std::int32_t>(sign * months_),
                    .days = static_cast<std::int32_t>(sign * days_),
                    .time = Milliseconds{sign * millis_}};
  }

 private:
  // Reads as many of these fields as there are, in this order; returns whether there was any.
  bool read_fields(std::string_view designators, std::array<std::int64_t, 4> factors,
                   bool is_time) {
    std::size_t next = 0;
    bool any = false;
    while (!bad_ && (is_digit(cursor_.peek()) || cursor_.peek() == '-' || cursor_.peek() == '+')) {
      const std::int64_t sign = cursor_.peek() == '-' ? -1 : 1;
      if (!cursor_.take('-')) cursor_.take('+');
      const std::optional<std::int64_t> value = cursor_.number();
      std::optional<int> fraction;
      if (value && cursor_.take('.')) {
        fraction = cursor_.fraction();
        if (!fraction) return bad_ = true;
      }
      const std::size_t at =
          cursor_.at_end() ? std::string_view::npos : designators.find(cursor_.peek(), next);
      if (!value || at == std::string_view::npos) return bad_ = true;
      if (fraction && designators[at] != 'S') return bad_ = true;
      cursor_.take(designators[at]);
      next = at + 1;
      any = true;
      add(is_time ? millis_ : (at < 2 ? months_ : days_), sign, *value, factors[at],
          fraction.value_or(0), is_time ? kMillisMax : kStepsMax);
    }
    return any;
  }

  void add(std::int64_t& total, std::int64_t sign, std::int64_t value, std::int64_t factor,
           std::int64_t rest, std::int64_t max) {
    if (value > max / factor) {
      bad_ = true;
      return;
    }
    total += sign * (value * factor + rest);
    if (total > max || total < -max) bad_ = true;
  }

  Cursor cursor_;
  bool bad_ = false;
  std::int64_t months_ = 0;
  std::int64_t days_ = 0;
  std::int64_t millis_ = 0;
};

Result<Schedule, std::string> parse_repeating(std::string_view text) {
  const auto invalid = [&](std::string_view why) {
    return failure(fmt::format("'{}' is not a valid cycle: {}", cut(text), why));
  };
  Schedule schedule{.kind = TimerKind::Cycle, .start = {}, .interval = {}, .cron = {}};
  const std::size_t first = text.find('/');
  if (first == std::string_view::npos) return invalid("expected R[n]/[start/]duration or cron");
  const std::string_view count = text.substr(1, first - 1);
  if (count.empty() || count == "-1") {
    schedule.repetitions = kRepeatForever;
  } else {
    std::int32_t n = 0;
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), n);
    if (error != std::errc() || end != count.data() + count.size() || n < 0) {
      return invalid("expected a number of repetitions after 'R'");
    }
    schedule.repetitions = std::max(n, 1);
  }
  std::string_view rest = text.substr(first + 1);
  // Uses the last slash, because the name of a zone may contain slashes.
  if (const std::size_t second = rest.rfind('/'); second != std::string_view::npos) {
    if (const std::string_view start = rest.substr(0, second); !start.empty()) {
      const Result<ZonedDate, std::string> date = parse_zoned_date(start);
      if (!date) return invalid(date.error());
      schedule.start = date->at;
      schedule.zone = date->zone;
    }
    rest = rest.substr(second + 1);
  }
  const Result<Duration, std::string> interval = parse_duration(rest);
  if (!interval) return invalid(interval.error());
  schedule.interval = *interval;
  // The interval is measured from a date whose months have the usual length.
  constexpr Timestamp kUsual{0};
  const std::optional<Timestamp> step = add(kUsual, *interval, nullptr);
  if (schedule.repetitions != 1 && step && *step <= kUsual) {
    return invalid("expected an interval above zero, since it repeats");
  }
  return schedule;
}

}  // namespace

Result<Timestamp, std::string> parse_date(std::string_view text) {
  BEELINE_TRY(const ZonedDate date, parse_zoned_date(text));
  return date.at;
}

std::string short_date_time(std::string_view text) {
  const std::size_t time = text.find('T') + 1;
  const std::size_t offset = std::min(text.find_first_of("Z+-", time), text.size());
  std::string_view clock = text.substr(0, offset);
  std::string_view rest = text.substr(offset);
  const std::size_t seconds = time + 5;  // behind hh:mm
  if (clock.substr(std::min(seconds, clock.size())).find_first_not_of(":.0") ==
      std::string_view::npos) {
    clock = clock.substr(0, seconds);
  }
  std::string out(clock);
  constexpr std::string_view kUtc = "+00:00";
  if (rest.starts_with(kUtc)) {
    out += 'Z';
    rest.remove_prefix(kUtc.size());
  }
  return out += rest;
}

std::string with_offset(std::string_view text, Zone zone) {
  const auto local = parse_date(fmt::format("{}Z", text));
  if (!local) return std::string(text);
  const std::int64_t minutes = (*local - from_local(*local, zone)).count() / 60'000;
  if (minutes == 0) return fmt::format("{}Z", text);
  return fmt::format("{}{}{:02}:{:02}", text, minutes < 0 ? '-' : '+', std::abs(minutes) / 60,
                     std::abs(minutes) % 60);
}

Result<Duration, std::string> parse_duration(std::string_view text) {
  const std::optional<Duration> duration = DurationReader(text).read();
  if (!duration) {
    return failure(
        fmt::format("'{}' is not a valid ISO 8601 duration, such as PT15S or P1DT2H", cut(text)));
  }
  return *duration;
}

Timestamp to_local(Timestamp instant, Zone zone) {
  if (zone == nullptr) return instant;
  return instant + Milliseconds{zone->offset_at(floor_to_seconds(instant)) * 1000LL};
}

Timestamp from_local(Timestamp local, Zone zone) {
  if (zone == nullptr) return local;
  return local + Milliseconds{zone->offset_at_local(floor_to_seconds(local)) * -1000LL};
}

std::optional<Timestamp> add(Timestamp at, const Duration& duration, Zone zone) {
  if (at > kLatest || at < Timestamp{-kLatest.millis()}) return std::nullopt;
  Timestamp stepped = at;
  if (duration.months != 0 || duration.days != 0) {
    const std::chrono::sys_time<Milliseconds> local{Milliseconds{to_local(at, zone).millis()}};
    sys_days date = std::chrono::floor<days>(local);
    const Milliseconds time_of_day = local - date;
    if (duration.months != 0) {
      const year_month_day from{date};
      const std::int64_t month = static_cast<int>(from.year()) * 12LL +
                                 static_cast<unsigned>(from.month()) - 1 + duration.months;
      if (month < 0 || month >= 10'000 * 12) return std::nullopt;
      const std::chrono::year_month to{std::chrono::year{static_cast<int>(month / 12)},
                                       std::chrono::month{static_cast<unsigned>(month % 12) + 1}};
      const std::chrono::day last = (to / std::chrono::last).day();
      date = sys_days(to / std::min(from.day(), last));
    }
    const Timestamp clock =
        Timestamp{std::chrono::sys_time<Milliseconds>(date).time_since_epoch().count()} +
        time_of_day + Milliseconds{duration.days * 86'400'000LL};
    stepped = from_local(clock, zone);
  }
  const Timestamp result = stepped + duration.time;
  if (result > kLatest) return std::nullopt;
  return result;
}

Result<Schedule, std::string> parse_schedule(TimerKind kind, std::string_view text) {
  Schedule schedule{.kind = kind, .start = {}, .interval = {}, .cron = {}};
  switch (kind) {
    case TimerKind::Date: {
      BEELINE_TRY(schedule.start, parse_date(text));
      return schedule;
    }
    case TimerKind::Duration: {
      BEELINE_TRY(schedule.interval, parse_duration(text));
      return schedule;
    }
    case TimerKind::Cycle:
      break;
  }
  if (text.starts_with('R')) return parse_repeating(text);
  BEELINE_TRY(schedule.cron, Cron::parse(text));
  schedule.repetitions = kRepeatForever;
  return schedule;
}

Result<Due, std::string> first_due(const Schedule& schedule, Timestamp now, Zone zone) {
  std::optional<Timestamp> at;
  if (schedule.cron) {
    at = schedule.cron->next(now, zone);
  } else if (schedule.start) {
    at = schedule.start;
  } else {
    at = add(now, schedule.interval, zone);
  }
  if (!at) return failure(std::string("The timer is due beyond the year 9999"));
  return Due{.at = std::max(*at, now), .repetitions = schedule.repetitions};
}

std::optional<Due> next_due(const Schedule& schedule, const Due& fired, Timestamp now, Zone zone) {
  if (fired.repetitions == 1) return std::nullopt;
  const std::int32_t left =
      fired.repetitions == kRepeatForever ? kRepeatForever : fired.repetitions - 1;
  if (schedule.cron) {
    const std::optional<Timestamp> at = schedule.cron->next(now, zone);
    if (!at) return std::nullopt;
    return Due{.at = *at, .repetitions = left};
  }
  if (schedule.zone != nullptr) zone = schedule.zone;
  Timestamp at = fired.at;
  const Duration& interval = schedule.interval;
  // Skips missed steps at once if all steps have one length. Where clocks may change, one or two of
  // them remain; steps with months are taken one by one.
  if (interval.months == 0) {
    const Milliseconds step = Milliseconds{interval.days * 86'400'000LL} + interval.time;
    if (step <= Milliseconds{0}) return std::nullopt;
    const std::int64_t missed = now > at ? (now - at) / step - 1 : 0;
    if (missed > 0 && missed * interval.days < kStepsMax) {
      const std::optional<Timestamp> skipped = add(
          at, {0, static_cast<std::int32_t>(missed * interval.days), interval.time * missed}, zone);
      if (skipped) at = *skipped;
    }
  }
  do {
    const std::optional<Timestamp> next = add(at, interval, zone);
    if (!next || *next <= at) return std::nullopt;
    at = *next;
  } while (at <= now);
  return Due{.at = at, .repetitions = left};
}

}  // namespace beeline::bpmn
