#include "feel/decimal.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>

namespace beeline::feel {
namespace {

using Coefficient = Decimal::Coefficient;

constexpr int kGuardedDigits = 38;  // every number with so many digits fits into a Coefficient

constexpr std::array<Coefficient, kGuardedDigits + 1> kPowersOfTen = [] {
  std::array<Coefficient, kGuardedDigits + 1> powers{};
  powers[0] = 1;
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

constexpr Coefficient power_of_ten(int exponent) {
  return kPowersOfTen[static_cast<std::size_t>(exponent)];
}

// Returns the number of decimal digits; 0 for zero.
int digit_count(Coefficient value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  const auto low = static_cast<std::uint64_t>(value);
  if (high == 0 && low == 0) return 0;
  const int bits = high != 0 ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll(low);
  const int guess = bits * 1233 >> 12;  // 1233 / 4096 is just below log10(2)
  return guess + (value >= power_of_ten(guess) ? 1 : 0);
}

// A magnitude that will become a Decimal. `sticky` records that something greater than zero and
// smaller than one unit of the last digit was cut off.
struct Magnitude {
  Coefficient coefficient = 0;
  std::int64_t exponent = 0;
  bool sticky = false;
};

// How the part that is cut off compares with half a unit of the last kept digit.
enum class Cut { Nothing, BelowHalf, Half, AboveHalf };

struct Shortened {
  Coefficient kept;
  Cut cut;
};

Shortened shorten(Coefficient value, std::int64_t digits, bool sticky) {
  if (digits > kGuardedDigits) {
    return {0, value == 0 && !sticky ? Cut::Nothing : Cut::BelowHalf};
  }
  if (digits == 0) return {value, sticky ? Cut::BelowHalf : Cut::Nothing};
  const Coefficient divisor = power_of_ten(static_cast<int>(digits));
  const Coefficient kept = value / divisor;
  const Coefficient rest = value % divisor;
  const Coefficient half = divisor / 2;
  if (rest == 0) return {kept, sticky ? Cut::BelowHalf : Cut::Nothing};
  if (rest < half) return {kept, Cut::BelowHalf};
  if (rest == half && !sticky) return {kept, Cut::Half};
  return {kept, Cut::AboveHalf};
}

bool rounds_away(RoundingMode mode, Cut cut, bool negative, bool odd) {
  switch (mode) {
    case RoundingMode::Up:
      return cut != Cut::Nothing;
    case RoundingMode::Down:
    case RoundingMode::Unnecessary:
      return false;
    case RoundingMode::Ceiling:
      return cut != Cut::Nothing && !negative;
    case RoundingMode::Floor:
      return cut != Cut::Nothing && negative;
    case RoundingMode::HalfUp:
      return cut == Cut::Half || cut == Cut::AboveHalf;
    case RoundingMode::HalfDown:
      return cut == Cut::AboveHalf;
    case RoundingMode::HalfEven:
      return cut == Cut::AboveHalf || (cut == Cut::Half && odd);
  }
  return false;
}

// Rounds the magnitude half-even to at most `digits` digits. Exponents stay unlimited.
Magnitude limit_digits(Magnitude value, int digits) {
  int excess = digit_count(value.coefficient) - digits;
  if (excess <= 0) return value;
  Shortened shortened = shorten(value.coefficient, excess, value.sticky);
  if (rounds_away(RoundingMode::HalfEven, shortened.cut, false, (shortened.kept & 1) != 0)) {
    ++shortened.kept;
    if (shortened.kept == power_of_ten(digits)) {
      shortened.kept /= 10;
      ++excess;
    }
  }
  return {shortened.kept, value.exponent + excess, false};
}

// Returns the product with up to 38 digits and the rest in `sticky`. Factors have at most 38
// digits. Halves of 19 digits keep every partial product within 128 bits and make the cut fall
// between digits.
Magnitude multiply_magnitudes(const Magnitude& a, const Magnitude& b) {
  const std::int64_t exponent = a.exponent + b.exponent;
  if ((a.coefficient >> 64) == 0 && (b.coefficient >> 64) == 0) {
    return limit_digits({a.coefficient * b.coefficient, exponent, false}, kGuardedDigits);
  }
  constexpr int kHalf = kGuardedDigits / 2;
  const Coefficient base = power_of_ten(kHalf);
  const Coefficient a_high = a.coefficient / base;
  const Coefficient a_low = a.coefficient % base;
  const Coefficient b_high = b.coefficient / base;
  const Coefficient b_low = b.coefficient % base;
  const Coefficient middle = a_high * b_low + a_low * b_high;
  Coefficient low = a_low * b_low;
  Coefficient high = a_high * b_high + middle / base;
  low += middle % base * base;
  high += low / power_of_ten(kGuardedDigits);
  low %= power_of_ten(kGuardedDigits);
  if (high == 0) return {low, exponent, false};
  const int high_digits = digit_count(high);
  const Coefficient cut = power_of_ten(high_digits);
  return {high * power_of_ten(kGuardedDigits - high_digits) + low / cut, exponent + high_digits,
          low % cut != 0};
}

std::optional<long double> to_long_double(const Decimal& value) {
  const std::string text = value.to_string();
  long double result = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), result);
  if (parsed.ec != std::errc{}) return std::nullopt;
  return result;
}

// Rounds to the 17 digits that are reliable in long double arithmetic, or to another number of
// digits.
std::optional<Decimal> from_long_double(long double value, int digits = 17) {
  if (!std::isfinite(value)) return std::nullopt;
  std::array<char, 64> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value,
                                     std::chars_format::scientific, digits - 1);
  return Decimal::parse({text.data(), static_cast<std::size_t>(written.ptr - text.data())});
}

}  // namespace

