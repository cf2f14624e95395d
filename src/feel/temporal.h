#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "feel/decimal.h"
#include "feel/time_zone.h"

// FEEL's calendar: dates, times, date-times and the two kinds of durations. The calendar is the
// proleptic Gregorian one, with years from -999 999 999 to 999 999 999 and nanoseconds. A function
// whose result can leave that range, or may not exist, returns an optional; the evaluator turns an
// empty one into null.
namespace beeline::feel {

__extension__ typedef __int128 Nanoseconds;  // wide enough for the whole range of dates

inline constexpr std::int64_t kNanosPerSecond = 1'000'000'000;
inline constexpr std::int64_t kSecondsPerDay = 86'400;
inline constexpr std::int64_t kNanosPerDay = kSecondsPerDay * kNanosPerSecond;
inline constexpr std::int64_t kYearMax = 999'999'999;

// Which texts are accepted: Lenient (the workflow dialect) also accepts 13:30, T13:30:00 and
// +01:00[Europe/Paris], as Camunda does.
enum class TextForms { Strict, Lenient };

// Decides if fractions of a second count in equality. The dmn dialect ignores them.
enum class Fractions { Compared, Ignored };

// A signed number of months.
struct YearsMonthsDuration {
  std::int64_t months = 0;

  // Parses "P1Y2M" or "-P3M"; the text must have at least one part.
  [[nodiscard]] static std::optional<YearsMonthsDuration> parse(std::string_view text);
  [[nodiscard]] std::string to_string() const;  // "P1Y2M", zero is "P0M"

  [[nodiscard]] std::int64_t years_part() const { return months / 12; }
  [[nodiscard]] std::int64_t months_part() const { return months % 12; }

  [[nodiscard]] std::optional<YearsMonthsDuration> negated() const;
  [[nodiscard]] std::optional<YearsMonthsDuration> plus(YearsMonthsDuration other) const;
  [[nodiscard]] std::optional<YearsMonthsDuration> minus(YearsMonthsDuration other) const;
  [[nodiscard]] std::optional<YearsMonthsDuration> times(const Decimal& factor) const;
  [[nodiscard]] std::optional<YearsMonthsDuration> divided_by(const Decimal& divisor) const;
  [[nodiscard]] std::optional<Decimal> divided_by(YearsMonthsDuration divisor) const;
  friend auto operator<=>(YearsMonthsDuration, YearsMonthsDuration) = default;
};

// A signed length of time in nanoseconds, kept as seconds and the nanoseconds above them (0 up to
// 999 999 999), so 16 bytes cover the distance between any two dates.
struct DaysTimeDuration {
  std::int64_t seconds = 0;
  std::int32_t nanos = 0;

  [[nodiscard]] static std::optional<DaysTimeDuration> from_nanoseconds(Nanoseconds total);
  [[nodiscard]] static DaysTimeDuration from_seconds(std::int64_t seconds) { return {seconds, 0}; }
  // Parses "P1DT2H3M4.5S" or "-PT1H"; the text must have at least one part.
  [[nodiscard]] static std::optional<DaysTimeDuration> parse(std::string_view text);
  [[nodiscard]] std::string to_string() const;  // normalised: PT26H is P1DT2H; zero is "PT0S"

  [[nodiscard]] Nanoseconds total_nanoseconds() const {
    return static_cast<Nanoseconds>(seconds) * kNanosPerSecond + nanos;
  }
  [[nodiscard]] Decimal total_seconds() const;
  [[nodiscard]] bool is_negative() const { return seconds < 0; }
  // The parts of the normalised form, each with the sign of the duration.
  [[nodiscard]] std::int64_t days_part() const;
  [[nodiscard]] std::int64_t hours_part() const;
  [[nodiscard]] std::int64_t minutes_part() const;
  [[nodiscard]] std::int64_t seconds_part() const;  // whole seconds

