#pragma once

#include <array>
#include <cstdint>

// Day numbers and the proleptic Gregorian calendar on 64-bit integers: std::chrono::year ends at
// 32767, but FEEL's years end at 999 999 999. Days count from 1970-01-01.
namespace beeline::feel::calendar {

struct Civil {
  std::int64_t year;
  int month;
  int day;
};

constexpr std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
constexpr std::int64_t floor_modulo(std::int64_t a, std::int64_t b) {
  return a - floor_divide(a, b) * b;
}

constexpr bool is_leap_year(std::int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

constexpr int days_in_month(std::int64_t year, int month) {
  constexpr std::array<int, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap_year(year) ? 29 : kDays[static_cast<std::size_t>(month - 1)];
}

// Years are counted from March, so the leap day is the last day of a year. Then the first day of a
// month is a linear function of the month, and 400 years have a fixed number of days.
constexpr std::int64_t kDaysPer400Years = 146'097;
constexpr std::int64_t kMarch0000 = -719'468;  // 0000-03-01

constexpr std::int64_t days_from_civil(std::int64_t year, int month, int day) {
  const std::int64_t march_year = month <= 2 ? year - 1 : year;
  const std::int64_t era = floor_divide(march_year, 400);
  const std::int64_t year_of_era = march_year - era * 400;
  const std::int64_t month_from_march = (month + 9) % 12;
  const std::int64_t day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * kDaysPer400Years + day_of_era + kMarch0000;
}

constexpr Civil civil_from_days(std::int64_t days) {
  const std::int64_t shifted = days - kMarch0000;
  const std::int64_t era = floor_divide(shifted, kDaysPer400Years);
  const std::int64_t day_of_era = shifted - era * kDaysPer400Years;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const auto day = static_cast<int>(day_of_year - (153 * month_from_march + 2) / 5 + 1);
  const auto month =
      static_cast<int>(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day};
}

// Monday 1 ... Sunday 7.
constexpr int weekday(std::int64_t days) {
  return static_cast<int>(floor_modulo(days + 3, 7)) + 1;
}

}  // namespace beeline::feel::calendar