std::optional<RoundingMode> rounding_mode_from_name(std::string_view name) {
  std::string upper(name);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  static constexpr std::array<std::pair<std::string_view, RoundingMode>, 8> kNames{{
      {"UP", RoundingMode::Up},
      {"DOWN", RoundingMode::Down},
      {"CEILING", RoundingMode::Ceiling},
      {"FLOOR", RoundingMode::Floor},
      {"HALF_UP", RoundingMode::HalfUp},
      {"HALF_DOWN", RoundingMode::HalfDown},
      {"HALF_EVEN", RoundingMode::HalfEven},
      {"UNNECESSARY", RoundingMode::Unnecessary},
  }};
  for (const auto& [text, mode] : kNames) {
    if (text == upper) return mode;
  }
  return std::nullopt;
}

namespace {

// The last step of every operation: limits the number to 34 digits and the exponent range, or gives
// nothing.
struct Fitted {
  Coefficient coefficient;
  int exponent;
};
std::optional<Fitted> fit(Magnitude value) {
  const int digits = digit_count(value.coefficient);
  std::int64_t excess = std::max<std::int64_t>(
      {digits - Decimal::kDigits, Decimal::kExponentMin - value.exponent, 0});
  if (excess > 0 || value.sticky) {
    Shortened shortened = shorten(value.coefficient, excess, value.sticky);
    if (rounds_away(RoundingMode::HalfEven, shortened.cut, false, (shortened.kept & 1) != 0)) {
      ++shortened.kept;
    }
    value.coefficient = shortened.kept;
    value.exponent += excess;
    if (value.coefficient == power_of_ten(Decimal::kDigits)) {
      value.coefficient /= 10;
      ++value.exponent;
    }
  }
  if (value.coefficient == 0) {
    return Fitted{0, static_cast<int>(std::clamp<std::int64_t>(
                         value.exponent, Decimal::kExponentMin, Decimal::kExponentMax))};
  }
  if (value.exponent > Decimal::kExponentMax) {
    const std::int64_t surplus = value.exponent - Decimal::kExponentMax;
    if (surplus > Decimal::kDigits - digit_count(value.coefficient)) return std::nullopt;
    value.coefficient *= power_of_ten(static_cast<int>(surplus));
    value.exponent = Decimal::kExponentMax;
  }
  return Fitted{value.coefficient, static_cast<int>(value.exponent)};
}

}  // namespace

std::optional<Decimal> Decimal::make(bool negative, Coefficient coefficient,
                                     std::int64_t exponent) {
  const std::optional<Fitted> fitted = fit({coefficient, exponent, false});
  if (!fitted) return std::nullopt;
  return Decimal{negative, fitted->coefficient, fitted->exponent};
}

