#include "feel/evaluator.h"
#include "feel/text.h"

namespace beeline::feel {

namespace {

Value from_text(const std::optional<std::string>& text) {
  return text ? Value{*text} : Value{};
}

std::optional<Value> date_property(const Date& date, std::string_view name) {
  if (name == "year") return Value::number(date.year());
  if (name == "month") return Value::number(date.month());
  if (name == "day") return Value::number(date.day());
  if (name == "weekday") return Value::number(date.weekday());
  return std::nullopt;
}

std::optional<Value> time_property(const Time& time, std::string_view name) {
  if (name == "hour") return Value::number(time.hour());
  if (name == "minute") return Value::number(time.minute());
  if (name == "second") return Value::number(time.second());
  if (name == "time offset") return Value::from(time.time_offset());
  if (name == "timezone") return from_text(time.timezone());
  return std::nullopt;
}

std::optional<Value> date_time_property(const DateTime& value, std::string_view name) {
  if (name == "time offset") return Value::from(value.time_offset());
  if (std::optional<Value> found = date_property(value.date, name)) return found;
  return time_property(value.time, name);
}

std::optional<Value> days_time_property(const DaysTimeDuration& value, std::string_view name) {
  if (name == "days") return Value::number(value.days_part());
  if (name == "hours") return Value::number(value.hours_part());
  if (name == "minutes") return Value::number(value.minutes_part());
  if (name == "seconds") return Value::number(value.seconds_part());
  return std::nullopt;
}

std::optional<Value> years_months_property(const YearsMonthsDuration& value,
                                           std::string_view name) {
  if (name == "years") return Value::number(value.years_part());
  if (name == "months") return Value::number(value.months_part());
  return std::nullopt;
}

std::optional<Value> range_property(const Range& range, std::string_view name) {
  if (name == "start") return range.start;
  if (name == "end") return range.end;
  if (name == "start included") return Value{range.start_included};
  if (name == "end included") return Value{range.end_included};
  return std::nullopt;
}

std::optional<Value> property(const Value& object, std::string_view name) {
  switch (object.kind()) {
    case Kind::Date:
      return date_property(object.date(), name);
    case Kind::Time:
      return time_property(object.time(), name);
    case Kind::DateTime:
      return date_time_property(object.date_time(), name);
    case Kind::DaysTimeDuration:
      return days_time_property(object.days_time(), name);
    case Kind::YearsMonthsDuration:
      return years_months_property(object.years_months(), name);
    case Kind::Range:
      return range_property(object.range(), name);
    case Kind::Null:
    case Kind::Boolean:
    case Kind::Number:
    case Kind::String:
    case Kind::List:
    case Kind::Context:
    case Kind::Function:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

Value get_member(EvalState& state, const Value& object, std::string_view name) {
  if (object.is(Kind::Context)) {
    if (const Value* entry = object.find(name)) return *entry;
  } else if (object.is(Kind::List)) {
    std::vector<Value> members;
    members.reserve(object.list().size());
    state.step(2 * object.list().size());
    for (const Value& item : object.list()) members.push_back(get_member(state, item, name));
    return Value{std::move(members)};
  } else if (std::optional<Value> found = property(object, name)) {
    return *std::move(found);
  }
  if (state.wants_warning()) {
    const bool entry = object.is(Kind::Context) || object.is_null();
    std::string text =
        entry ? "No context entry found with key '" : "No property found with name '";
    text += name;
    text += "' of ";
    text += describe(object);
    state.warn(entry ? WarningKind::NoContextEntryFound : WarningKind::NoPropertyFound, text);
  }
  return {};
}

}  // namespace beeline::feel
