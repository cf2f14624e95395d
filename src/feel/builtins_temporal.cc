#include "feel/builtins.h"
#include "feel/compare.h"
#include "feel/text.h"

// Dates and times, and the cycles of timers.
namespace beeline::feel {

namespace {

Date date_of(const Value& value) {
  return value.is(Kind::Date) ? value.date() : value.date_time().date;
}

Value is_identical(const BuiltinCall& call) {
  call.state().step_comparing(call[0], call[1]);
  return Value{identical(call[0], call[1])};
}

std::optional<DateTime> now_utc(const BuiltinCall& call) {
  constexpr std::int64_t kNanosPerMilli = 1'000'000;
  return DateTime::from_instant(
      static_cast<Nanoseconds>(call.state().now.time_since_epoch().count()) * kNanosPerMilli,
      ZoneInfo::utc());
}

Value now(const BuiltinCall& call) {
  call.state().step(4);
  return Value::from(now_utc(call));
}

Value today(const BuiltinCall& call) {
  call.state().step(4);
  const std::optional<DateTime> at = now_utc(call);
  return at ? Value{at->date} : Value{};
}

Value day_of_year(const BuiltinCall& call) {
  call.state().step(4);
  return Value::number(date_of(call[0]).day_of_year());
}

Value week_of_year(const BuiltinCall& call) {
  call.state().step(4);
  return Value::number(date_of(call[0]).week_of_year());
}

Value day_of_week(const BuiltinCall& call) {
  call.state().step(4);
  return Value{std::string(weekday_name(date_of(call[0]).weekday()))};
}

Value month_of_year(const BuiltinCall& call) {
  call.state().step(4);
  return Value{std::string(month_name(date_of(call[0]).month()))};
}

Value last_day_of_month(const BuiltinCall& call) {
  call.state().step(4);
  return Value{date_of(call[0]).last_day_of_month()};
}

// Repetitions in the form of ISO 8601: R3/PT1H, or R/PT1H without end.
Value cycle_without_end(const BuiltinCall& call) {
  call.state().step(4);
  return Value{"R/" + to_text(call[0])};
}

Value cycle(const BuiltinCall& call) {
  call.state().step(4);
  if (call[0].is_null()) return Value{"R/" + to_text(call[1])};
  const std::optional<std::int64_t> count = call[0].number().truncated_int64();
  if (!count || *count < 0) return call.refuse("The number of repetitions is out of range");
  return Value{"R" + std::to_string(*count) + "/" + to_text(call[1])};
}

constexpr BuiltinRow kTemporalRows[] = {
    {"is(value1?:a, value2?:a)", &is_identical},
    {"now()", &now},
    {"today()", &today},
    {"day of year(date:dD)", &day_of_year},
    {"week of year(date:dD)", &week_of_year},
    {"day of week(date:dD)", &day_of_week},
    {"month of year(date:dD)", &month_of_year},
    {"last day of month(date:dD)", &last_day_of_month, kExtension},
    {"cycle(interval:yz)", &cycle_without_end, kExtension},
    {"cycle(repetitions:n~, interval:yz)", &cycle, kExtension},
};

}  // namespace

std::span<const BuiltinRow> temporal_builtins() {
  return kTemporalRows;
}

}  // namespace beeline::feel