std::optional<Decimal> Decimal::parse(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto is_digit = [&] { return at != end && *at >= '0' && *at <= '9'; };
  bool negative = false;
  if (at != end && (*at == '-' || *at == '+')) negative = *at++ == '-';

  Magnitude value;
  bool any_digit = false;
  bool behind_point = false;
  while (true) {
    if (at != end && *at == '.' && !behind_point) {
      behind_point = true;
      ++at;
      if (!is_digit()) return std::nullopt;
      continue;
    }
    if (!is_digit()) break;
    const auto digit = static_cast<unsigned>(*at++ - '0');
    any_digit = true;
    if (value.coefficient < power_of_ten(kGuardedDigits - 1)) {
      value.coefficient = value.coefficient * 10 + digit;
      if (behind_point) --value.exponent;
    } else {
      value.sticky |= digit != 0;
      if (!behind_point) ++value.exponent;
    }
  }
  if (!any_digit) return std::nullopt;
  if (at != end && (*at == 'e' || *at == 'E')) {
    ++at;
    bool exponent_negative = false;
    if (at != end && (*at == '-' || *at == '+')) exponent_negative = *at++ == '-';
    if (!is_digit()) return std::nullopt;
    std::int64_t exponent = 0;
    while (is_digit()) {
      exponent = std::min<std::int64_t>(exponent * 10 + (*at++ - '0'), 1'000'000'000'000);
    }
    value.exponent += exponent_negative ? -exponent : exponent;
  }
  if (at != end) return std::nullopt;
  const std::optional<Fitted> fitted = fit(value);
  if (!fitted) return std::nullopt;
  return Decimal{negative, fitted->coefficient, fitted->exponent};
}

std::optional<Decimal> Decimal::from_double(double value) {
  if (!std::isfinite(value)) return std::nullopt;
  constexpr double kExactIntegers = 9007199254740992.0;  // 2^53
  if (std::abs(value) < kExactIntegers && value == std::trunc(value)) {
    return Decimal{static_cast<std::int64_t>(value)};
  }
  std::array<char, 64> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  return parse({text.data(), static_cast<std::size_t>(written.ptr - text.data())});
}

std::string Decimal::digits() const {
  std::array<char, 48> buffer{};
  char* first = buffer.data() + buffer.size();
  char* const last = first;
  // Converts two halves of 19 digits, since dividing 128 bits is slow.
  constexpr int kHalf = 19;
  const Coefficient whole = coefficient();
  const auto high = static_cast<std::uint64_t>(whole / power_of_ten(kHalf));
  const auto low = static_cast<std::uint64_t>(whole % power_of_ten(kHalf));
  const auto write = [&first](std::uint64_t rest, int width) {
    for (int written = 0; rest != 0 || written < width; ++written) {
      *--first = static_cast<char>('0' + static_cast<int>(rest % 10));
      rest /= 10;
    }
  };
  write(low, high != 0 ? kHalf : 1);
  write(high, 0);
  return {first, last};
}

std::string Decimal::to_plain_string() const {
  const Decimal plain = normalized();
  if (plain.coefficient() == 0) return "0";
  const std::string digits = plain.digits();
  const int whole = static_cast<int>(digits.size()) + plain.exponent_;  // digits before the point
  std::string text = plain.negative_ ? "-" : "";
  if (plain.exponent_ >= 0) {
    text.append(digits).append(static_cast<std::size_t>(plain.exponent_), '0');
  } else if (whole > 0) {
    const auto point = static_cast<std::size_t>(whole);
    text.append(digits, 0, point).append(".").append(digits, point);
  } else {
    text.append("0.").append(static_cast<std::size_t>(-whole), '0').append(digits);
  }
  return text;
}

std::string Decimal::to_string() const {
  const Decimal plain = normalized();
  const std::string digits = plain.digits();
  const int count = static_cast<int>(digits.size());
  const int leading = plain.exponent_ + count - 1;  // the exponent of the first digit

  std::string text = plain.negative_ ? "-" : "";
  if (leading < -6 || leading >= kDigits || plain.exponent_ > 21) {
    text += digits.substr(0, 1);
    if (count > 1) text.append(".").append(digits, 1);
    text.append(leading < 0 ? "E-" : "E+").append(std::to_string(std::abs(leading)));
  } else if (plain.exponent_ >= 0) {
    text.append(digits).append(static_cast<std::size_t>(plain.exponent_), '0');
  } else if (leading >= 0) {
    const auto whole = static_cast<std::size_t>(leading + 1);
    text.append(digits, 0, whole).append(".").append(digits, whole);
  } else {
    text.append("0.").append(static_cast<std::size_t>(-leading - 1), '0').append(digits);
  }
  return text;
}

