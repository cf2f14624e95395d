#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "bpmn/parts.h"
#include "feel/time_zone.h"

// When a timer fires: the texts of timeDate, timeDuration and timeCycle, and the arithmetic on
// them. All functions are pure. An error is a sentence that quotes the text.
//
//     date      2026-10-01T12:00:00Z, ...+02:00, ...+02:00[Europe/Berlin]
//     duration  PT15S, P14DT1H30M, P1Y6M, P2W, -PT5S
//     cycle     R3/PT10S, R/2026-04-27T17:20:00Z/P1D, or cron: "0 0 9-17 * * MON-FRI", "@daily"
//
// Years, months, weeks and days are steps of the calendar and keep the time that clocks show in a
// zone: a local time that clocks skip moves forward by the gap; of a local time that comes twice,
// the first counts. Hours and smaller units are exact.
namespace beeline::bpmn {

// The zone whose clocks count; null is UTC.
using Zone = const feel::TimeZone*;

// A duration in a calendar part and an exact part; each may be negative.
struct Duration {
  std::int32_t months = 0;  // a year is twelve months
  std::int32_t days = 0;    // a week is seven days
  Milliseconds time{0};
  bool operator==(const Duration&) const = default;
};

[[nodiscard]] Result<Timestamp, std::string> parse_date(std::string_view text);
[[nodiscard]] Result<Duration, std::string> parse_duration(std::string_view text);

// Returns the date and time in the shortest form of ISO 8601: without seconds that are zero, and
// with "Z" for the offset "+00:00". `text` must be one that parse_date accepts.
[[nodiscard]] std::string short_date_time(std::string_view text);
// Appends the zone's offset at that time to a date and time without offset. Returns any other text
// unchanged.
[[nodiscard]] std::string with_offset(std::string_view text, Zone zone);

// Adds months (the day is cut to the month's end: Jan 31 + P1M is Feb 28), then days, then time.
// Returns nothing if the result lies beyond the year 9999.
[[nodiscard]] std::optional<Timestamp> add(Timestamp at, const Duration& duration,
                                           Zone zone = nullptr);

// Converts an instant to the time that clocks of the zone show, expressed as if it were UTC, and
// back.
[[nodiscard]] Timestamp to_local(Timestamp instant, Zone zone);
[[nodiscard]] Timestamp from_local(Timestamp local, Zone zone);

// Six fields: second, minute, hour, day of month, month, day of week. When both day fields are
// restricted, both must match.
class Cron {
 public:
  [[nodiscard]] static Result<Cron, std::string> parse(std::string_view text);
  // Returns the first match later than `after`. There always is one, since parse() refuses a cron
  // expression that never matches, unless it lies beyond the year 9999.
  [[nodiscard]] std::optional<Timestamp> next(Timestamp after, Zone zone = nullptr) const;

 private:
  friend class CronParser;
  // Like next() for clocks without a zone.
  [[nodiscard]] std::optional<Timestamp> next_local(Timestamp after) const;
  [[nodiscard]] bool day_matches(int year, int month, int day) const;
  // Returns the first matching second of a day, or -1 if this day has no more.
  [[nodiscard]] int time_at_or_after(int second_of_day) const;

  enum class DayRule : std::uint8_t { Set, Last, NearestWeekday, LastWeekday };
  enum class WeekdayRule : std::uint8_t { Set, LastOfMonth, NthOfMonth };
  std::bitset<60> seconds_;
  std::bitset<60> minutes_;
  std::bitset<24> hours_;
  std::bitset<32> days_;
  std::bitset<13> months_;
  std::bitset<7> weekdays_;  // 0 is Sunday
  DayRule day_rule_ = DayRule::Set;
  int day_argument_ = 0;  // Last: days before the last; NearestWeekday: the day
  WeekdayRule weekday_rule_ = WeekdayRule::Set;
  int weekday_nth_ = 0;
};

inline constexpr std::int32_t kRepeatForever = -1;

// A parsed text of one of the three kinds.
struct Schedule {
  TimerKind kind = TimerKind::Duration;
  std::optional<Timestamp> start;  // Date: the instant; Cycle: its start, if any
  Duration interval;               // Duration and Cycle
  std::int32_t repetitions = 1;    // Cycle: n, or kRepeatForever
  std::optional<Cron> cron;        // Cycle by cron
  Zone zone = nullptr;             // for a Cycle whose start names a zone
};

[[nodiscard]] Result<Schedule, std::string> parse_schedule(TimerKind kind, std::string_view text);

// The next time at which a timer fires, and how often it fires from then on, including that time:
// kRepeatForever or at least 1.
struct Due {
  Timestamp at;
  std::int32_t repetitions = 1;
  bool operator==(const Due&) const = default;
};

// Returns the first due time of a timer that is set at `now`; it is never before `now`. `zone` is
// for schedules that name no zone.
[[nodiscard]] Result<Due, std::string> first_due(const Schedule& schedule, Timestamp now,
                                                 Zone zone = nullptr);

// Returns the due time after `fired` was fired at `now`, or nothing if that was the last one. It
// steps from the last due time, not from now, so late firing causes no drift. Times that were
// missed completely are skipped: a timer fires once for all of them.
[[nodiscard]] std::optional<Due> next_due(const Schedule& schedule, const Due& fired, Timestamp now,
                                          Zone zone = nullptr);

}  // namespace beeline::bpmn
