// Models may name Java methods as external functions. There is no Java here, and no code is loaded;
// the methods of java.lang that only calculate are implemented natively, by class and signature.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "dmn/evaluation.h"

namespace beeline::dmn {
namespace {

using feel::Decimal;
using feel::Kind;
using feel::Value;
using Arguments = std::span<const Value>;

bool are_numbers(Arguments arguments) {
  return std::all_of(arguments.begin(), arguments.end(),
                     [](const Value& value) { return value.is(Kind::Number); });
}

template <double (*Calculate)(double)>
Value calculate(feel::EvalState&, Arguments arguments) {
  if (arguments.size() != 1 || !are_numbers(arguments)) return {};
  return Value::from(Decimal::from_double(Calculate(arguments[0].number().to_double())));
}

Value larger(feel::EvalState&, Arguments arguments) {
  if (arguments.size() != 2 || !are_numbers(arguments)) return {};
  return Value{std::max(arguments[0].number(), arguments[1].number())};
}

Value smaller(feel::EvalState&, Arguments arguments) {
  if (arguments.size() != 2 || !are_numbers(arguments)) return {};
  return Value{std::min(arguments[0].number(), arguments[1].number())};
}

Value absolute(feel::EvalState&, Arguments arguments) {
  if (arguments.size() != 1 || !are_numbers(arguments)) return {};
  return Value{arguments[0].number().abs()};
}

Value power(feel::EvalState&, Arguments arguments) {
  if (arguments.size() != 2 || !are_numbers(arguments)) return {};
  return Value::from(Decimal::from_double(
      std::pow(arguments[0].number().to_double(), arguments[1].number().to_double())));
}

// valueOf of the number classes: returns the number itself, or the number that a text spells.
template <bool kWhole, std::int64_t kMin, std::int64_t kMax>
Value number_of(feel::EvalState&, Arguments arguments) {
  if (arguments.size() != 1) return {};
  std::optional<Decimal> number;
  if (arguments[0].is(Kind::Number)) number = arguments[0].number();
  if (arguments[0].is(Kind::String)) number = Decimal::parse(arguments[0].string());
  if (!number) return {};
  if (kWhole) {
    const std::optional<std::int64_t> whole = number->to_int64();
    if (!whole || *whole < kMin || *whole > kMax) return {};
  }
  return Value{*number};
}

// String.valueOf(char): a text of one character.
Value character(feel::EvalState&, Arguments arguments) {
  if (arguments.size() != 1 || !arguments[0].is(Kind::String)) return {};
  const std::string& text = arguments[0].string();
  const auto characters = std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  });
  return characters == 1 ? arguments[0] : Value{};
}

// String.format, with %s and %% only.
Value format(feel::EvalState& state, Arguments arguments) {
  if (arguments.empty() || !arguments[0].is(Kind::String)) return {};
  const std::string& pattern = arguments[0].string();
  std::string result;
  std::size_t next = 1;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      result += pattern[i];
      continue;
    }
    if (++i == pattern.size()) return {};
    if (pattern[i] == '%') {
      result += '%';
    } else if (pattern[i] == 's' && next < arguments.size()) {
      const Value& argument = arguments[next++];
      result += argument.is(Kind::String) ? argument.string() : feel::to_json(argument);
    } else {
      return {};
    }
    state.check_string_size(result.size());
  }
  return Value{std::move(result)};
}

template <typename Integer>
constexpr auto kWholeNumber =
    number_of<true, std::numeric_limits<Integer>::min(), std::numeric_limits<Integer>::max()>;
constexpr auto kAnyNumber = number_of<false, 0, 0>;

double cosine(double x) {
  return std::cos(x);
}
double sine(double x) {
  return std::sin(x);
}
double tangent(double x) {
  return std::tan(x);
}
double square_root(double x) {
  return std::sqrt(x);
}
double exponential(double x) {
  return std::exp(x);
}
double logarithm(double x) {
  return std::log(x);
}
double rounded_down(double x) {
  return std::floor(x);
}
double rounded_up(double x) {
  return std::ceil(x);
}

using Code = Value (*)(feel::EvalState&, Arguments);

std::map<std::string, Code, std::less<>> make_table() {
  std::map<std::string, Code, std::less<>> table{
      {"java.lang.Math.cos(double)", calculate<cosine>},
      {"java.lang.Math.sin(double)", calculate<sine>},
      {"java.lang.Math.tan(double)", calculate<tangent>},
      {"java.lang.Math.sqrt(double)", calculate<square_root>},
      {"java.lang.Math.exp(double)", calculate<exponential>},
      {"java.lang.Math.log(double)", calculate<logarithm>},
      {"java.lang.Math.floor(double)", calculate<rounded_down>},
      {"java.lang.Math.ceil(double)", calculate<rounded_up>},
      {"java.lang.Math.pow(double,double)", power},
      {"java.lang.Byte.valueOf(byte)", kWholeNumber<std::int8_t>},
      {"java.lang.Short.valueOf(short)", kWholeNumber<std::int16_t>},
      {"java.lang.Integer.valueOf(int)", kWholeNumber<std::int32_t>},
      {"java.lang.Integer.valueOf(java.lang.String)", kWholeNumber<std::int32_t>},
      {"java.lang.Long.valueOf(long)", kWholeNumber<std::int64_t>},
      {"java.lang.Long.valueOf(java.lang.String)", kWholeNumber<std::int64_t>},
      {"java.lang.Float.valueOf(float)", kAnyNumber},
      {"java.lang.Float.valueOf(java.lang.String)", kAnyNumber},
      {"java.lang.Double.valueOf(double)", kAnyNumber},
      {"java.lang.Double.valueOf(java.lang.String)", kAnyNumber},
      {"java.lang.String.valueOf(char)", character},
      {"java.lang.String.format(java.lang.String,[Ljava.lang.Object;)", format},
  };
  for (const std::string type : {"double", "float", "int", "long"}) {
    table["java.lang.Math.max(" + type + "," + type + ")"] = larger;
    table["java.lang.Math.min(" + type + "," + type + ")"] = smaller;
    table["java.lang.Math.abs(" + type + ")"] = absolute;
  }
  return table;
}

}  // namespace

feel::NativeFunction find_java_function(const Value& description) {
  const Value* class_name = description.find("class");
  const Value* signature = description.find("method signature");
  if (class_name == nullptr || !class_name->is(Kind::String)) return {};
  if (signature == nullptr || !signature->is(Kind::String)) return {};
  static const std::map<std::string, Code, std::less<>> kTable = make_table();
  std::string key = class_name->string() + ".";
  const std::string& spelled = signature->string();
  std::copy_if(spelled.begin(), spelled.end(), std::back_inserter(key),
               [](char c) { return c != ' '; });
  const auto found = kTable.find(key);
  return found == kTable.end() ? feel::NativeFunction{} : feel::NativeFunction{found->second};
}

}  // namespace beeline::dmn