std::optional<std::int64_t> Decimal::truncated_int64() const {
  Coefficient magnitude = coefficient();
  if (exponent_ < 0) {
    magnitude = -exponent_ > kGuardedDigits ? 0 : magnitude / power_of_ten(-exponent_);
  } else if (exponent_ > 0 && magnitude != 0) {
    if (exponent_ > 18) return std::nullopt;
    if (digit_count(magnitude) + exponent_ > 20) return std::nullopt;
    magnitude *= power_of_ten(exponent_);
  }
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (magnitude > kMax + (negative_ ? 1U : 0U)) return std::nullopt;
  const auto low = static_cast<std::uint64_t>(magnitude);
  return static_cast<std::int64_t>(negative_ ? 0 - low : low);
}

std::optional<std::int64_t> Decimal::to_int64() const {
  if (!is_integer()) return std::nullopt;
  return truncated_int64();
}

double Decimal::to_double() const {
  static constexpr std::array<double, 23> kExactPowers{
      1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  // Both operands are exact doubles, so one operation rounds correctly.
  if (is_small() && low_ <= std::uint64_t{1} << 53 && exponent_ >= -22 && exponent_ <= 22) {
    const double magnitude = static_cast<double>(low_);
    const double scaled = exponent_ < 0
                              ? magnitude / kExactPowers[static_cast<std::size_t>(-exponent_)]
                              : magnitude * kExactPowers[static_cast<std::size_t>(exponent_)];
    return is_negative() ? -scaled : scaled;
  }
  const std::string text = to_string();
  double result = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), result);
  if (parsed.ec == std::errc::result_out_of_range) {
    const bool huge = exponent_ + digit_count(coefficient()) > 0;
    result = huge ? std::numeric_limits<double>::infinity() : 0.0;
    return negative_ ? -result : result;
  }
  return result;
}

bool Decimal::is_integer() const {
  if (exponent_ >= 0 || is_zero()) return true;
  if (-exponent_ >= kGuardedDigits) return false;
  return coefficient() % power_of_ten(-exponent_) == 0;
}

bool Decimal::is_odd() const {
  if (!is_integer() || is_zero()) return false;
  if (exponent_ > 0) return false;
  return (coefficient() / power_of_ten(-exponent_)) % 2 == 1;
}

bool Decimal::is_even() const {
  return is_integer() && !is_odd();
}

Decimal Decimal::normalized() const {
  if (is_zero()) return {};
  if (is_small()) {
    std::uint64_t value = low_;
    int exponent = exponent_;
    while (value % 10 == 0) {
      value /= 10;
      ++exponent;
    }
    return {negative_, value, exponent};
  }
  Coefficient value = coefficient();
  int exponent = exponent_;
  for (const int digits : {32, 16, 8, 4, 2, 1}) {
    if (value % power_of_ten(digits) != 0) continue;
    value /= power_of_ten(digits);
    exponent += digits;
  }
  return {negative_, value, exponent};
}

std::optional<Decimal> Decimal::add(const Decimal& a, const Decimal& b) {
  if (a.exponent_ == b.exponent_ && a.is_small() && b.is_small()) {
    if (a.negative_ == b.negative_) {
      return Decimal{a.negative_, static_cast<Coefficient>(a.low_) + b.low_, a.exponent_};
    }
    return a.low_ >= b.low_ ? Decimal{a.negative_, a.low_ - b.low_, a.exponent_}
                            : Decimal{b.negative_, b.low_ - a.low_, a.exponent_};
  }
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  const Decimal& upper = a.exponent_ >= b.exponent_ ? a : b;
  const Decimal& lower = a.exponent_ >= b.exponent_ ? b : a;
  Coefficient large = upper.coefficient();
  Coefficient small = lower.coefficient();
  const int gap = upper.exponent_ - lower.exponent_;
  const int shift = std::min(gap, kGuardedDigits - digit_count(large));
  large *= power_of_ten(shift);
  // The larger operand has 38 digits, so the rest of the gap concerns digits far below the last
  // kept one. It only matters whether they are zero.
  const Shortened shortened = shorten(small, gap - shift, false);
  bool sticky = shortened.cut != Cut::Nothing;
  small = shortened.kept;
  Coefficient sum = 0;
  bool negative = upper.negative_;
  if (upper.negative_ == lower.negative_) {
    sum = large + small;
  } else if (large >= small) {
    sum = large - small - (sticky ? 1 : 0);
  } else {
    sum = small - large;
    negative = lower.negative_;
  }
  const std::optional<Fitted> fitted = fit({sum, lower.exponent_ + (gap - shift), sticky});
  if (!fitted) return std::nullopt;
  return Decimal{negative, fitted->coefficient, fitted->exponent};
}