  [[nodiscard]] std::optional<DaysTimeDuration> negated() const;
  [[nodiscard]] std::optional<DaysTimeDuration> plus(DaysTimeDuration other) const;
  [[nodiscard]] std::optional<DaysTimeDuration> minus(DaysTimeDuration other) const;
  [[nodiscard]] std::optional<DaysTimeDuration> times(const Decimal& factor) const;
  [[nodiscard]] std::optional<DaysTimeDuration> divided_by(const Decimal& divisor) const;
  [[nodiscard]] std::optional<Decimal> divided_by(DaysTimeDuration divisor) const;
  friend auto operator<=>(DaysTimeDuration, DaysTimeDuration) = default;
};

// How a time relates to UTC: not at all (local), by a fixed offset, or by a zone of the database.
struct ZoneInfo {
  enum class Form : std::uint8_t { Local, Offset, Zone };
  static constexpr std::int32_t kUnresolved = INT32_MIN;

  Form form = Form::Local;
  // Seconds east of UTC. For a zone: the offset on the day of the date-time that it belongs to,
  // which distinguishes the two readings of an hour that clocks show twice, or kUnresolved.
  std::int32_t offset = 0;
  const TimeZone* zone = nullptr;  // lives as long as the process; Form::Zone only

  [[nodiscard]] static ZoneInfo local() { return {}; }
  [[nodiscard]] static ZoneInfo utc() { return {Form::Offset, 0, nullptr}; }
  [[nodiscard]] static ZoneInfo at_offset(std::int32_t seconds) {
    return {Form::Offset, seconds, nullptr};
  }
  [[nodiscard]] static ZoneInfo in_zone(const TimeZone& zone) {
    return {Form::Zone, kUnresolved, &zone};
  }
  [[nodiscard]] bool is_local() const { return form == Form::Local; }
  [[nodiscard]] std::string to_string() const;  // "", "Z", "+01:00", "@Europe/Paris"
  friend bool operator==(const ZoneInfo& a, const ZoneInfo& b) {
    return a.form == b.form && a.zone == b.zone && (a.form != Form::Offset || a.offset == b.offset);
  }
};

// A day, counted from 1970-01-01.
struct Date {
  std::int64_t days = 0;

  // Returns nothing if there is no such day.
  [[nodiscard]] static std::optional<Date> from_civil(std::int64_t year, std::int64_t month,
                                                      std::int64_t day);
  // Returns nothing if the year of the day is out of range.
  [[nodiscard]] static std::optional<Date> from_days(std::int64_t days);
  [[nodiscard]] static std::optional<Date> parse(std::string_view text);
  [[nodiscard]] std::string to_string() const;

  [[nodiscard]] std::int64_t year() const;
  [[nodiscard]] int month() const;
  [[nodiscard]] int day() const;
  [[nodiscard]] int weekday() const;  // Monday 1 ... Sunday 7
  [[nodiscard]] int day_of_year() const;
  [[nodiscard]] int week_of_year() const;  // ISO 8601
  [[nodiscard]] Date last_day_of_month() const;

  [[nodiscard]] std::optional<Date> plus(
      YearsMonthsDuration duration) const;  // clamped to month end
  [[nodiscard]] std::optional<Date> plus(
      DaysTimeDuration duration) const;  // from midnight, floored
  [[nodiscard]] DaysTimeDuration minus(Date other) const;
  friend auto operator<=>(Date, Date) = default;
};

// English names, as in the results of day of week() and month of year(). The arguments are those of
// weekday() and month().
[[nodiscard]] std::string_view weekday_name(int weekday);
[[nodiscard]] std::string_view month_name(int month);
// Returns the whole months from one day to the other, negative if `to` is earlier.
[[nodiscard]] YearsMonthsDuration years_and_months_between(Date from, Date to);

// A time of day.
struct Time {
  std::int64_t nanos = 0;  // of the day, 0 up to 86 399 999 999 999
  ZoneInfo zone;

  // Returns nothing if a field is out of range. The second may have a fraction.
  [[nodiscard]] static std::optional<Time> from_fields(std::int64_t hour, std::int64_t minute,
                                                       const Decimal& second, ZoneInfo zone);
  [[nodiscard]] static std::optional<Time> parse(std::string_view text,
                                                 TextForms forms = TextForms::Strict);
  [[nodiscard]] std::string to_string() const;

