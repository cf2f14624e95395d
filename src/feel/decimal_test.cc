#include "feel/decimal.h"

#include <gtest/gtest.h>

#include <limits>

namespace beeline::feel {
namespace {

Decimal number(std::string_view text) {
  const std::optional<Decimal> parsed = Decimal::parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(Decimal{});
}

std::string text_of(const std::optional<Decimal>& value) {
  return value ? value->to_string() : "nothing";
}

TEST(Decimal, reads_the_literals_of_feel_and_nothing_else) {
  EXPECT_EQ(number("007").to_string(), "7");
  EXPECT_EQ(number(".5").to_string(), "0.5");
  EXPECT_EQ(number("-12.50").to_string(), "-12.5");
  EXPECT_EQ(number("1e3").to_string(), "1000");
  EXPECT_EQ(number("25E-2").to_string(), "0.25");
  for (const char* bad :
       {"", "-", ".", "1.", "1e", "1e+", "--1", "1 ", " 1", "0x1", "1,5", "NaN"}) {
    EXPECT_FALSE(Decimal::parse(bad)) << bad;
  }
}

TEST(Decimal, prints_plainly_without_trailing_zeros) {
  EXPECT_EQ(number("2.50").to_string(), "2.5");
  EXPECT_EQ(number("-0").to_string(), "0");
  EXPECT_EQ(number("0.000").to_string(), "0");
  EXPECT_EQ(number("0.000001").to_string(), "0.000001");
  EXPECT_EQ(number("0.0000001").to_string(), "1E-7");
  EXPECT_EQ(number("1e21").to_string(), "1000000000000000000000");
  EXPECT_EQ(number("1e22").to_string(), "1E+22");
  EXPECT_EQ(number("1.5e22").to_string(), "15000000000000000000000");
  EXPECT_EQ(number("123456789012345678901234567890").to_string(), "123456789012345678901234567890");
}

TEST(Decimal, keeps_34_digits_and_rounds_the_rest_half_even) {
  EXPECT_EQ(number("1234567890123456789012345678901234.5").to_string(),
            "1234567890123456789012345678901234");
  EXPECT_EQ(number("1234567890123456789012345678901235.5").to_string(),
            "1234567890123456789012345678901236");
  EXPECT_EQ(number("1234567890123456789012345678901234.50000000000001").to_string(),
            "1234567890123456789012345678901235");
}

TEST(Decimal, is_nothing_beyond_the_range_and_zero_below_it) {
  EXPECT_FALSE(Decimal::parse("1e6145"));
  EXPECT_TRUE(Decimal::parse("9.999e6144"));
  EXPECT_TRUE(number("1e-6177").is_zero());
  EXPECT_FALSE(number("1e-6176").is_zero());
  EXPECT_EQ(text_of(Decimal::multiply(number("1e6000"), number("1e6000"))), "nothing");
  EXPECT_EQ(text_of(Decimal::multiply(number("1e-6000"), number("1e-6000"))), "0");
}

TEST(Decimal, adds_money_exactly) {
  EXPECT_EQ(Decimal::add(number("0.1"), number("0.2")), number("0.3"));
  EXPECT_EQ(text_of(Decimal::subtract(number("1"), number("0.9"))), "0.1");
  EXPECT_EQ(text_of(Decimal::add(number("1e33"), number("0.4"))),
            "1E+33");  // below the last digit
  EXPECT_EQ(text_of(Decimal::subtract(number("1e33"), number("1e-50"))), "1E+33");
  EXPECT_EQ(text_of(Decimal::add(number("9223372036854775807"), number("9223372036854775807"))),
            "18446744073709551614");
}

TEST(Decimal, divides_to_34_digits) {
  EXPECT_EQ(text_of(Decimal::divide(Decimal{1}, Decimal{3})),
            "0.3333333333333333333333333333333333");
  EXPECT_EQ(text_of(Decimal::divide(Decimal{2}, Decimal{3})),
            "0.6666666666666666666666666666666667");
  EXPECT_EQ(text_of(Decimal::divide(Decimal{1}, Decimal{8})), "0.125");
  EXPECT_EQ(text_of(Decimal::divide(Decimal{1}, Decimal{0})), "nothing");
}

TEST(Decimal, modulo_has_the_sign_of_the_divisor) {
  EXPECT_EQ(text_of(Decimal::modulo(Decimal{12}, Decimal{5})), "2");
  EXPECT_EQ(text_of(Decimal::modulo(Decimal{-12}, Decimal{5})), "3");
  EXPECT_EQ(text_of(Decimal::modulo(Decimal{12}, Decimal{-5})), "-3");
  EXPECT_EQ(text_of(Decimal::modulo(Decimal{-12}, Decimal{-5})), "-2");
  EXPECT_EQ(text_of(Decimal::modulo(number("10.1"), number("4.5"))), "1.1");
  EXPECT_EQ(text_of(Decimal::modulo(number("1e6000"), Decimal{7})), "1");
  EXPECT_EQ(text_of(Decimal::modulo(Decimal{5}, Decimal{0})), "nothing");
}

TEST(Decimal, raises_to_powers) {
  EXPECT_EQ(text_of(Decimal::power(Decimal{2}, Decimal{100})), "1267650600228229401496703205376");
  EXPECT_EQ(text_of(Decimal::power(Decimal{2}, Decimal{-2})), "0.25");
  EXPECT_EQ(text_of(Decimal::power(Decimal{-3}, Decimal{3})), "-27");
  EXPECT_EQ(text_of(Decimal::power(Decimal{0}, Decimal{0})), "1");
  EXPECT_EQ(text_of(Decimal::power(Decimal{0}, Decimal{-1})), "nothing");
  EXPECT_EQ(text_of(Decimal::power(Decimal{4}, number("0.5"))), "2");
  // Roots have all their digits.
  EXPECT_EQ(text_of(Decimal::power(Decimal{2}, number("0.5"))),
            "1.414213562373095048801688724209698");
  EXPECT_EQ(text_of(Decimal::power(Decimal{2}, number("-0.5"))),
            "0.707106781186547524400844362104849");
  EXPECT_EQ(text_of(Decimal::power(Decimal{16}, number("1.25"))), "32");
  EXPECT_EQ(text_of(Decimal::power(Decimal{2}, number("0.3"))), "1.2311444133449163");
  EXPECT_EQ(text_of(Decimal::power(Decimal{-4}, number("0.5"))), "nothing");
  EXPECT_EQ(text_of(Decimal::power(Decimal{10}, Decimal{7000})), "nothing");
  EXPECT_EQ(text_of(Decimal::power(Decimal{10}, Decimal{-7000})), "0");
  EXPECT_EQ(text_of(Decimal::power(Decimal{-1}, number("1e30"))), "1");
}

TEST(Decimal, rounds_ties_as_each_mode_says) {
  struct Tie {
    RoundingMode mode;
    const char* plus;
    const char* minus;
  };
  const Tie rows[] = {
      {RoundingMode::Up, "3", "-3"},       {RoundingMode::Down, "2", "-2"},
      {RoundingMode::Ceiling, "3", "-2"},  {RoundingMode::Floor, "2", "-3"},
      {RoundingMode::HalfUp, "3", "-3"},   {RoundingMode::HalfDown, "2", "-2"},
      {RoundingMode::HalfEven, "2", "-2"}, {RoundingMode::Unnecessary, "nothing", "nothing"},
  };
  for (const Tie& row : rows) {
    EXPECT_EQ(text_of(number("2.5").round(0, row.mode)), row.plus);
    EXPECT_EQ(text_of(number("-2.5").round(0, row.mode)), row.minus);
  }
}

TEST(Decimal, rounds_at_extreme_scales) {
  EXPECT_EQ(text_of(number("1234.5").round(-2, RoundingMode::HalfEven)), "1200");
  EXPECT_EQ(text_of(number("1234.5").round(-6111, RoundingMode::Up)), "1E+6111");
  EXPECT_EQ(text_of(number("1234.5").round(6176, RoundingMode::Up)), "1234.5");
  EXPECT_EQ(text_of(number("1").round(-6112, RoundingMode::Up)), "nothing");
  EXPECT_EQ(text_of(number("1").round(6177, RoundingMode::Up)), "nothing");
}

TEST(Decimal, square_roots_of_squares_are_exact) {
  EXPECT_EQ(text_of(Decimal{16}.sqrt()), "4");
  EXPECT_EQ(text_of(number("0.01").sqrt()), "0.1");
  EXPECT_EQ(text_of(number("1e-6176").sqrt()), "1E-3088");
  EXPECT_EQ(text_of(number("15241578750190521").sqrt()), "123456789");
  EXPECT_EQ(text_of(Decimal{-1}.sqrt()), "nothing");
}

TEST(Decimal, has_exponentials_and_logarithms) {
  EXPECT_EQ(text_of(Decimal{0}.exp()), "1");
  EXPECT_NEAR(Decimal{5}.exp()->to_double(), 148.4131591025766, 1e-10);
  EXPECT_NEAR(Decimal{10}.log()->to_double(), 2.302585092994046, 1e-15);
  EXPECT_EQ(text_of(Decimal{0}.log()), "nothing");
  EXPECT_EQ(text_of(Decimal{20'000}.exp()), "nothing");
  EXPECT_TRUE(Decimal{14'000}.exp());
  EXPECT_EQ(text_of(Decimal{-20'000}.exp()), "0");
}

TEST(Decimal, equal_numbers_compare_and_hash_alike_whatever_their_form) {
  EXPECT_EQ(number("1.0"), number("1.000"));
  EXPECT_EQ(number("1.0").hash(), number("1.000").hash());
  EXPECT_EQ(number("0"), number("-0.00"));
  EXPECT_EQ(number("0").hash(), number("-0.00").hash());
  EXPECT_LT(number("-1e10"), number("-1"));
  EXPECT_LT(number("1e-6000"), number("1e6000"));
  EXPECT_GT(number("0"), number("-0.1"));
  EXPECT_LT(number("0.3"), number("0.30000000000000000000000000000001"));
}

TEST(Decimal, converts_to_and_from_machine_numbers) {
  EXPECT_EQ(number("12.0").to_int64(), 12);
  EXPECT_FALSE(number("12.5").to_int64());
  EXPECT_EQ(number("-12.9").truncated_int64(), -12);
  EXPECT_EQ(number("-9223372036854775808").to_int64(), std::numeric_limits<std::int64_t>::min());
  EXPECT_FALSE(number("9223372036854775808").to_int64());
  EXPECT_FALSE(number("1e19").to_int64());
  EXPECT_EQ(Decimal{std::numeric_limits<std::int64_t>::min()}.to_string(), "-9223372036854775808");
  EXPECT_EQ(Decimal::from_double(0.1), number("0.1"));
  EXPECT_FALSE(Decimal::from_double(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(number("0.1").to_double(), 0.1);
  EXPECT_EQ(number("1e400").to_double(), std::numeric_limits<double>::infinity());
}

TEST(Decimal, fractions_are_neither_odd_nor_even) {
  EXPECT_TRUE(Decimal{3}.is_odd());
  EXPECT_TRUE(number("4.0").is_even());
  EXPECT_TRUE(number("1e30").is_even());
  EXPECT_FALSE(number("2.5").is_odd());
  EXPECT_FALSE(number("2.5").is_even());
}

TEST(Decimal, knows_the_names_of_rounding_modes_in_any_case) {
  EXPECT_EQ(rounding_mode_from_name("half_up"), RoundingMode::HalfUp);
  EXPECT_EQ(rounding_mode_from_name("FLOOR"), RoundingMode::Floor);
  EXPECT_FALSE(rounding_mode_from_name("sideways"));
}

}  // namespace
}  // namespace beeline::feel