std::optional<Decimal> Decimal::subtract(const Decimal& a, const Decimal& b) {
  return add(a, b.negated());
}

std::optional<Decimal> Decimal::multiply(const Decimal& a, const Decimal& b) {
  const bool negative = a.negative_ != b.negative_;
  std::uint64_t product = 0;
  if (a.is_small() && b.is_small() && !__builtin_mul_overflow(a.low_, b.low_, &product)) {
    return make(negative, product, a.exponent_ + b.exponent_);
  }
  const std::optional<Fitted> fitted =
      fit(multiply_magnitudes({a.coefficient(), a.exponent_}, {b.coefficient(), b.exponent_}));
  if (!fitted) return std::nullopt;
  return Decimal{negative, fitted->coefficient, fitted->exponent};
}

std::optional<Decimal> Decimal::divide(const Decimal& a, const Decimal& b) {
  if (b.is_zero()) return std::nullopt;
  const Coefficient divisor = b.coefficient();
  Coefficient quotient = a.coefficient() / divisor;
  Coefficient rest = a.coefficient() % divisor;
  std::int64_t exponent = static_cast<std::int64_t>(a.exponent_) - b.exponent_;
  // A remainder below 2^64 leaves room for 19 digits at a time, one below 10^34 for four.
  const int digits_at_once = b.is_small() ? 19 : kGuardedDigits - kDigits;
  while (rest != 0) {
    const int missing = kDigits + 1 - digit_count(quotient);
    if (missing <= 0) break;
    const int step = std::min(missing, digits_at_once);
    rest *= power_of_ten(step);
    quotient = quotient * power_of_ten(step) + rest / divisor;
    rest %= divisor;
    exponent -= step;
  }
  const std::optional<Fitted> fitted = fit({quotient, exponent, rest != 0});
  if (!fitted) return std::nullopt;
  return Decimal{a.negative_ != b.negative_, fitted->coefficient, fitted->exponent};
}

std::optional<Decimal> Decimal::modulo(const Decimal& dividend, const Decimal& divisor) {
  if (divisor.is_zero()) return std::nullopt;
  if (dividend.is_zero()) return Decimal{};
  Coefficient rest = dividend.coefficient();
  Coefficient by = divisor.coefficient();
  int exponent = divisor.exponent_;
  if (dividend.exponent_ >= divisor.exponent_) {
    rest %= by;
    const int step_max = kGuardedDigits - kDigits;
    for (int gap = dividend.exponent_ - divisor.exponent_; gap > 0 && rest != 0;) {
      const int step = std::min(gap, step_max);
      rest = rest * power_of_ten(step) % by;
      gap -= step;
    }
  } else {
    const int gap = divisor.exponent_ - dividend.exponent_;
    if (digit_count(by) + gap > kGuardedDigits) {
      // The divisor is larger than any dividend with that exponent.
      return dividend.is_negative() == divisor.is_negative() ? dividend : add(dividend, divisor);
    }
    by *= power_of_ten(gap);
    rest %= by;
    exponent = dividend.exponent_;
  }
  if (rest != 0 && dividend.is_negative() != divisor.is_negative()) rest = by - rest;
  return make(divisor.negative_, rest, exponent);
}

namespace {

// Computes powers whose exponent has a number of sixteenths as fraction: roots give these to the
// last digit, since 2 ** 0.5 is the root of 2. Returns nothing for other exponents.
std::optional<Decimal> power_of_roots(const Decimal& base, const Decimal& exponent) {
  constexpr int kRoots = 4;
  const Decimal whole = exponent.floor();
  const std::optional<Decimal> fraction = Decimal::subtract(exponent, whole);
  const std::optional<Decimal> scaled =
      fraction ? Decimal::multiply(*fraction, Decimal{1 << kRoots}) : std::nullopt;
  const std::optional<std::int64_t> sixteenths = scaled ? scaled->to_int64() : std::nullopt;
  std::optional<Decimal> result = sixteenths ? Decimal::power(base, whole) : std::nullopt;
  std::optional<Decimal> root = base;
  for (int bit = kRoots - 1; bit >= 0 && result; --bit) {
    root = root ? root->sqrt() : std::nullopt;
    if ((*sixteenths >> bit & 1) == 0) continue;
    result = root ? Decimal::multiply(*result, *root) : std::nullopt;
  }
  return result;
}

}  // namespace

