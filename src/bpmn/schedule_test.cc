#include "bpmn/schedule.h"

#include <gtest/gtest.h>

namespace beeline::bpmn {
namespace {

Timestamp at(std::string_view text) {
  const Result<Timestamp, std::string> date = parse_date(text);
  EXPECT_TRUE(date.has_value()) << text;
  return date.value_or(Timestamp{0});
}

Duration duration(std::string_view text) {
  const Result<Duration, std::string> parsed = parse_duration(text);
  EXPECT_TRUE(parsed.has_value()) << text;
  return parsed.value_or(Duration{});
}

Schedule cycle(std::string_view text) {
  Result<Schedule, std::string> parsed = parse_schedule(TimerKind::Cycle, text);
  EXPECT_TRUE(parsed.has_value()) << text;
  return parsed.value_or(Schedule{});
}

TEST(Schedule, DatesAreInstants) {
  EXPECT_EQ(at("1970-01-01T00:00:00Z").millis(), 0);
  EXPECT_EQ(at("2026-10-01T12:00:00Z"), at("2026-10-01T14:00:00+02:00"));
  EXPECT_EQ(at("2026-10-01T12:00:00Z"), at("2026-10-01T14:00:00+02:00[Europe/Berlin]"));
  EXPECT_EQ(at("2026-10-01T12:00:00Z"), at("2026-10-01t07:00-05"));
  EXPECT_EQ(at("2026-10-01T12:00:00.250Z").millis() % 1000, 250);
  EXPECT_EQ(at("2026-10-01T12:00:00.5Z").millis() % 1000, 500);
  EXPECT_EQ(at("2026-10-01T12:00:00.123456789z").millis() % 1000, 123);
  EXPECT_EQ(at("1969-12-31T23:59:59Z").millis(), -1000);
}

TEST(Schedule, RefusesWhatIsNoDate) {
  for (const std::string_view text :
       {"", "2026-10-01", "2026-10-01T12:00:00", "2026-10-01T12:00:00Z[Europe/Nowhere]",
        "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-10-01T24:00:00Z",
        "2026-10-01T12:60:00Z", "2026-10-01T12:00:60Z", "2026-10-01 12:00:00Z",
        "2026-10-01T12:00:00Zx", "2026-10-01T12:00:00.Z", "2026-10-01T12:00:00+2",
        "2026-10-01T12:00:00Z[]", "2026-10-01T12:00:00Z[Europe", "PT1H",
        "2026-10-01T12:00:00+19:00", "2026-10-01T12:00:00.1234567890Z"}) {
    EXPECT_FALSE(parse_date(text).has_value()) << text;
  }
}

TEST(Schedule, DurationsHaveACalendarAndAnExactPart) {
  EXPECT_EQ(duration("PT15S"), (Duration{.time = Milliseconds{15'000}}));
  EXPECT_EQ(duration("P14DT1H30M"), (Duration{.days = 14, .time = Milliseconds{5'400'000}}));
  EXPECT_EQ(duration("P3Y6M4DT12H30M5S"),
            (Duration{.months = 42, .days = 4, .time = Milliseconds{45'005'000}}));
  EXPECT_EQ(duration("P2W"), (Duration{.days = 14}));
  EXPECT_EQ(duration("P1M"), (Duration{.months = 1}));
  EXPECT_EQ(duration("PT1M"), (Duration{.time = Milliseconds{60'000}}));
  EXPECT_EQ(duration("PT0.5S"), (Duration{.time = Milliseconds{500}}));
  EXPECT_EQ(duration("PT0.0009S"), (Duration{}));
  EXPECT_EQ(duration("-PT5S"), (Duration{.time = Milliseconds{-5'000}}));
  EXPECT_EQ(duration("PT-5S"), duration("-PT5S"));
  EXPECT_EQ(duration("-PT-0.5S"), (Duration{.time = Milliseconds{500}}));
  EXPECT_EQ(duration("P-1D"), (Duration{.days = -1}));
}

TEST(Schedule, RefusesWhatIsNoDuration) {
  for (const std::string_view text :
       {"",      "P",      "PT",    "P1DT",   "PT1.5H", "T5S",           "1h",
        "P1D1Y", "PT1S1M", "P1H",   "PT1D",   "P1.5D",  "P99999999999Y", "PT99999999999999999999S",
        "p1d",   "P1Dx",   "PT1.S", "--PT1S", "P1D ",   "PTS",           "P-"}) {
    EXPECT_FALSE(parse_duration(text).has_value()) << text;
  }
}

TEST(Schedule, MonthsAreCutToTheMonthsEnd) {
  EXPECT_EQ(add(at("2026-01-31T10:00:00Z"), duration("P1M")), at("2026-02-28T10:00:00Z"));
  EXPECT_EQ(add(at("2028-01-31T10:00:00Z"), duration("P1M")), at("2028-02-29T10:00:00Z"));
  EXPECT_EQ(add(at("2028-02-29T00:00:00Z"), duration("P1Y")), at("2029-02-28T00:00:00Z"));
  EXPECT_EQ(add(at("2026-01-31T00:00:00Z"), duration("P1M1D")), at("2026-03-01T00:00:00Z"));
  EXPECT_EQ(add(at("2026-03-31T00:00:00Z"), duration("-P1M")), at("2026-02-28T00:00:00Z"));
  EXPECT_EQ(add(at("2026-01-01T00:00:00Z"), duration("P8000Y")), std::nullopt);
}

TEST(Schedule, WhatIsPastIsDueNow) {
  const Timestamp now = at("2026-01-01T00:00:00Z");
  for (const auto& [kind, text] :
       {std::pair{TimerKind::Duration, "PT0S"}, std::pair{TimerKind::Duration, "PT-5S"},
        std::pair{TimerKind::Date, "2020-01-01T00:00:00Z"}}) {
    const auto due = first_due(*parse_schedule(kind, text), now);
    EXPECT_EQ(due, (Due{.at = now, .repetitions = 1})) << text;
  }
}

TEST(Schedule, CyclesCountTheirFirings) {
  const Timestamp now = at("2026-01-01T00:00:00Z");
  const auto first = [&](std::string_view text) { return first_due(cycle(text), now).value(); };
  EXPECT_EQ(first("R5/PT10S"), (Due{.at = now + Milliseconds{10'000}, .repetitions = 5}));
  EXPECT_EQ(first("R/PT10S"),
            (Due{.at = now + Milliseconds{10'000}, .repetitions = kRepeatForever}));
  EXPECT_EQ(first("R-1/PT10S").repetitions, kRepeatForever);
  EXPECT_EQ(first("R0/PT10S").repetitions, 1);
  EXPECT_EQ(first("R1/PT10S").repetitions, 1);
  EXPECT_EQ(first("R//PT10S").at, now + Milliseconds{10'000});
  EXPECT_EQ(first("R3/2026-04-27T17:20:00Z/P1D").at, at("2026-04-27T17:20:00Z"));
  EXPECT_EQ(first("R3/2025-04-27T17:20:00Z/P1D").at, now);
}

TEST(Schedule, RefusesWhatIsNoCycle) {
  for (const std::string_view text :
       {"", "PT10S", "R5/", "RA/PT1S", "/PT1S", "R/2026-04-27T17:20:00Z/2026-04-28T17:20:00Z",
        "R/PT1S/2026-04-28T17:20:00Z", "R/PT0S", "R2/PT-1S", "R-2/PT1S", "R99999999999/PT1S", "R",
        "R/P0D"}) {
    EXPECT_FALSE(parse_schedule(TimerKind::Cycle, text).has_value()) << text;
  }
  EXPECT_TRUE(parse_schedule(TimerKind::Cycle, "R1/PT0S").has_value());
}

TEST(Schedule, RepetitionsStepFromTheLastDueDate) {
  const Timestamp start = at("2026-01-31T00:00:00Z");
  Due due{.at = start, .repetitions = 3};
  const Schedule monthly = cycle("R3/P1M");
  due = next_due(monthly, due, start).value();
  EXPECT_EQ(due, (Due{.at = at("2026-02-28T00:00:00Z"), .repetitions = 2}));
  due = next_due(monthly, due, due.at + Milliseconds{5000}).value();
  EXPECT_EQ(due, (Due{.at = at("2026-03-28T00:00:00Z"), .repetitions = 1}));
  EXPECT_EQ(next_due(monthly, due, due.at), std::nullopt);
}

TEST(Schedule, MissedRepetitionsFireOnceAndKeepTheRhythm) {
  const Timestamp due = at("2026-01-01T00:10:00Z");
  const Timestamp back = at("2026-01-01T00:45:00Z");
  EXPECT_EQ(next_due(cycle("R/PT10M"), {.at = due, .repetitions = kRepeatForever}, back),
            (Due{.at = at("2026-01-01T00:50:00Z"), .repetitions = kRepeatForever}));
  EXPECT_EQ(next_due(cycle("R3/PT10M"), {.at = due, .repetitions = 3}, back),
            (Due{.at = at("2026-01-01T00:50:00Z"), .repetitions = 2}));
  EXPECT_EQ(next_due(cycle("R/P1M"), {.at = due, .repetitions = kRepeatForever},
                     at("2026-06-15T00:00:00Z")),
            (Due{.at = at("2026-07-01T00:10:00Z"), .repetitions = kRepeatForever}));
}

TEST(Schedule, ATimeThatIsReachedExactlyIsNotFiredTwice) {
  const Timestamp due = at("2026-01-01T00:10:00Z");
  EXPECT_EQ(next_due(cycle("R/PT10M"), {.at = due, .repetitions = kRepeatForever},
                     at("2026-01-01T00:20:00Z")),
            (Due{.at = at("2026-01-01T00:30:00Z"), .repetitions = kRepeatForever}));
}

TEST(Schedule, BeyondTheYear9999IsRefused) {
  const auto schedule = parse_schedule(TimerKind::Duration, "P9000Y");
  ASSERT_TRUE(schedule.has_value());
  EXPECT_FALSE(first_due(*schedule, at("2026-01-01T00:00:00Z")).has_value());
}

// T7. Clocks of Berlin were set forward on 2026-03-29 at 01:00Z and back on 2026-10-25 at 01:00Z.
class InBerlin : public ::testing::Test {
 protected:
  const Zone berlin = feel::TimeZone::find("Europe/Berlin");
};

TEST_F(InBerlin, DaysKeepTheTimeThatClocksShow) {
  EXPECT_EQ(add(at("2026-03-28T11:00:00Z"), duration("P1D"), berlin), at("2026-03-29T10:00:00Z"));
  EXPECT_EQ(add(at("2026-10-24T10:00:00Z"), duration("P1D"), berlin), at("2026-10-25T11:00:00Z"));
  EXPECT_EQ(add(at("2026-01-15T11:00:00Z"), duration("P6M"), berlin), at("2026-07-15T10:00:00Z"));
  EXPECT_EQ(add(at("2026-03-28T11:00:00Z"), duration("P1DT1H"), berlin),
            at("2026-03-29T11:00:00Z"));
}

TEST_F(InBerlin, HoursAreExact) {
  EXPECT_EQ(add(at("2026-03-28T11:00:00Z"), duration("PT24H"), berlin), at("2026-03-29T11:00:00Z"));
  EXPECT_EQ(add(at("2026-10-24T10:00:00Z"), duration("PT24H"), berlin), at("2026-10-25T10:00:00Z"));
}

TEST_F(InBerlin, ASkippedTimeMovesForwardAndOfADoubledOneTheFirstCounts) {
  // This starts at 02:30 on the day before.
  EXPECT_EQ(add(at("2026-03-28T01:30:00Z"), duration("P1D"), berlin), at("2026-03-29T01:30:00Z"));
  EXPECT_EQ(add(at("2026-10-24T00:30:00Z"), duration("P1D"), berlin), at("2026-10-25T00:30:00Z"));
}

TEST_F(InBerlin, ACycleOfDaysKeepsItsTimeAndSkipsWhatWasMissed) {
  const Due noon{.at = at("2026-03-27T11:00:00Z"), .repetitions = kRepeatForever};
  const Schedule daily = cycle("R/P1D");
  EXPECT_EQ(next_due(daily, noon, at("2026-03-28T12:00:00Z"), berlin)->at,
            at("2026-03-29T10:00:00Z"));
  EXPECT_EQ(next_due(daily, noon, at("2028-07-01T09:59:59Z"), berlin)->at,
            at("2028-07-01T10:00:00Z"));
  EXPECT_EQ(next_due(daily, noon, at("2028-07-01T10:00:00Z"), berlin)->at,
            at("2028-07-02T10:00:00Z"));
}

TEST_F(InBerlin, TheZoneOfTheStartCountsBeforeThatOfTheEngine) {
  const Schedule daily = cycle("R/2026-03-28T12:00:00+01:00[Europe/Berlin]/P1D");
  const Due first = first_due(daily, at("2026-01-01T00:00:00Z")).value();
  EXPECT_EQ(first.at, at("2026-03-28T11:00:00Z"));
  EXPECT_EQ(next_due(daily, first, first.at)->at, at("2026-03-29T10:00:00Z"));
  EXPECT_EQ(next_due(cycle("R/2026-03-28T12:00:00+01:00/P1D"), first, first.at)->at,
            at("2026-03-29T11:00:00Z"));
}

TEST_F(InBerlin, CronReadsItsClocks) {
  const auto fires = [&](std::string_view text, std::string_view after) {
    return cycle(text).cron->next(at(after), berlin);
  };
  EXPECT_EQ(fires("0 0 9 * * *", "2026-01-01T00:00:00Z"), at("2026-01-01T08:00:00Z"));
  EXPECT_EQ(fires("0 0 9 * * *", "2026-07-01T00:00:00Z"), at("2026-07-01T07:00:00Z"));
  // The time is skipped, so it moves forward by the gap.
  EXPECT_EQ(fires("0 30 2 * * *", "2026-03-29T00:00:00Z"), at("2026-03-29T01:30:00Z"));
  EXPECT_EQ(fires("0 0 * * * *", "2026-03-29T00:00:00Z"), at("2026-03-29T01:00:00Z"));
  EXPECT_EQ(fires("0 0 * * * *", "2026-03-29T01:00:00Z"), at("2026-03-29T02:00:00Z"));
  // The time comes twice, but fires once.
  EXPECT_EQ(fires("0 30 2 * * *", "2026-10-25T00:00:00Z"), at("2026-10-25T00:30:00Z"));
  EXPECT_EQ(fires("0 30 2 * * *", "2026-10-25T00:30:00Z"), at("2026-10-26T01:30:00Z"));
  EXPECT_EQ(fires("*/10 * * * * *", "2026-10-25T01:00:01Z"), at("2026-10-25T02:00:00Z"));
}

}  // namespace
}  // namespace beeline::bpmn
