#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beeline::feel {

// One zone of the tz database, read from /usr/share/zoneinfo: the sorted transitions of the file
// and, for everything after them, the rule in its last line, so summer time continues after 2037.
//
// Zones are loaded on first use and kept for the life of the process, so a `const TimeZone*` from
// find() is always valid and two pointers are equal exactly when the names are.
//
// Threading: find() may be called from any thread; the objects are immutable.
class TimeZone {
 public:
  // Finds a zone by its name ("Europe/Paris", "UTC"). Returns null if there is no such zone. Names
  // that could leave the database's folder are refused.
  [[nodiscard]] static const TimeZone* find(std::string_view name);

  // Reads the bytes of a TZif file of version 2 or later; for tests and fuzzing.
  [[nodiscard]] static std::optional<TimeZone> read(std::string name, std::string_view bytes);

  [[nodiscard]] const std::string& name() const { return name_; }

  // Returns the seconds east of UTC at this instant (seconds since 1970 UTC).
  [[nodiscard]] std::int32_t offset_at(std::int64_t instant) const;
  // Returns the seconds east of UTC for these local fields (seconds since 1970 local). In an
  // overlap it is the earlier offset; in a gap it is the offset before the gap, which moves the
  // instant forward by the gap.
  [[nodiscard]] std::int32_t offset_at_local(std::int64_t local) const;
  // Returns the offset without summer time according to the zone's newest rule, which a time
  // without a date uses.
  [[nodiscard]] std::int32_t standard_offset() const { return standard_offset_; }

 private:
  struct Transition {
    std::int64_t instant;
    std::int32_t offset;  // from `instant` on
  };
  // When a yearly switch happens, in the forms of a POSIX TZ rule.
  struct RuleDate {
    enum class Form { JulianWithoutLeapDay, DayOfYear, MonthWeekDay } form = Form::DayOfYear;
    int day = 0;  // Julian day 1-365, day of year 0-365, or weekday 0-6
    int month = 0;
    int week = 0;
    std::int32_t seconds = 7200;  // local time of the switch
  };
  struct Rule {
    std::int32_t standard_offset = 0;
    std::int32_t summer_offset = 0;
    bool has_summer = false;
    RuleDate summer_begins;
    RuleDate summer_ends;
  };

  class RuleParser;
  [[nodiscard]] static std::int64_t day_of(const RuleDate& date, std::int64_t year);
  [[nodiscard]] static std::int32_t rule_offset_at(const Rule& rule, std::int64_t instant);

  std::string name_;
  std::int32_t first_offset_ = 0;
  std::int32_t standard_offset_ = 0;
  std::vector<Transition> transitions_;
  std::optional<Rule> rule_;  // applies after the last transition
};

}  // namespace beeline::feel