std::size_t Decimal::modulo_steps(const Decimal& dividend, const Decimal& divisor) {
  const int gap = dividend.exponent_ - divisor.exponent_;
  return 8 + static_cast<std::size_t>(std::max(gap, 0)) / 2;
}

std::size_t Decimal::power_steps(const Decimal&, const Decimal& exponent) {
  constexpr std::size_t kStepsOfFraction = 400;
  if (!exponent.is_integer()) return kStepsOfFraction;
  const std::optional<std::int64_t> whole = exponent.abs().to_int64();
  const auto bits = std::bit_width(static_cast<std::uint64_t>(whole.value_or(0)));
  return 16 + 16 * static_cast<std::size_t>(bits);
}

std::optional<Decimal> Decimal::power(const Decimal& base, const Decimal& exponent) {
  if (!exponent.is_integer()) {
    if (base.is_negative()) return std::nullopt;
    if (base.is_zero()) {
      return exponent.is_negative() ? std::nullopt : std::optional<Decimal>{Decimal{}};
    }
    if (const std::optional<Decimal> exact = power_of_roots(base, exponent)) return exact;
    const std::optional<long double> x = to_long_double(base);
    const std::optional<long double> y = to_long_double(exponent);
    if (!x || !y) return std::nullopt;
    return from_long_double(std::pow(*x, *y));
  }
  if (exponent.is_zero()) return Decimal{1};
  if (base.is_zero()) {
    return exponent.is_negative() ? std::nullopt : std::optional<Decimal>{Decimal{}};
  }
  const bool negative = base.negative_ && exponent.is_odd();
  const Decimal magnitude = base.abs().normalized();
  if (magnitude == Decimal{1}) return Decimal{negative ? -1 : 1};
  const std::optional<std::int64_t> whole = exponent.abs().to_int64();
  const bool grows = magnitude > Decimal{1};
  const bool vanishes = grows == exponent.is_negative();
  if (!whole) return vanishes ? std::optional<Decimal>{Decimal{}} : std::nullopt;

  // This lies far outside the range of results and far inside the range of the arithmetic.
  constexpr std::int64_t kBeyond = 4 * 6200;
  Magnitude result{1, 0, false};
  Magnitude square{magnitude.coefficient(), magnitude.exponent_, false};
  for (std::int64_t rest = *whole; rest != 0; rest >>= 1) {
    if ((rest & 1) != 0) {
      result = limit_digits(multiply_magnitudes(result, square), kGuardedDigits);
    }
    if (std::abs(result.exponent) > kBeyond || std::abs(square.exponent) > kBeyond) {
      return vanishes ? std::optional<Decimal>{Decimal{}} : std::nullopt;
    }
    if (rest > 1) square = limit_digits(multiply_magnitudes(square, square), kGuardedDigits);
  }
  if (!exponent.is_negative()) {
    const std::optional<Fitted> fitted = fit(result);
    if (!fitted) return std::nullopt;
    return Decimal{negative, fitted->coefficient, fitted->exponent};
  }
  // Computes one over the result. It divides by the coefficient alone, because the power itself may
  // be out of range.
  const Magnitude shortened = limit_digits(result, kDigits);
  const std::optional<Decimal> reciprocal =
      divide(Decimal{1}, Decimal{negative, shortened.coefficient, 0});
  if (!reciprocal) return std::nullopt;
  return make(negative, reciprocal->coefficient(), reciprocal->exponent_ - shortened.exponent);
}

std::optional<Decimal> Decimal::round(std::int64_t scale, RoundingMode mode) const {
  if (scale < -kExponentMax || scale > -kExponentMin) return std::nullopt;
  const std::int64_t cut_digits = -scale - exponent_;
  if (cut_digits <= 0) return *this;
  const Shortened shortened = shorten(coefficient(), cut_digits, false);
  if (mode == RoundingMode::Unnecessary && shortened.cut != Cut::Nothing) return std::nullopt;
  const bool away = rounds_away(mode, shortened.cut, negative_, (shortened.kept & 1) != 0);
  return make(negative_, shortened.kept + (away ? 1 : 0), -scale);
}

// Rounding to a whole number only drops digits, so there is always a result.
Decimal Decimal::floor() const {
  return *round(0, RoundingMode::Floor);
}
Decimal Decimal::ceiling() const {
  return *round(0, RoundingMode::Ceiling);
}

