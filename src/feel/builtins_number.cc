#include "feel/builtins.h"

// Numbers: rounding, roots and the like.
namespace beeline::feel {

namespace {

// Returns the scale given by the argument at `index`, or 0 if it was omitted.
std::optional<std::int64_t> scale_of(const BuiltinCall& call, std::size_t index) {
  return call.has(index) ? call[index].number().truncated_int64() : std::optional<std::int64_t>(0);
}

Value rounded(const BuiltinCall& call, RoundingMode mode) {
  call.state().step(4);
  const std::optional<std::int64_t> scale = scale_of(call, 1);
  return call.or_refuse(scale ? call[0].number().round(*scale, mode) : std::nullopt,
                        "The number cannot be rounded to this scale");
}

template <RoundingMode mode>
Value round_to(const BuiltinCall& call) {
  return rounded(call, mode);
}

// The standard demands a scale; models for workflows may leave it out.
template <RoundingMode mode>
Value round_whole(const BuiltinCall& call) {
  if (call.is_dmn()) return call.refuse("The scale is missing");
  return call.or_refuse(call[0].number().round(0, mode), "The number cannot be rounded");
}

Value decimal_with_mode(const BuiltinCall& call) {
  const std::optional<RoundingMode> mode = rounding_mode_from_name(call[2].string());
  if (!mode) return call.refuse("There is no such rounding mode");
  return rounded(call, *mode);
}

Value absolute(const BuiltinCall& call) {
  const Value& value = call[0];
  if (value.is(Kind::Number)) return Value{value.number().abs()};
  const bool negative = value.is(Kind::YearsMonthsDuration) ? value.years_months().months < 0
                                                            : value.days_time().is_negative();
  return negative ? negate(value) : value;
}

Value modulo(const BuiltinCall& call) {
  call.state().step(Decimal::modulo_steps(call[0].number(), call[1].number()));
  return call.or_refuse(Decimal::modulo(call[0].number(), call[1].number()),
                        "The divisor of modulo is zero");
}

Value square_root(const BuiltinCall& call) {
  call.state().step(40);
  return call.or_refuse(call[0].number().sqrt(), "A negative number has no square root");
}

Value logarithm(const BuiltinCall& call) {
  call.state().step(200);
  return call.or_refuse(call[0].number().log(), "Only positive numbers have a logarithm");
}

Value exponential(const BuiltinCall& call) {
  call.state().step(200);
  return call.or_refuse(call[0].number().exp(), "The result is too large");
}

Value odd(const BuiltinCall& call) {
  call.state().step(4);
  return Value{call[0].number().is_odd()};
}

Value even(const BuiltinCall& call) {
  call.state().step(4);
  return Value{call[0].number().is_even()};
}

Value random_number(const BuiltinCall& call) {
  call.state().step(16);
  constexpr std::uint64_t kSteps = 1'000'000'000'000'000;  // fifteen digits
  const auto digits = static_cast<std::int64_t>(call.state().random() % kSteps);
  return Value::from(Decimal::divide(Decimal{digits}, Decimal{static_cast<std::int64_t>(kSteps)}));
}

constexpr BuiltinRow kNumberRows[] = {
    {"decimal(n:n, scale:n)", &round_to<RoundingMode::HalfEven>},
    {"decimal(n:n, scale:n, mode:s)", &decimal_with_mode, kExtension},
    {"floor(n:n, scale?:n)", &round_to<RoundingMode::Floor>},
    {"ceiling(n:n, scale?:n)", &round_to<RoundingMode::Ceiling>},
    {"round up(n:n, scale:n)", &round_to<RoundingMode::Up>},
    {"round up(n:n)", &round_whole<RoundingMode::Up>, kExtension},
    {"round down(n:n, scale:n)", &round_to<RoundingMode::Down>},
    {"round down(n:n)", &round_whole<RoundingMode::Down>, kExtension},
    {"round half up(n:n, scale:n)", &round_to<RoundingMode::HalfUp>},
    {"round half up(n:n)", &round_whole<RoundingMode::HalfUp>, kExtension},
    {"round half down(n:n, scale:n)", &round_to<RoundingMode::HalfDown>},
    {"round half down(n:n)", &round_whole<RoundingMode::HalfDown>, kExtension},
    {"abs(n|+number:nyz)", &absolute},
    {"modulo(dividend:n, divisor:n)", &modulo},
    {"sqrt(number:n)", &square_root},
    {"log(number:n)", &logarithm},
    {"exp(number:n)", &exponential},
    {"odd(number:n)", &odd},
    {"even(number:n)", &even},
    {"random number()", &random_number, kExtension},
};

}  // namespace

std::span<const BuiltinRow> number_builtins() {
  return kNumberRows;
}

}  // namespace beeline::feel
