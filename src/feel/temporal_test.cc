#include "feel/temporal.h"

#include <gtest/gtest.h>

namespace beeline::feel {
namespace {

template <typename T>
std::string text_of(const std::optional<T>& value) {
  return value ? value->to_string() : "nothing";
}

Date date(std::string_view text) {
  return Date::parse(text).value();
}
Time time_of(std::string_view text) {
  return Time::parse(text).value();
}
DateTime date_time(std::string_view text) {
  return DateTime::parse(text).value();
}
DaysTimeDuration days_time(std::string_view text) {
  return DaysTimeDuration::parse(text).value();
}
YearsMonthsDuration months(std::string_view text) {
  return YearsMonthsDuration::parse(text).value();
}

TEST(Date, reads_and_prints_all_years_there_are) {
  for (const char* text : {"2020-02-29", "0001-01-01", "-2017-12-31", "99999-12-31",
                           "999999999-12-31", "-999999999-01-01"}) {
    EXPECT_EQ(text_of(Date::parse(text)), text);
  }
  for (const char* text : {"+2020-01-01", "998-01-01", "01211-01-01", "2020-13-01", "2021-02-29",
                           "2020-06-31", "2020-1-1", "1000000000-01-01", "2020-01-01Z", ""}) {
    EXPECT_EQ(text_of(Date::parse(text)), "nothing") << text;
  }
}

TEST(Date, has_its_place_in_the_calendar) {
  EXPECT_EQ(date("1970-01-01").weekday(), 4);
  EXPECT_EQ(date("2020-12-31").day_of_year(), 366);
  EXPECT_EQ(date("2019-12-31").week_of_year(), 1);
  EXPECT_EQ(date("2021-01-03").week_of_year(), 53);
  EXPECT_EQ(date("2024-02-05").last_day_of_month(), date("2024-02-29"));
  EXPECT_EQ(weekday_name(7), "Sunday");
  EXPECT_EQ(month_name(12), "December");
}

TEST(Date, months_clamp_to_the_end_and_days_floor) {
  EXPECT_EQ(text_of(date("2020-01-31").plus(months("P1M"))), "2020-02-29");
  EXPECT_EQ(text_of(date("2020-03-31").plus(months("-P1M"))), "2020-02-29");
  EXPECT_EQ(text_of(date("2020-01-01").plus(days_time("-PT1H"))), "2019-12-31");
  EXPECT_EQ(text_of(date("2020-01-01").plus(days_time("PT23H"))), "2020-01-01");
  EXPECT_EQ(text_of(date("999999999-12-31").plus(days_time("P1D"))), "nothing");
  EXPECT_EQ(text_of(date("999999999-12-31").plus(months("P1M"))), "nothing");
  EXPECT_EQ(date("2021-01-01").minus(date("2020-01-01")).to_string(), "P366D");
}

TEST(Date, counts_whole_months_between) {
  EXPECT_EQ(years_and_months_between(date("2011-12-22"), date("2013-08-24")).to_string(), "P1Y8M");
  EXPECT_EQ(years_and_months_between(date("2013-08-24"), date("2011-12-22")).to_string(), "-P1Y8M");
  EXPECT_EQ(years_and_months_between(date("2015-01-21"), date("2016-01-20")).to_string(), "P11M");
}

TEST(Time, reads_and_prints_offsets_and_zones) {
  for (const char* text : {"00:00:00", "23:59:59.999999999", "10:00:00.5Z", "10:00:00+02:00",
                           "10:00:00-01:15:30", "10:00:00@Europe/Paris", "10:00:00+18:00"}) {
    EXPECT_EQ(text_of(Time::parse(text)), text);
  }
  EXPECT_EQ(text_of(Time::parse("10:00:00+00:00")), "10:00:00Z");
  for (const char* text :
       {"24:00:00", "1:00:00", "10:00:60", "10:60:00", "10:00", "T10:00:00", "10:00:00.",
        "10:00:00+18:01", "10:00:00+1:00", "10:00:00+01:00@Europe/Paris", "10:00:00@Nowhere/Land",
        "10:00:00@../../../etc/passwd", "10:00:00z", "10:00:00.1234567890"}) {
    EXPECT_EQ(text_of(Time::parse(text)), "nothing") << text;
  }
}

TEST(Time, lenient_reading_takes_what_camunda_takes) {
  EXPECT_EQ(text_of(Time::parse("13:30", TextForms::Lenient)), "13:30:00");
  EXPECT_EQ(text_of(Time::parse("T13:30:00", TextForms::Lenient)), "13:30:00");
  EXPECT_EQ(text_of(DateTime::parse("2020-07-01T13:30:00+02:00[Europe/Paris]", TextForms::Lenient)),
            "2020-07-01T13:30:00@Europe/Paris");
  EXPECT_FALSE(DateTime::parse("2020-07-01T13:30:00+02:00[Europe/Paris]"));
}

TEST(Time, compares_by_instant_and_never_local_with_zoned) {
  EXPECT_EQ(equal(time_of("12:00:00-01:00"), time_of("17:00:00+04:00"), Fractions::Compared), true);
  EXPECT_EQ(equal(time_of("12:00:00"), time_of("12:00:00Z"), Fractions::Compared), std::nullopt);
  EXPECT_EQ(compare(time_of("12:00:00"), time_of("12:00:00.1")), std::strong_ordering::less);
  EXPECT_EQ(equal(time_of("12:00:00"), time_of("12:00:00.1"), Fractions::Compared), false);
  EXPECT_EQ(equal(time_of("12:00:00"), time_of("12:00:00.1"), Fractions::Ignored), true);
  EXPECT_EQ(hash(time_of("12:00:00-01:00"), Fractions::Compared),
            hash(time_of("17:00:00+04:00"), Fractions::Compared));
  EXPECT_TRUE(identical(time_of("12:00:00Z"), time_of("12:00:00+00:00")));
  EXPECT_FALSE(identical(time_of("12:00:00-01:00"), time_of("17:00:00+04:00")));
}

TEST(Time, adds_modulo_one_day_and_subtracts_signed) {
  EXPECT_EQ(time_of("23:00:00Z").plus(days_time("PT2H")).to_string(), "01:00:00Z");
  EXPECT_EQ(time_of("01:00:00").minus(days_time("P1DT2H")).to_string(), "23:00:00");
  EXPECT_EQ(text_of(time_of("10:00:00").minus(time_of("11:30:00"))), "-PT1H30M");
  EXPECT_EQ(text_of(time_of("10:00:00Z").minus(time_of("10:00:00+02:00"))), "PT2H");
  EXPECT_EQ(text_of(time_of("10:00:00Z").minus(time_of("10:00:00"))), "nothing");
}

TEST(Time, is_made_of_fields_with_a_fraction) {
  EXPECT_EQ(text_of(Time::from_fields(1, 2, *Decimal::parse("3.25"), ZoneInfo::local())),
            "01:02:03.25");
  EXPECT_EQ(text_of(Time::from_fields(24, 0, Decimal{0}, ZoneInfo::local())), "nothing");
  EXPECT_EQ(text_of(Time::from_fields(0, 0, Decimal{60}, ZoneInfo::local())), "nothing");
}

TEST(DateTime, reads_bare_dates_and_the_end_of_a_day) {
  EXPECT_EQ(text_of(DateTime::parse("2020-01-01")), "2020-01-01T00:00:00");
  EXPECT_EQ(text_of(DateTime::parse("2020-12-31T24:00:00Z")), "2021-01-01T00:00:00Z");
  EXPECT_EQ(text_of(DateTime::parse("2020-12-31T24:00:01")), "nothing");
  EXPECT_EQ(text_of(DateTime::parse("99999-12-31T11:22:33.3+02:02")),
            "99999-12-31T11:22:33.3+02:02");
  EXPECT_EQ(text_of(DateTime::parse("2020-01-01 10:00:00")), "nothing");
}

TEST(DateTime, adds_on_the_time_line_of_its_zone) {
  const DateTime before = date_time("2021-03-28T01:30:00@Europe/Paris");
  EXPECT_EQ(text_of(before.plus(days_time("PT1H"))), "2021-03-28T03:30:00@Europe/Paris");
  EXPECT_EQ(text_of(date_time("2021-03-28T02:30:00@Europe/Paris").plus(days_time("PT0S"))),
            "2021-03-28T03:30:00@Europe/Paris");
  EXPECT_EQ(text_of(date_time("2020-01-31T10:00:00").plus(months("P1M"))), "2020-02-29T10:00:00");
}

TEST(DateTime, tells_both_readings_of_a_repeated_hour_apart) {
  const DateTime first = date_time("2020-10-25T02:30:00@Europe/Paris");
  EXPECT_EQ(first.offset_seconds(), 7200);
  const DateTime second = first.plus(days_time("PT1H")).value();
  EXPECT_EQ(second.to_string(), "2020-10-25T02:30:00@Europe/Paris");
  EXPECT_EQ(second.offset_seconds(), 3600);
  EXPECT_EQ(text_of(second.plus(days_time("PT1H"))), "2020-10-25T03:30:00@Europe/Paris");
  EXPECT_EQ(second.to_iso_string(), "2020-10-25T02:30:00+01:00[Europe/Paris]");
  EXPECT_EQ(DateTime::parse(second.to_iso_string(), TextForms::Lenient)->offset_seconds(), 3600);
}

TEST(DateTime, compares_by_instant) {
  EXPECT_EQ(equal(date_time("2020-07-01T12:00:00@Europe/Paris"), date_time("2020-07-01T10:00:00Z"),
                  Fractions::Compared),
            true);
  EXPECT_EQ(
      text_of(date_time("2020-07-01T12:00:00Z").minus(date_time("2020-07-01T12:00:00+02:00"))),
      "PT2H");
  EXPECT_EQ(text_of(date_time("2020-07-01T12:00:00Z").minus(date_time("2020-07-01T12:00:00"))),
            "nothing");
}

TEST(Duration, reads_parts_in_order_and_prints_them_normalised) {
  EXPECT_EQ(days_time("PT26H").to_string(), "P1DT2H");
  EXPECT_EQ(days_time("PT0.S").to_string(), "PT0S");
  EXPECT_EQ(days_time("-P1DT0.5S").to_string(), "-P1DT0.5S");
  EXPECT_EQ(days_time("P0D").to_string(), "PT0S");
  EXPECT_EQ(months("P14M").to_string(), "P1Y2M");
  EXPECT_EQ(months("-P0Y3M").to_string(), "-P3M");
  EXPECT_EQ(months("P0Y").to_string(), "P0M");
  for (const char* text :
       {"P", "PT", "P1H", "P1DT", "P1Y2D", "PT1S1H", "P1.5D", "1D", "P-1D", "PT1H ", "+P1D"}) {
    EXPECT_FALSE(DaysTimeDuration::parse(text)) << text;
  }
  for (const char* text : {"P", "P1M1Y", "P1D", "P1Y1D", "P1.5Y", "PT1M"}) {
    EXPECT_FALSE(YearsMonthsDuration::parse(text)) << text;
  }
}

TEST(Duration, parts_carry_the_sign) {
  const DaysTimeDuration duration = days_time("-P1DT2H3M4.5S");
  EXPECT_EQ(duration.days_part(), -1);
  EXPECT_EQ(duration.hours_part(), -2);
  EXPECT_EQ(duration.minutes_part(), -3);
  EXPECT_EQ(duration.seconds_part(), -4);
  EXPECT_EQ(months("-P1Y2M").years_part(), -1);
  EXPECT_EQ(months("-P1Y2M").months_part(), -2);
  EXPECT_EQ(duration.total_seconds().to_string(), "-93784.5");
}

TEST(Duration, multiplies_and_divides_exactly) {
  EXPECT_EQ(text_of(days_time("PT1H").times(*Decimal::parse("1.5"))), "PT1H30M");
  EXPECT_EQ(text_of(days_time("PT1H").divided_by(Decimal{2})), "PT30M");
  EXPECT_EQ(text_of(days_time("P1D").divided_by(days_time("PT10H"))), "2.4");
  EXPECT_EQ(text_of(days_time("P1D").divided_by(days_time("PT0S"))), "nothing");
  EXPECT_EQ(text_of(months("P1Y").times(*Decimal::parse("-0.2"))), "-P2M");
  EXPECT_EQ(text_of(months("P1Y").divided_by(Decimal{0})), "nothing");
  EXPECT_EQ(text_of(months("P1Y").divided_by(months("P5M"))), "2.4");
  EXPECT_EQ(text_of(days_time("P1D").times(*Decimal::parse("1e30"))), "nothing");
}

TEST(TimeZone, follows_its_rule_after_the_last_transition_in_the_file) {
  EXPECT_EQ(date_time("2038-07-01T00:00:00@Australia/Melbourne").offset_seconds(), 10 * 3600);
  EXPECT_EQ(date_time("2138-01-01T00:00:00@Australia/Melbourne").offset_seconds(), 11 * 3600);
  EXPECT_EQ(date_time("2200-07-01T00:00:00@Europe/Dublin").offset_seconds(), 3600);
  EXPECT_EQ(date_time("999999999-07-01T00:00:00@Europe/Paris").offset_seconds(), 7200);
}

TEST(TimeZone, uses_local_mean_time_before_the_first_transition) {
  EXPECT_EQ(date_time("1850-01-01T00:00:00@Europe/Paris").offset_seconds(), 561);
}

TEST(TimeZone, knows_one_object_per_name_and_refuses_bad_names) {
  EXPECT_NE(TimeZone::find("Europe/Paris"), nullptr);
  EXPECT_EQ(TimeZone::find("Europe/Paris"), TimeZone::find("Europe/Paris"));
  for (const char* name : {"", "Europe", "Europe/", "/etc/localtime", "../zoneinfo/UTC",
                           "localtime", "tzdata.zi", "europe/paris"}) {
    EXPECT_EQ(TimeZone::find(name), nullptr) << name;
  }
}

TEST(TimeZone, refuses_torn_and_foreign_files) {
  EXPECT_FALSE(TimeZone::read("x", ""));
  EXPECT_FALSE(TimeZone::read("x", "TZif"));
  EXPECT_FALSE(TimeZone::read("x", std::string("TZif2") + std::string(60, '\xff')));
}

TEST(TimeZone, standard_offset_is_without_summer_time) {
  EXPECT_EQ(TimeZone::find("Europe/Paris")->standard_offset(), 3600);
  EXPECT_EQ(TimeZone::find("Europe/Dublin")->standard_offset(), 0);
  EXPECT_EQ(time_of("10:00:00@Europe/Paris").time_offset()->to_string(), "PT1H");
}

}  // namespace
}  // namespace beeline::feel
