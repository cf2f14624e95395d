#include "feel/arithmetic.h"

#include "feel/compare.h"

namespace beeline::feel {

namespace {

// Adds a duration of either kind to a date, a time or a date and time.
Value shifted(const Value& point, const Value& duration) {
  if (duration.is(Kind::YearsMonthsDuration)) {
    if (point.is(Kind::Date)) return Value::from(point.date().plus(duration.years_months()));
    if (point.is(Kind::DateTime)) {
      return Value::from(point.date_time().plus(duration.years_months()));
    }
    return {};
  }
  if (!duration.is(Kind::DaysTimeDuration)) return {};
  if (point.is(Kind::Date)) return Value::from(point.date().plus(duration.days_time()));
  if (point.is(Kind::Time)) return Value{point.time().plus(duration.days_time())};
  if (point.is(Kind::DateTime)) return Value::from(point.date_time().plus(duration.days_time()));
  return {};
}

bool is_duration(const Value& value) {
  return value.is(Kind::YearsMonthsDuration) || value.is(Kind::DaysTimeDuration);
}

Value add(const Value& left, const Value& right) {
  if (left.is(Kind::Number) && right.is(Kind::Number)) {
    return Value::from(Decimal::add(left.number(), right.number()));
  }
  if (left.is(Kind::String) && right.is(Kind::String)) return Value{left.string() + right.string()};
  if (left.kind() == right.kind()) {
    if (left.is(Kind::YearsMonthsDuration)) {
      return Value::from(left.years_months().plus(right.years_months()));
    }
    if (left.is(Kind::DaysTimeDuration)) {
      return Value::from(left.days_time().plus(right.days_time()));
    }
    return {};
  }
  if (is_duration(right)) return shifted(left, right);
  if (is_duration(left)) return shifted(right, left);
  return {};
}

// A date combined with a date and time counts as midnight UTC, which can only be subtracted from a
// zoned one.
Value difference_of_days(const Value& left, const Value& right) {
  const auto as_date_time = [](const Value& value) {
    return value.is(Kind::Date) ? DateTime::midnight_utc(value.date()) : value.date_time();
  };
  return Value::from(as_date_time(left).minus(as_date_time(right)));
}

Value subtract(const Value& left, const Value& right) {
  if (left.is(Kind::Number) && right.is(Kind::Number)) {
    return Value::from(Decimal::subtract(left.number(), right.number()));
  }
  const auto is_day = [](const Value& value) {
    return value.is(Kind::Date) || value.is(Kind::DateTime);
  };
  if (left.is(Kind::Date) && right.is(Kind::Date)) return Value{left.date().minus(right.date())};
  if (is_day(left) && is_day(right)) return difference_of_days(left, right);
  if (left.is(Kind::Time) && right.is(Kind::Time)) {
    return Value::from(left.time().minus(right.time()));
  }
  if (left.is(Kind::YearsMonthsDuration) && right.is(Kind::YearsMonthsDuration)) {
    return Value::from(left.years_months().minus(right.years_months()));
  }
  if (left.is(Kind::DaysTimeDuration) && right.is(Kind::DaysTimeDuration)) {
    return Value::from(left.days_time().minus(right.days_time()));
  }
  if (is_duration(right) && !is_duration(left)) return shifted(left, negate(right));
  return {};
}

Value multiply(const Value& left, const Value& right) {
  if (left.is(Kind::Number)) {
    if (right.is(Kind::Number)) {
      return Value::from(Decimal::multiply(left.number(), right.number()));
    }
    if (right.is(Kind::YearsMonthsDuration)) {
      return Value::from(right.years_months().times(left.number()));
    }
    if (right.is(Kind::DaysTimeDuration)) {
      return Value::from(right.days_time().times(left.number()));
    }
    return {};
  }
  return right.is(Kind::Number) && is_duration(left) ? multiply(right, left) : Value{};
}

Value divide(const Value& left, const Value& right) {
  if (left.is(Kind::Number) && right.is(Kind::Number)) {
    return Value::from(Decimal::divide(left.number(), right.number()));
  }
  if (left.is(Kind::YearsMonthsDuration)) {
    if (right.is(Kind::Number)) {
      return Value::from(left.years_months().divided_by(right.number()));
    }
    if (right.is(Kind::YearsMonthsDuration)) {
      return Value::from(left.years_months().divided_by(right.years_months()));
    }
  }
  if (left.is(Kind::DaysTimeDuration)) {
    if (right.is(Kind::Number)) return Value::from(left.days_time().divided_by(right.number()));
    if (right.is(Kind::DaysTimeDuration)) {
      return Value::from(left.days_time().divided_by(right.days_time()));
    }
  }
  return {};
}

}  // namespace

std::string_view operator_text(Operator op) {
  switch (op) {
    case Operator::Add:
      return "+";
    case Operator::Subtract:
      return "-";
    case Operator::Multiply:
      return "*";
    case Operator::Divide:
      return "/";
    case Operator::Power:
      return "**";
    case Operator::Less:
      return "<";
    case Operator::LessOrEqual:
      return "<=";
    case Operator::Greater:
      return ">";
    case Operator::GreaterOrEqual:
      return ">=";
    case Operator::Equal:
      return "=";
    case Operator::Unequal:
      return "!=";
  }
  return "";
}

Value arithmetic(Operator op, const Value& left, const Value& right) {
  switch (op) {
    case Operator::Add:
      return add(left, right);
    case Operator::Subtract:
      return subtract(left, right);
    case Operator::Multiply:
      return multiply(left, right);
    case Operator::Divide:
      return divide(left, right);
    case Operator::Power:
      if (!left.is(Kind::Number) || !right.is(Kind::Number)) return {};
      return Value::from(Decimal::power(left.number(), right.number()));
    case Operator::Less:
    case Operator::LessOrEqual:
    case Operator::Greater:
    case Operator::GreaterOrEqual:
    case Operator::Equal:
    case Operator::Unequal:
      return compare_values(op, left, right, Fractions::Compared);
  }
  return {};
}

std::size_t arithmetic_steps(Operator op, const Value& left, const Value& right) {
  const bool numbers = left.is(Kind::Number) && right.is(Kind::Number);
  switch (op) {
    case Operator::Add:
    case Operator::Subtract:
      return numbers ? 2 : 6;  // the calendar
    case Operator::Multiply:
      return numbers ? 4 : 12;
    case Operator::Divide:
      return numbers ? 12 : 24;
    case Operator::Power:
      return numbers ? Decimal::power_steps(left.number(), right.number()) : 1;
    case Operator::Less:
    case Operator::LessOrEqual:
    case Operator::Greater:
    case Operator::GreaterOrEqual:
    case Operator::Equal:
    case Operator::Unequal:
      break;
  }
  return 1;
}

Value negate(const Value& value) {
  if (value.is(Kind::Number)) return Value{value.number().negated()};
  if (value.is(Kind::YearsMonthsDuration)) return Value::from(value.years_months().negated());
  if (value.is(Kind::DaysTimeDuration)) return Value::from(value.days_time().negated());
  return {};
}

Value compare_values(Operator op, const Value& left, const Value& right, Fractions fractions) {
  if (op == Operator::Equal || op == Operator::Unequal) {
    const std::optional<bool> same = equal(left, right, fractions);
    return same ? Value{*same == (op == Operator::Equal)} : Value{};
  }
  const auto position = order(left, right);
  if (!position) return {};
  if (op == Operator::Less) return Value{*position < 0};
  if (op == Operator::LessOrEqual) return Value{*position <= 0};
  if (op == Operator::Greater) return Value{*position > 0};
  return Value{*position >= 0};
}

}  // namespace beeline::feel
