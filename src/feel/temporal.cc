#include "feel/temporal.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

#include "feel/calendar.h"

namespace beeline::feel {
namespace {

constexpr std::int64_t kDaysMin = calendar::days_from_civil(-kYearMax, 1, 1);
constexpr std::int64_t kDaysMax = calendar::days_from_civil(kYearMax, 12, 31);

Nanoseconds floor_divide(Nanoseconds a, Nanoseconds b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

// Converts a whole number to a decimal. Nanosecond counts have at most 28 digits.
Decimal to_decimal(Nanoseconds value) {
  const bool negative = value < 0;
  const auto magnitude = negative ? -static_cast<Decimal::Coefficient>(value)
                                  : static_cast<Decimal::Coefficient>(value);
  return Decimal::make(negative, magnitude, 0).value_or(Decimal{});
}

// Returns the whole number next to the decimal; nothing beyond 10^30, which is beyond every
// duration.
std::optional<Nanoseconds> to_whole(const Decimal& value, RoundingMode mode) {
  const std::optional<Decimal> rounded = value.round(0, mode);
  if (!rounded) return std::nullopt;
  const Decimal whole = rounded->normalized();
  constexpr int kDigitsMax = 30;
  Decimal::Coefficient magnitude = whole.coefficient();
  Decimal::Coefficient limit = 1;
  for (int i = 0; i < kDigitsMax; ++i) limit *= 10;
  for (int i = 0; i < whole.exponent(); ++i) {
    if (magnitude > limit) return std::nullopt;
    magnitude *= 10;
  }
  if (magnitude > limit) return std::nullopt;
  const auto result = static_cast<Nanoseconds>(magnitude);
  return whole.is_negative() ? -result : result;
}

std::size_t hash_nanoseconds(Nanoseconds value) {
  const auto low = static_cast<std::uint64_t>(value);
  const auto high = static_cast<std::uint64_t>(value >> 64);
  return std::hash<std::uint64_t>{}(low ^ high * 0x9e3779b97f4a7c15U);
}

}  // namespace

// ---- durations ----------------------------------------------------------------------------------

std::optional<YearsMonthsDuration> YearsMonthsDuration::negated() const {
  return YearsMonthsDuration{0}.minus(*this);
}

std::optional<YearsMonthsDuration> YearsMonthsDuration::plus(YearsMonthsDuration other) const {
  YearsMonthsDuration sum;
  if (__builtin_add_overflow(months, other.months, &sum.months)) return std::nullopt;
  return sum;
}

std::optional<YearsMonthsDuration> YearsMonthsDuration::minus(YearsMonthsDuration other) const {
  YearsMonthsDuration difference;
  if (__builtin_sub_overflow(months, other.months, &difference.months)) return std::nullopt;
  return difference;
}

std::optional<YearsMonthsDuration> YearsMonthsDuration::times(const Decimal& factor) const {
  const std::optional<Decimal> product = Decimal::multiply(Decimal{months}, factor);
  const std::optional<std::int64_t> whole = product ? product->truncated_int64() : std::nullopt;
  if (!whole) return std::nullopt;
  return YearsMonthsDuration{*whole};
}

std::optional<YearsMonthsDuration> YearsMonthsDuration::divided_by(const Decimal& divisor) const {
  const std::optional<Decimal> quotient = Decimal::divide(Decimal{months}, divisor);
  const std::optional<std::int64_t> whole = quotient ? quotient->truncated_int64() : std::nullopt;
  if (!whole) return std::nullopt;
  return YearsMonthsDuration{*whole};
}

std::optional<Decimal> YearsMonthsDuration::divided_by(YearsMonthsDuration divisor) const {
  return Decimal::divide(Decimal{months}, Decimal{divisor.months});
}

std::optional<DaysTimeDuration> DaysTimeDuration::from_nanoseconds(Nanoseconds total) {
  const Nanoseconds seconds = floor_divide(total, kNanosPerSecond);
  if (seconds < std::numeric_limits<std::int64_t>::min() ||
      seconds > std::numeric_limits<std::int64_t>::max()) {
    return std::nullopt;
  }
  return DaysTimeDuration{static_cast<std::int64_t>(seconds),
                          static_cast<std::int32_t>(total - seconds * kNanosPerSecond)};
}

Decimal DaysTimeDuration::total_seconds() const {
  const Nanoseconds total = total_nanoseconds();
  const bool negative = total < 0;
  const Decimal nanoseconds = to_decimal(total);
  return Decimal::make(negative, nanoseconds.coefficient(), nanoseconds.exponent() - 9)
      .value_or(Decimal{});
}

std::int64_t DaysTimeDuration::days_part() const {
  return static_cast<std::int64_t>(total_nanoseconds() / kNanosPerDay);
}
std::int64_t DaysTimeDuration::hours_part() const {
  return static_cast<std::int64_t>(total_nanoseconds() % kNanosPerDay / kNanosPerSecond / 3600);
}
std::int64_t DaysTimeDuration::minutes_part() const {
  return static_cast<std::int64_t>(total_nanoseconds() / kNanosPerSecond % 3600 / 60);
}
std::int64_t DaysTimeDuration::seconds_part() const {
  return static_cast<std::int64_t>(total_nanoseconds() / kNanosPerSecond % 60);
}

std::optional<DaysTimeDuration> DaysTimeDuration::negated() const {
  return from_nanoseconds(-total_nanoseconds());
}

std::optional<DaysTimeDuration> DaysTimeDuration::plus(DaysTimeDuration other) const {
  return from_nanoseconds(total_nanoseconds() + other.total_nanoseconds());
}

std::optional<DaysTimeDuration> DaysTimeDuration::minus(DaysTimeDuration other) const {
  return from_nanoseconds(total_nanoseconds() - other.total_nanoseconds());
}

std::optional<DaysTimeDuration> DaysTimeDuration::times(const Decimal& factor) const {
  const std::optional<Decimal> product = Decimal::multiply(to_decimal(total_nanoseconds()), factor);
  const std::optional<Nanoseconds> whole =
      product ? to_whole(*product, RoundingMode::HalfEven) : std::nullopt;
  return whole ? from_nanoseconds(*whole) : std::nullopt;
}

std::optional<DaysTimeDuration> DaysTimeDuration::divided_by(const Decimal& divisor) const {
  const std::optional<Decimal> quotient = Decimal::divide(to_decimal(total_nanoseconds()), divisor);
  const std::optional<Nanoseconds> whole =
      quotient ? to_whole(*quotient, RoundingMode::HalfEven) : std::nullopt;
  return whole ? from_nanoseconds(*whole) : std::nullopt;
}

std::optional<Decimal> DaysTimeDuration::divided_by(DaysTimeDuration divisor) const {
  return Decimal::divide(to_decimal(total_nanoseconds()), to_decimal(divisor.total_nanoseconds()));
}

// ---- dates --------------------------------------------------------------------------------------

std::optional<Date> Date::from_civil(std::int64_t year, std::int64_t month, std::int64_t day) {
  if (year < -kYearMax || year > kYearMax || month < 1 || month > 12 || day < 1) {
    return std::nullopt;
  }
  if (day > calendar::days_in_month(year, static_cast<int>(month))) return std::nullopt;
  return Date{calendar::days_from_civil(year, static_cast<int>(month), static_cast<int>(day))};
}

std::optional<Date> Date::from_days(std::int64_t days) {
  if (days < kDaysMin || days > kDaysMax) return std::nullopt;
  return Date{days};
}

std::int64_t Date::year() const {
  return calendar::civil_from_days(days).year;
}
int Date::month() const {
  return calendar::civil_from_days(days).month;
}
int Date::day() const {
  return calendar::civil_from_days(days).day;
}
int Date::weekday() const {
  return calendar::weekday(days);
}

int Date::day_of_year() const {
  return static_cast<int>(days - calendar::days_from_civil(year(), 1, 1)) + 1;
}

int Date::week_of_year() const {
  // A week belongs to the year that contains its Thursday.
  const Date thursday{days - weekday() + 4};
  return (thursday.day_of_year() - 1) / 7 + 1;
}

Date Date::last_day_of_month() const {
  const calendar::Civil civil = calendar::civil_from_days(days);
  return Date{days - civil.day + calendar::days_in_month(civil.year, civil.month)};
}

std::optional<Date> Date::plus(YearsMonthsDuration duration) const {
  const calendar::Civil civil = calendar::civil_from_days(days);
  std::int64_t month = 0;
  if (__builtin_add_overflow(civil.year * 12 + civil.month - 1, duration.months, &month)) {
    return std::nullopt;
  }
  const std::int64_t year = calendar::floor_divide(month, 12);
  const auto month_of_year = static_cast<int>(month - year * 12) + 1;
  if (year < -kYearMax || year > kYearMax) return std::nullopt;
  const int day = std::min(civil.day, calendar::days_in_month(year, month_of_year));
  return from_civil(year, month_of_year, day);
}

std::optional<Date> Date::plus(DaysTimeDuration duration) const {
  const Nanoseconds total = static_cast<Nanoseconds>(days) * kNanosPerDay;
  const Nanoseconds day = floor_divide(total + duration.total_nanoseconds(), kNanosPerDay);
  if (day < kDaysMin || day > kDaysMax) return std::nullopt;
  return Date{static_cast<std::int64_t>(day)};
}

DaysTimeDuration Date::minus(Date other) const {
  return DaysTimeDuration::from_seconds((days - other.days) * kSecondsPerDay);
}

std::string_view weekday_name(int weekday) {
  static constexpr std::array<std::string_view, 7> kNames{
      "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};
  return kNames.at(static_cast<std::size_t>(weekday - 1));
}

std::string_view month_name(int month) {
  static constexpr std::array<std::string_view, 12> kNames{
      "January", "February", "March",     "April",   "May",      "June",
      "July",    "August",   "September", "October", "November", "December"};
  return kNames.at(static_cast<std::size_t>(month - 1));
}

YearsMonthsDuration years_and_months_between(Date from, Date to) {
  const calendar::Civil start = calendar::civil_from_days(from.days);
  const calendar::Civil end = calendar::civil_from_days(to.days);
  std::int64_t months = (end.year - start.year) * 12 + (end.month - start.month);
  if (months > 0 && end.day < start.day) --months;
  if (months < 0 && end.day > start.day) ++months;
  return YearsMonthsDuration{months};
}

// ---- times --------------------------------------------------------------------------------------

std::optional<Time> Time::from_fields(std::int64_t hour, std::int64_t minute, const Decimal& second,
                                      ZoneInfo zone) {
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return std::nullopt;
  if (second.is_negative() || second >= Decimal{60}) return std::nullopt;
  const std::optional<Decimal> scaled = Decimal::multiply(second, Decimal{kNanosPerSecond});
  const std::optional<std::int64_t> nanos = scaled ? scaled->truncated_int64() : std::nullopt;
  if (!nanos) return std::nullopt;
  return Time{(hour * 60 + minute) * 60 * kNanosPerSecond + *nanos, zone};
}

namespace {

// Returns the offset of a time without a date.
std::int32_t dateless_offset(const ZoneInfo& zone) {
  switch (zone.form) {
    case ZoneInfo::Form::Local:
      return 0;
    case ZoneInfo::Form::Offset:
      return zone.offset;
    case ZoneInfo::Form::Zone:
      return zone.offset == ZoneInfo::kUnresolved ? zone.zone->standard_offset() : zone.offset;
  }
  return 0;
}

std::int64_t utc_nanos(const Time& time) {
  return time.nanos - dateless_offset(time.zone) * kNanosPerSecond;
}

}  // namespace

std::optional<DaysTimeDuration> Time::time_offset() const {
  if (zone.is_local()) return std::nullopt;
  return DaysTimeDuration::from_seconds(dateless_offset(zone));
}

std::optional<std::string> Time::timezone() const {
  if (zone.form != ZoneInfo::Form::Zone) return std::nullopt;
  return zone.zone->name();
}

Time Time::plus(DaysTimeDuration duration) const {
  const Nanoseconds sum = nanos + duration.total_nanoseconds();
  return {static_cast<std::int64_t>(sum - floor_divide(sum, kNanosPerDay) * kNanosPerDay), zone};
}

Time Time::minus(DaysTimeDuration duration) const {
  const Nanoseconds difference = nanos - duration.total_nanoseconds();
  return {
      static_cast<std::int64_t>(difference - floor_divide(difference, kNanosPerDay) * kNanosPerDay),
      zone};
}

std::optional<DaysTimeDuration> Time::minus(const Time& other) const {
  if (zone.is_local() != other.zone.is_local()) return std::nullopt;
  return DaysTimeDuration::from_nanoseconds(utc_nanos(*this) - utc_nanos(other));
}

// ---- date-times ---------------------------------------------------------------------------------

std::optional<DateTime> DateTime::from_date_and_time(Date date, Time time) {
  if (time.zone.form != ZoneInfo::Form::Zone) return DateTime{date, time};
  const Nanoseconds local = static_cast<Nanoseconds>(date.days) * kNanosPerDay + time.nanos;
  const auto local_seconds = static_cast<std::int64_t>(floor_divide(local, kNanosPerSecond));
  const std::int32_t offset = time.zone.zone->offset_at_local(local_seconds);
  return from_instant(local - static_cast<Nanoseconds>(offset) * kNanosPerSecond, time.zone);
}

std::optional<DateTime> DateTime::from_instant(Nanoseconds instant, ZoneInfo zone) {
  // This is compared first, so the seconds below fit their type.
  constexpr Nanoseconds kDaysBeyond = kDaysMax + 3;
  if (instant > kDaysBeyond * kNanosPerDay || instant < -kDaysBeyond * kNanosPerDay) {
    return std::nullopt;
  }
  if (zone.form == ZoneInfo::Form::Zone) {
    zone.offset =
        zone.zone->offset_at(static_cast<std::int64_t>(floor_divide(instant, kNanosPerSecond)));
  }
  const Nanoseconds local = instant + static_cast<Nanoseconds>(zone.offset) * kNanosPerSecond;
  const Nanoseconds days = floor_divide(local, kNanosPerDay);
  const std::optional<Date> date = Date::from_days(static_cast<std::int64_t>(days));
  if (!date) return std::nullopt;
  return DateTime{*date, {static_cast<std::int64_t>(local - days * kNanosPerDay), zone}};
}

std::int32_t DateTime::offset_seconds() const {
  if (time.zone.form == ZoneInfo::Form::Zone && time.zone.offset == ZoneInfo::kUnresolved) {
    return time.zone.zone->offset_at_local(date.days * kSecondsPerDay +
                                           time.nanos / kNanosPerSecond);
  }
  return time.zone.form == ZoneInfo::Form::Local ? 0 : time.zone.offset;
}

std::optional<DaysTimeDuration> DateTime::time_offset() const {
  if (is_local()) return std::nullopt;
  return DaysTimeDuration::from_seconds(offset_seconds());
}

Nanoseconds DateTime::instant() const {
  return static_cast<Nanoseconds>(date.days) * kNanosPerDay + time.nanos -
         static_cast<Nanoseconds>(offset_seconds()) * kNanosPerSecond;
}

std::optional<DateTime> DateTime::in_zone(ZoneInfo zone) const {
  if (is_local() || zone.is_local()) return from_date_and_time(date, {time.nanos, zone});
  return from_instant(instant(), zone);
}

std::optional<DateTime> DateTime::plus(YearsMonthsDuration duration) const {
  const std::optional<Date> moved = date.plus(duration);
  if (!moved) return std::nullopt;
  return from_date_and_time(*moved, time);
}

std::optional<DateTime> DateTime::plus(DaysTimeDuration duration) const {
  return from_instant(instant() + duration.total_nanoseconds(), time.zone);
}

std::optional<DaysTimeDuration> DateTime::minus(const DateTime& other) const {
  if (is_local() != other.is_local()) return std::nullopt;
  return DaysTimeDuration::from_nanoseconds(instant() - other.instant());
}

// ---- order and equality -------------------------------------------------------------------------

std::optional<std::strong_ordering> compare(const Time& a, const Time& b) {
  if (a.zone.is_local() != b.zone.is_local()) return std::nullopt;
  return utc_nanos(a) <=> utc_nanos(b);
}

std::optional<std::strong_ordering> compare(const DateTime& a, const DateTime& b) {
  if (a.is_local() != b.is_local()) return std::nullopt;
  const Nanoseconds left = a.instant();
  const Nanoseconds right = b.instant();
  if (left == right) return std::strong_ordering::equal;
  return left < right ? std::strong_ordering::less : std::strong_ordering::greater;
}

namespace {

Nanoseconds comparable(Nanoseconds value, Fractions fractions) {
  return fractions == Fractions::Ignored ? floor_divide(value, kNanosPerSecond) : value;
}

}  // namespace

std::optional<bool> equal(const Time& a, const Time& b, Fractions fractions) {
  if (a.zone.is_local() != b.zone.is_local()) return std::nullopt;
  return comparable(utc_nanos(a), fractions) == comparable(utc_nanos(b), fractions);
}

std::optional<bool> equal(const DateTime& a, const DateTime& b, Fractions fractions) {
  if (a.is_local() != b.is_local()) return std::nullopt;
  return comparable(a.instant(), fractions) == comparable(b.instant(), fractions);
}

bool identical(const Time& a, const Time& b) {
  return a.nanos == b.nanos && a.zone == b.zone;
}

bool identical(const DateTime& a, const DateTime& b) {
  return a.date == b.date && identical(a.time, b.time);
}

std::size_t hash(const Time& time, Fractions fractions) {
  return hash_nanoseconds(comparable(utc_nanos(time), fractions));
}

std::size_t hash(const DateTime& date_time, Fractions fractions) {
  return hash_nanoseconds(comparable(date_time.instant(), fractions));
}

}  // namespace beeline::feel