std::optional<Decimal> Decimal::sqrt() const {
  if (is_zero()) return Decimal{};
  if (negative_) return std::nullopt;
  Decimal radicand = normalized();
  const int half = radicand.exponent_ >= 0 ? radicand.exponent_ / 2 : (radicand.exponent_ - 1) / 2;
  radicand.exponent_ -= 2 * half;
  const std::optional<Decimal> first =
      from_long_double(std::sqrt(to_long_double(radicand).value_or(0)), 19);
  if (!first || first->is_zero()) return std::nullopt;
  // One Newton step doubles the correct digits; an exact root is its fixed point.
  const std::optional<Decimal> quotient = divide(radicand, *first);
  if (!quotient) return std::nullopt;
  // Half of the distance between the two is exact, so only the last sum is rounded.
  const std::optional<Decimal> distance = subtract(*quotient, *first);
  const std::optional<Decimal> half_of_it = distance ? divide(*distance, Decimal{2}) : std::nullopt;
  const std::optional<Decimal> root = half_of_it ? add(*first, *half_of_it) : std::nullopt;
  if (!root) return std::nullopt;
  return make(false, root->coefficient(), root->exponent_ + half);
}

std::optional<Decimal> Decimal::exp() const {
  // The range of long double ends at 10^4932, that of decimals at 10^6144.
  constexpr int kLongDoubleMax = 11'000;
  if (abs() > Decimal{4 * kLongDoubleMax}) {
    return negative_ ? std::optional<Decimal>{Decimal{}} : std::nullopt;
  }
  if (abs() > Decimal{kLongDoubleMax}) {
    const std::optional<Decimal> half_argument = divide(*this, Decimal{2});
    const std::optional<Decimal> root = half_argument ? half_argument->exp() : std::nullopt;
    return root ? multiply(*root, *root) : std::nullopt;
  }
  // If the number is too close to zero for a long double, the result is one.
  return from_long_double(std::exp(to_long_double(*this).value_or(0)));
}

std::optional<Decimal> Decimal::log() const {
  if (negative_ || is_zero()) return std::nullopt;
  if (const std::optional<long double> value = to_long_double(*this)) {
    return from_long_double(std::log(*value));
  }
  const Decimal mantissa{false, coefficient(), 0};
  const std::optional<long double> value = to_long_double(mantissa);
  if (!value) return std::nullopt;
  return from_long_double(std::log(*value) + static_cast<long double>(exponent_) * std::log(10.0L));
}

std::size_t Decimal::hash() const {
  const Decimal plain = normalized();
  std::size_t result = std::hash<std::uint64_t>{}(plain.low_);
  const auto mix = [&result](std::uint64_t part) {
    result ^=
        std::hash<std::uint64_t>{}(part) + 0x9e3779b97f4a7c15U + (result << 6) + (result >> 2);
  };
  mix(plain.high_);
  mix(static_cast<std::uint64_t>(plain.exponent_));
  mix(plain.negative_ ? 1 : 0);
  return result;
}

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
  const bool a_negative = a.is_negative();
  const bool b_negative = b.is_negative();
  if (a_negative != b_negative) {
    return a_negative ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  if (a.is_zero() || b.is_zero()) {
    if (a.is_zero() && b.is_zero()) return std::strong_ordering::equal;
    return a.is_zero() == b_negative ? std::strong_ordering::greater : std::strong_ordering::less;
  }
  Coefficient left = a.coefficient();
  Coefficient right = b.coefficient();
  if (a.exponent_ != b.exponent_) {
    const int left_digits = digit_count(left);
    const int right_digits = digit_count(right);
    const int left_leading = a.exponent_ + left_digits;
    const int right_leading = b.exponent_ + right_digits;
    if (left_leading != right_leading) {
      return (left_leading < right_leading) != a_negative ? std::strong_ordering::less
                                                          : std::strong_ordering::greater;
    }
    // Both have the same magnitude, so padding the shorter one stays within 34 digits.
    if (left_digits < right_digits) left *= power_of_ten(right_digits - left_digits);
    if (right_digits < left_digits) right *= power_of_ten(left_digits - right_digits);
  }
  if (left == right) return std::strong_ordering::equal;
  return (left < right) != a_negative ? std::strong_ordering::less : std::strong_ordering::greater;
}

}  // namespace beeline::feel
