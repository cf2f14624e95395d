#include <algorithm>

#include "feel/builtins.h"
#include "feel/compare.h"
#include "feel/json.h"
#include "feel/parser.h"
#include "feel/text.h"

// Conversion between types, and the functions about booleans and definedness.
namespace beeline::feel {

namespace {

constexpr std::string_view kNotTheText = "The text does not spell such a value";

Value date_from(const BuiltinCall& call) {
  call.state().step(8);
  const Value& from = call[0];
  if (from.is(Kind::Date)) return from;
  if (from.is(Kind::DateTime)) return Value{from.date_time().date};
  return call.or_refuse(Date::parse(from.string()), kNotTheText);
}

Value date_of_fields(const BuiltinCall& call) {
  call.state().step(8);
  const auto year = call[0].number().to_int64();
  const auto month = call[1].number().to_int64();
  const auto day = call[2].number().to_int64();
  if (!year || !month || !day) return call.refuse("There is no such day");
  return call.or_refuse(Date::from_civil(*year, *month, *day), "There is no such day");
}

Value time_from(const BuiltinCall& call) {
  call.state().step(8);
  const Value& from = call[0];
  if (from.is(Kind::Time)) return from;
  if (from.is(Kind::Date)) return Value{Time{0, ZoneInfo::utc()}};
  if (from.is(Kind::DateTime)) return Value{from.date_time().time};
  return call.or_refuse(Time::parse(from.string(), call.text_forms()), kNotTheText);
}

Value time_of_fields(const BuiltinCall& call) {
  call.state().step(8);
  const auto hour = call[0].number().to_int64();
  const auto minute = call[1].number().to_int64();
  ZoneInfo zone = ZoneInfo::local();
  if (!hour || !minute) return call.refuse("There is no such time");
  if (call.has(3) && !call[3].is_null()) {
    constexpr std::int64_t kOffsetMax = 18 * 3600;
    const std::int64_t offset = call[3].days_time().seconds;
    if (offset > kOffsetMax || offset < -kOffsetMax) return call.refuse("The offset is too large");
    zone = ZoneInfo::at_offset(static_cast<std::int32_t>(offset));
  }
  return call.or_refuse(Time::from_fields(*hour, *minute, call[2].number(), zone),
                        "There is no such time");
}

Value date_time_from(const BuiltinCall& call) {
  call.state().step(16);
  const Value& from = call[0];
  if (from.is(Kind::DateTime)) return from;
  if (from.is(Kind::Date)) {
    return Value{call.is_dmn() ? DateTime::midnight_utc(from.date())
                               : DateTime::midnight_local(from.date())};
  }
  return call.or_refuse(DateTime::parse(from.string(), call.text_forms()), kNotTheText);
}

Value date_time_of_parts(const BuiltinCall& call) {
  call.state().step(16);
  const Date date = call[0].is(Kind::Date) ? call[0].date() : call[0].date_time().date;
  return call.or_refuse(DateTime::from_date_and_time(date, call[1].time()),
                        "There is no such date and time");
}

Value date_time_in_zone(const BuiltinCall& call) {
  call.state().step(16);
  const DateTime date_time =
      call[0].is(Kind::Date) ? DateTime::midnight_local(call[0].date()) : call[0].date_time();
  const TimeZone* zone = TimeZone::find(call[1].string());
  if (zone == nullptr) return call.refuse("There is no such time zone");
  return call.or_refuse(date_time.in_zone(ZoneInfo::in_zone(*zone)),
                        "There is no such date and time");
}

Value duration(const BuiltinCall& call) {
  call.state().step(16);
  const Value& from = call[0];
  if (!from.is(Kind::String)) return from;
  if (const auto months = YearsMonthsDuration::parse(from.string())) return Value{*months};
  return call.or_refuse(DaysTimeDuration::parse(from.string()), kNotTheText);
}

Value years_and_months_duration(const BuiltinCall& call) {
  call.state().step(8);
  const auto date_of = [](const Value& value) {
    return value.is(Kind::Date) ? value.date() : value.date_time().date;
  };
  return Value{years_and_months_between(date_of(call[0]), date_of(call[1]))};
}

Value number_from(const BuiltinCall& call) {
  if (call.is_dmn()) return call.refuse("The separators are missing");
  if (call[0].is(Kind::Number)) return call[0];
  call.state().step_walking(call[0].string().size());
  return call.or_refuse(Decimal::parse(call[0].string()), kNotTheText);
}

// Checks for one of the allowed separators; null means no separator.
bool is_separator(const Value& value, std::string_view allowed) {
  return value.is_null() ||
         (value.string().size() == 1 && allowed.find(value.string()) != std::string_view::npos);
}

Value number_with_separators(const BuiltinCall& call) {
  const Value& grouping = call[1];
  const Value decimal = call.has(2) ? call[2] : Value{};
  if (!is_separator(grouping, " ,.") || !is_separator(decimal, ".,") ||
      (!grouping.is_null() && equals(grouping, decimal, Fractions::Compared))) {
    return call.refuse("These separators cannot be used");
  }
  const char point = decimal.is_null() ? '.' : decimal.string()[0];
  std::string plain;
  call.state().step_walking(2 * call[0].string().size());
  for (const char c : call[0].string()) {
    if (!grouping.is_null() && c == grouping.string()[0]) continue;
    if (c == point) {
      plain.push_back('.');
    } else if (c == '.' || c == ',' || c == ' ') {
      return call.refuse(kNotTheText);
    } else {
      plain.push_back(c);
    }
  }
  return call.or_refuse(Decimal::parse(plain), kNotTheText);
}

Value string_from(const BuiltinCall& call) {
  call.state().step(4);
  call.state().step_through(call[0]);
  return call[0].is_null() ? Value{} : Value{to_text(call[0])};
}

Value context_from(const BuiltinCall& call) {
  std::vector<Entry> entries;
  for (const Value& pair : call[0].list()) {
    call.state().step(8);
    const Value* key = pair.find("key");
    const Value* value = pair.find("value");
    if (key == nullptr || value == nullptr || !key->is(Kind::String)) {
      return call.refuse("Every entry needs a key that is a string, and a value");
    }
    call.state().step_reading(key->string().size());
    entries.push_back({key->string(), *value});
  }
  const std::size_t count = entries.size();
  call.state().step_sorting(count);
  Context context{std::move(entries)};
  if (call.is_dmn() && context.entries().size() != count) {
    return call.refuse("A key is repeated");
  }
  return Value{std::move(context)};
}

Value context_from_one(const BuiltinCall& call) {
  const Value* key = call[0].find("key");
  const Value* value = call[0].find("value");
  if (key == nullptr || value == nullptr || !key->is(Kind::String)) {
    return call.refuse("Every entry needs a key that is a string, and a value");
  }
  return Value{Context{{{key->string(), *value}}}};
}

// Bounds must be constants: literals and calls of the calendar's constructors, which the parser has
// folded already.
Value range_from(const BuiltinCall& call) {
  call.state().step(32 + 8 * call[0].string().size());
  ParseOptions options;
  options.dialect = call.dialect();
  const auto program = parse(call[0].string(), EntryPoint::Expression, options);
  if (!program) return call.refuse("The text is not a range");
  const Node& root = (*program)->node((*program)->root);
  if (root.kind != NodeKind::Constant || !root.constant.is(Kind::Range)) {
    return call.refuse("The text is not a range of constants");
  }
  const Range& range = root.constant.range();
  const auto position = order(range.start, range.end);
  if (position && *position > 0) return call.refuse("The range ends before it starts");
  return root.constant;
}

Value from_json(const BuiltinCall& call) {
  return call.or_refuse(parse_json(call[0].string(), call.state()), "The text is not JSON");
}

Value to_json_text(const BuiltinCall& call) {
  call.state().step_through(call[0]);
  std::string text;
  write_json(text, call[0], Opaque::AsText);
  return Value{std::move(text)};
}

Value negation(const BuiltinCall& call) {
  return call[0].is(Kind::Boolean) ? Value{!call[0].boolean()} : Value{};
}

Value is_defined(const BuiltinCall& call) {
  return Value{!call[0].is_null()};
}

Value get_or_else(const BuiltinCall& call) {
  return call[0].is_null() ? call[1] : call[0];
}

Value assert_that(const BuiltinCall& call) {
  if (call[1].is_true()) return call[0];
  const bool has_cause = call.has(2) && call[2].is(Kind::String);
  call.state().fail(has_cause ? call[2].string()
                              : "The condition is not fulfilled for " + describe(call[0]));
}

Value first_argument(const BuiltinCall& call) {
  return call[0];
}

constexpr BuiltinRow kConversionRows[] = {
    {"date(from:sdD)", &date_from},
    {"date(year:n, month:n, day:n)", &date_of_fields},
    {"time(from:stDd)", &time_from},
    {"time(hour:n, minute:n, second:n, offset?:z~)", &time_of_fields},
    {"date and time(from:sdD)", &date_time_from},
    {"date and time(date:dD, time:t)", &date_time_of_parts},
    {"date and time(date:dD, timezone:s)", &date_time_in_zone, kExtension},
    {"duration(from:syz)", &duration},
    {"years and months duration(from:dD, to:dD)", &years_and_months_duration},
    {"number(from:sn)", &number_from, kExtension},
    {"number(from:s, grouping separator:s~)", &number_with_separators, kExtension},
    {"number(from:s, grouping separator:s~, decimal separator:s~)", &number_with_separators},
    {"string(from:a)", &string_from},
    {"context(entries:l)", &context_from},
    {"context(entries:c)", &context_from_one},
    {"range(from:s)", &range_from},
    {"from json(value|json:s)", &from_json, kExtension},
    {"to json(value:a)", &to_json_text, kExtension},
    {"not(negand:b~nslcdtDyzrf)", &negation},
    {"is defined(value:a)", &is_defined, kExtension},
    {"get or else(value:a, default:a)", &get_or_else, kExtension},
    {"assert(value:a, condition:a, cause?:s~)", &assert_that, kExtension},
    {"fromAi(value:a, description?:a, type?:a, schema?:a, options?:a)", &first_argument,
     kExtension},
};

}  // namespace

std::span<const BuiltinRow> conversion_builtins() {
  return kConversionRows;
}

}  // namespace beeline::feel
