#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace beeline::feel {

enum class RoundingMode { Up, Down, Ceiling, Floor, HalfUp, HalfDown, HalfEven, Unnecessary };

// Returns the rounding mode by its name as decimal(n, scale, mode) takes it ("HALF_UP"), in any
// case.
[[nodiscard]] std::optional<RoundingMode> rounding_mode_from_name(std::string_view name);

// FEEL's number: decimal floating point with 34 significant digits and the exponent range of IEEE
// decimal128, so money adds up (0.1 + 0.2 = 0.3). There is no NaN and no infinity: such a result is
// an empty optional, which the evaluator turns into null.
//
// A value has a sign, a coefficient below 10^34 and a power of ten. Nearly all coefficients fit 64
// bits and take short cuts. A value takes 24 bytes and is trivially copyable. Trailing zeros are
// not removed after every operation, so 1.0 and 1.00 differ in form; they are equal, and have the
// same hash and the same text.
class Decimal {
 public:
  __extension__ typedef unsigned __int128 Coefficient;
  static constexpr int kDigits = 34;
  static constexpr int kExponentMin = -6176;  // exponent of the last digit
  static constexpr int kExponentMax = 6111;   // exponent of the last digit of 34

  constexpr Decimal() = default;
  constexpr Decimal(std::int64_t value)  // NOLINT: every integer is a number
      : low_(value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value)),
        negative_(value < 0) {}

  // Parses the text of a FEEL number with an optional sign: "-12.50", ".5", "1e-3". Digits beyond
  // 34 are rounded. Returns nothing if the text is not such a number or the number is too large.
  [[nodiscard]] static std::optional<Decimal> parse(std::string_view text);
  // Returns the shortest decimal that reads back as this double; nothing for NaN and infinity.
  [[nodiscard]] static std::optional<Decimal> from_double(double value);
  // Returns coefficient * 10^exponent, rounded half-even to 34 digits; nothing on overflow.
  [[nodiscard]] static std::optional<Decimal> make(bool negative, Coefficient coefficient,
                                                   std::int64_t exponent);

  // Uses plain notation from 1e-6 to 1e21 and scientific notation outside; writes no trailing zeros
  // and no "-0".
  [[nodiscard]] std::string to_string() const;
  // Writes all digits and no exponent, however long; zero has no sign.
  [[nodiscard]] std::string to_plain_string() const;
  // Returns a value for whole numbers within the range of the type only.
  [[nodiscard]] std::optional<std::int64_t> to_int64() const;
  // Like to_int64(), but only for numbers that are stored without fraction and exponent. It does
  // not look at the digits.
  [[nodiscard]] constexpr std::optional<std::int64_t> small_integer() const {
    if (high_ != 0 || exponent_ != 0 || low_ >> 63 != 0) return std::nullopt;
    const auto magnitude = static_cast<std::int64_t>(low_);
    return negative_ ? -magnitude : magnitude;
  }
  // Like to_int64() after cutting off the fraction: FEEL reads positions, lengths and scales this
  // way.
  [[nodiscard]] std::optional<std::int64_t> truncated_int64() const;
  // Returns the nearest double; magnitudes beyond its range become infinity or zero.
  [[nodiscard]] double to_double() const;

  [[nodiscard]] constexpr bool is_zero() const { return low_ == 0 && high_ == 0; }
  [[nodiscard]] constexpr bool is_negative() const { return negative_ && !is_zero(); }
  [[nodiscard]] bool is_integer() const;
  [[nodiscard]] bool is_odd() const;   // false for fractions
  [[nodiscard]] bool is_even() const;  // false for fractions

  [[nodiscard]] constexpr Decimal negated() const {
    Decimal result = *this;
    result.negative_ = !negative_;
    return result;
  }
  [[nodiscard]] constexpr Decimal abs() const {
    Decimal result = *this;
    result.negative_ = false;
    return result;
  }
  // Returns the same number without trailing zeros (zero has exponent 0).
  [[nodiscard]] Decimal normalized() const;

  // The exact result, rounded half-even to 34 digits; nothing on overflow or division by zero.
  [[nodiscard]] static std::optional<Decimal> add(const Decimal& a, const Decimal& b);
  [[nodiscard]] static std::optional<Decimal> subtract(const Decimal& a, const Decimal& b);
  [[nodiscard]] static std::optional<Decimal> multiply(const Decimal& a, const Decimal& b);
  [[nodiscard]] static std::optional<Decimal> divide(const Decimal& a, const Decimal& b);
  // Returns dividend - divisor * floor(dividend / divisor), which has the sign of the divisor.
  [[nodiscard]] static std::optional<Decimal> modulo(const Decimal& dividend,
                                                     const Decimal& divisor);
  // Computes whole exponents by repeated squaring and others through long double. 0 ** 0 is 1; a
  // negative base with a fraction as exponent and 0 ** -1 have no result.
  [[nodiscard]] static std::optional<Decimal> power(const Decimal& base, const Decimal& exponent);
  // The costs of modulo and power in steps of the budget (feel.h), which depend on the operands.
  [[nodiscard]] static std::size_t modulo_steps(const Decimal& dividend, const Decimal& divisor);
  [[nodiscard]] static std::size_t power_steps(const Decimal& base, const Decimal& exponent);

  // Rounds to `scale` digits after the point (before it, if negative). Returns nothing for a scale
  // outside -6111 to 6176, and for Unnecessary if digits would be lost.
  [[nodiscard]] std::optional<Decimal> round(std::int64_t scale, RoundingMode mode) const;
  [[nodiscard]] Decimal floor() const;
  [[nodiscard]] Decimal ceiling() const;

  // The results are exact for squares of numbers with up to 17 digits. They are empty outside the
  // domain.
  [[nodiscard]] std::optional<Decimal> sqrt() const;
  [[nodiscard]] std::optional<Decimal> exp() const;
  [[nodiscard]] std::optional<Decimal> log() const;

  [[nodiscard]] std::size_t hash() const;  // equal numbers hash alike

  friend bool operator==(const Decimal& a, const Decimal& b) { return (a <=> b) == 0; }
  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);

  // The parts: (-1)^negative * coefficient * 10^exponent.
  [[nodiscard]] constexpr Coefficient coefficient() const {
    return static_cast<Coefficient>(high_) << 64 | low_;
  }
  [[nodiscard]] constexpr int exponent() const { return exponent_; }

 private:
  // The digits of the coefficient.
  [[nodiscard]] std::string digits() const;
  constexpr Decimal(bool negative, Coefficient coefficient, int exponent)
      : low_(static_cast<std::uint64_t>(coefficient)),
        high_(static_cast<std::uint64_t>(coefficient >> 64)),
        exponent_(exponent),
        negative_(negative) {}
  [[nodiscard]] constexpr bool is_small() const { return high_ == 0; }

  std::uint64_t low_ = 0;
  std::uint64_t high_ = 0;
  std::int32_t exponent_ = 0;
  bool negative_ = false;
};

}  // namespace beeline::feel