  [[nodiscard]] int hour() const { return static_cast<int>(nanos / kNanosPerSecond / 3600); }
  [[nodiscard]] int minute() const { return static_cast<int>(nanos / kNanosPerSecond / 60 % 60); }
  [[nodiscard]] int second() const { return static_cast<int>(nanos / kNanosPerSecond % 60); }
  [[nodiscard]] int nanosecond() const { return static_cast<int>(nanos % kNanosPerSecond); }
  // Empty if the time is local. A zone without a date counts with its standard offset.
  [[nodiscard]] std::optional<DaysTimeDuration> time_offset() const;
  [[nodiscard]] std::optional<std::string> timezone() const;  // the name of its zone

  [[nodiscard]] Time plus(DaysTimeDuration duration) const;  // modulo one day
  [[nodiscard]] Time minus(DaysTimeDuration duration) const;
  // The difference is signed; it is empty if one time is local and the other is not.
  [[nodiscard]] std::optional<DaysTimeDuration> minus(const Time& other) const;
};

// A time on a day.
struct DateTime {
  Date date;
  Time time;

  // Combines the fields; local fields that a zone skips move forward by the gap.
  [[nodiscard]] static std::optional<DateTime> from_date_and_time(Date date, Time time);
  // Returns the fields that clocks of the zone show at this instant (nanoseconds since 1970 UTC).
  [[nodiscard]] static std::optional<DateTime> from_instant(Nanoseconds instant, ZoneInfo zone);
  [[nodiscard]] static DateTime midnight_utc(Date date) { return {date, {0, ZoneInfo::utc()}}; }
  [[nodiscard]] static DateTime midnight_local(Date date) { return {date, {0, ZoneInfo::local()}}; }
  // Also accepts a bare date, as local midnight.
  [[nodiscard]] static std::optional<DateTime> parse(std::string_view text,
                                                     TextForms forms = TextForms::Strict);
  [[nodiscard]] std::string to_string() const;
  // Returns the form in JSON variables: the offset is always written, followed by the zone's name
  // in brackets.
  [[nodiscard]] std::string to_iso_string() const;

  [[nodiscard]] bool is_local() const { return time.zone.is_local(); }
  // Returns the seconds east of UTC on that day; 0 if local.
  [[nodiscard]] std::int32_t offset_seconds() const;
  [[nodiscard]] std::optional<DaysTimeDuration> time_offset() const;
  // Returns the nanoseconds since 1970 in UTC, or in local time if the value is local.
  [[nodiscard]] Nanoseconds instant() const;
  // Returns the same instant (or, for a local value, the same fields) in this zone.
  [[nodiscard]] std::optional<DateTime> in_zone(ZoneInfo zone) const;

  [[nodiscard]] std::optional<DateTime> plus(YearsMonthsDuration duration) const;
  [[nodiscard]] std::optional<DateTime> plus(DaysTimeDuration duration) const;  // on the time line
  // Empty if one value is local and the other is not.
  [[nodiscard]] std::optional<DaysTimeDuration> minus(const DateTime& other) const;
};

// Order and equality by instant; empty if one value is local and the other is not.
[[nodiscard]] std::optional<std::strong_ordering> compare(const Time& a, const Time& b);
[[nodiscard]] std::optional<std::strong_ordering> compare(const DateTime& a, const DateTime& b);
[[nodiscard]] std::optional<bool> equal(const Time& a, const Time& b, Fractions fractions);
[[nodiscard]] std::optional<bool> equal(const DateTime& a, const DateTime& b, Fractions fractions);
// The stricter is(a, b): same fields and the same form of zone; Z and +00:00 are the same.
[[nodiscard]] bool identical(const Time& a, const Time& b);
[[nodiscard]] bool identical(const DateTime& a, const DateTime& b);
// Values that compare equal have equal hashes.
[[nodiscard]] std::size_t hash(const Time& time, Fractions fractions);
[[nodiscard]] std::size_t hash(const DateTime& date_time, Fractions fractions);

}  // namespace beeline::feel
