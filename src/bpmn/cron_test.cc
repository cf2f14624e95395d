#include <gtest/gtest.h>

#include "bpmn/schedule.h"

namespace beeline::bpmn {
namespace {

struct Match {
  std::string_view cron;
  std::string_view after;
  std::string_view next;
};

TEST(Cron, FindsTheNextMatch) {
  const Match matches[] = {
      {"*/10 * * * * *", "2026-01-01T00:00:03Z", "2026-01-01T00:00:10Z"},
      {"*/10 * * * * *", "2026-01-01T00:00:10Z", "2026-01-01T00:00:20Z"},
      {"*/10 * * * * *", "2026-01-01T23:59:50Z", "2026-01-02T00:00:00Z"},
      {"0 0 9-17 * * MON-FRI", "2026-01-02T17:00:00Z", "2026-01-05T09:00:00Z"},
      {"@daily", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"},
      {"@hourly", "2026-01-01T00:30:00Z", "2026-01-01T01:00:00Z"},
      {"@weekly", "2026-01-01T00:30:00Z", "2026-01-04T00:00:00Z"},
      {"@yearly", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"},
      {"0 0 0 29 2 *", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z"},
      {"0 0 0 L * *", "2026-02-01T00:00:00Z", "2026-02-28T00:00:00Z"},
      {"0 0 0 L-3 * *", "2026-02-01T00:00:00Z", "2026-02-25T00:00:00Z"},
      {"0 0 0 * * 5L", "2026-02-01T00:00:00Z", "2026-02-27T00:00:00Z"},
      {"0 0 0 * * FRIL", "2026-02-01T00:00:00Z", "2026-02-27T00:00:00Z"},
      {"0 0 0 ? * 2#1", "2026-02-01T00:00:00Z", "2026-02-03T00:00:00Z"},
      {"0 0 0 1W * *", "2026-08-01T00:00:00Z", "2026-08-03T00:00:00Z"},
      {"0 0 0 LW * *", "2026-05-01T00:00:00Z", "2026-05-29T00:00:00Z"},
      {"0 0 0 13 * FRI", "2026-01-01T00:00:00Z", "2026-02-13T00:00:00Z"},
      {"0 0 0 13 * FRI", "2026-02-13T00:00:00Z", "2026-03-13T00:00:00Z"},
      {"0 0 0 13 * FRI", "2026-03-13T00:00:00Z", "2026-11-13T00:00:00Z"},
      {"0 0 0 * * SUN-MON", "2026-01-01T00:00:00Z", "2026-01-04T00:00:00Z"},
      {"0 0 0 * * sat-SUN", "2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z"},
      {"30 15 10 1,15 jan,jul *", "2026-01-15T10:15:30Z", "2026-07-01T10:15:30Z"},
      {"5/20  0  0  *  *  *", "2026-01-01T00:00:05Z", "2026-01-01T00:00:25Z"},
      {"0 59 23 31 12 *", "2026-12-31T23:59:00Z", "2027-12-31T23:59:00Z"},
      {"0 10-20/5 3 * * *", "2026-01-01T03:11:00Z", "2026-01-01T03:15:00Z"},
      {"0 10 3 * * *", "2026-01-01T03:10:00.500Z", "2026-01-02T03:10:00Z"},
  };
  for (const Match& match : matches) {
    const Result<Cron, std::string> cron = Cron::parse(match.cron);
    ASSERT_TRUE(cron.has_value()) << match.cron;
    EXPECT_EQ(cron->next(*parse_date(match.after)), *parse_date(match.next))
        << match.cron << " after " << match.after;
  }
}

TEST(Cron, RefusesWhatIsNoCron) {
  for (const std::string_view text : {"",
                                      "* * * * *",
                                      "* * * * * * *",
                                      "60 * * * * *",
                                      "* 60 * * * *",
                                      "* * 24 * * *",
                                      "* * * 0 * *",
                                      "* * * 32 * *",
                                      "* * * * 13 *",
                                      "* * * * 0 *",
                                      "* * * * * 8",
                                      "5-1 * * * * *",
                                      "*/0 * * * * *",
                                      "a * * * * *",
                                      "1,, * * * * *",
                                      "0 0 0 L-31 * *",
                                      "0 0 0 32W * *",
                                      "0 0 0 * * 5#6",
                                      "0 0 0 * * L",
                                      "@never",
                                      "0 0 0 ? ? *",
                                      "1- * * * * *",
                                      "-1 * * * * *"}) {
    EXPECT_FALSE(Cron::parse(text).has_value()) << text;
  }
}

TEST(Cron, RefusesWhatNeverMatches) {
  const Result<Cron, std::string> cron = Cron::parse("0 0 0 31 6 *");
  ASSERT_FALSE(cron.has_value());
  EXPECT_EQ(cron.error(), "'0 0 0 31 6 *' is not a valid cycle: it never matches");
}

TEST(Cron, RepeatsForEverAfterNow) {
  const Schedule schedule = parse_schedule(TimerKind::Cycle, "0 * * * * *").value();
  const Due due = first_due(schedule, *parse_date("2026-01-01T00:00:30Z")).value();
  EXPECT_EQ(due, (Due{.at = *parse_date("2026-01-01T00:01:00Z"), .repetitions = kRepeatForever}));
  EXPECT_EQ(next_due(schedule, due, *parse_date("2026-01-01T00:07:10Z")),
            (Due{.at = *parse_date("2026-01-01T00:08:00Z"), .repetitions = kRepeatForever}));
}

}  // namespace
}  // namespace beeline::bpmn
