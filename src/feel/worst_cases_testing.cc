#include "feel/worst_cases_testing.h"

#include <fmt/format.h>

#include <map>

namespace beeline::feel::testing {

namespace {

std::string repeated(std::string_view part, std::size_t size) {
  std::string text;
  while (text.size() + part.size() <= size) text += part;
  return text;
}

std::string quoted(const std::string& text) {
  return "\"" + text + "\"";
}

template <typename Item>
std::string listed(std::size_t bytes, const Item& item) {
  std::string text = "[";
  for (std::size_t i = 0; text.size() < bytes; ++i) {
    if (i > 0) text += ",";
    text += item(i);
  }
  return text + "]";
}

// Numbers in an order that no sort can exploit.
std::size_t scrambled(std::size_t i) {
  return i * 2654435761U % 1'000'003;
}

class Variables final : public feel::VariableSource {
 public:
  explicit Variables(std::size_t largest) {
    const std::size_t kilobyte = largest / 4'000;
    add("a4m", quoted(repeated("a", largest)));
    add("a2m", quoted(repeated("a", largest / 2)));
    add("a100k", quoted(repeated("a", 100 * kilobyte)));
    add("a1k", quoted(repeated("a", kilobyte)));
    add("comma4m", quoted(repeated("a,", largest)));
    add("word4m", quoted(repeated("lorem ipsum dolor ", largest)));
    add("umlaut4m", quoted(repeated("ä", largest)));
    add("umlaut1k", quoted(repeated("ä", kilobyte)));
    add("line100k", quoted(repeated("abc def\\n", 100 * kilobyte)));
    add("escaped4m", quoted(repeated("\\u00e4", largest)));
    add("base4m", quoted(repeated("QUJD", largest)));
    add("numbers4m", listed(largest, [](std::size_t i) { return std::to_string(scrambled(i)); }));
    add("numbers100k",
        listed(690 * kilobyte, [](std::size_t i) { return std::to_string(scrambled(i)); }));
    add("digits4m", listed(largest, [](std::size_t i) {
          return fmt::format("{}1234567890.1234567890123456", 10'000 + i % 80'000);
        }));
    add("long_number", repeated("7", largest));
    add("empty4m", listed(largest, [](std::size_t) { return std::string("[]"); }));
    add("objects4m", listed(largest, [](std::size_t) { return std::string("{}"); }));
    add("strings4m",
        listed(largest, [](std::size_t i) { return quoted(std::to_string(scrambled(i))); }));
    add("strings500k",
        listed(500 * kilobyte, [](std::size_t i) { return quoted(std::to_string(scrambled(i))); }));
    add("alike1m", listed(1'000 * kilobyte, [](std::size_t i) {
          return quoted(repeated("x", 500) + std::to_string(scrambled(i)));
        }));
    add("orders4m", listed(largest, [](std::size_t i) {
          return fmt::format(R"({{"id":{},"name":"n{}","lines":[1,2,3]}})", i, scrambled(i));
        }));
    add("dates1m", listed(1'000 * kilobyte, [](std::size_t i) {
          return fmt::format("\"20{:02}-{:02}-{:02}T10:00:00\"", i % 90 + 10, i % 12 + 1,
                             i % 28 + 1);
        }));
    std::string object = "{";
    for (std::size_t i = 0; object.size() < largest; ++i) {
      object += fmt::format("{}\"k{}\":1", i > 0 ? "," : "", scrambled(i));
    }
    add("object4m", object + "}");
    std::string small = "{";
    for (std::size_t i = 0; i < 20 * kilobyte; ++i) {
      small += fmt::format("{}\"k{}\":1", i > 0 ? "," : "", scrambled(i));
    }
    add("object20k", small + "}");
    add("spaces4m", repeated(" ", largest) + "1");
    add("nested", repeated("[", 900) + repeated("]", 900));
  }

  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const override {
    const auto found = values_.find(name);
    return found == values_.end() ? std::nullopt : std::optional<std::string_view>(found->second);
  }

 private:
  void add(std::string name, std::string json) {
    values_.emplace(std::move(name), std::move(json));
  }
  std::map<std::string, std::string, std::less<>> values_;
};

// A class of many letters that are not adjacent.
std::string large_class() {
  std::string text = "[";
  for (int code = 0x100; code < 0x800; code += 2) {
    text += static_cast<char>(0xC0 | code >> 6);
    text += static_cast<char>(0x80 | (code & 0x3F));
  }
  return text + "]";
}

std::string many(std::string_view format, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += fmt::format(fmt::runtime(format), i);
  return text;
}

}  // namespace

std::unique_ptr<feel::VariableSource> make_worst_case_variables(std::size_t largest) {
  return std::make_unique<Variables>(largest);
}

const std::vector<std::string>& worst_cases() {
  // `L` runs until the budget ends it.
  static const std::string kLoop = "some i in 1..1000000000 satisfies ";
  static const std::vector<std::string> kCases = [] {
    std::vector<std::string> cases = {
        // the tree itself
        kLoop + "false",
        kLoop + "i < 0",
        kLoop + "i + i * i < 0",
        kLoop + "(if i > 0 then i else 0) = -1",
        kLoop + "[i, i, i] = [1]",
        kLoop + "{a: i, b: a, c: b}.c = -1",
        kLoop + "i in [1..2]",
        kLoop + "i in (\"a\", \"b\", [2..3])",
        kLoop + "(i between 5 and 4)",
        kLoop + "string(i) = \"\"",
        kLoop + "missing = i",
        kLoop + "count([1, 2, 3][item > i]) = -1",
        kLoop + "[i][1] = -1",
        kLoop + "(function(x) x + 1)(i) = -1",
        "{f: function(x, y, z) x, r: some i in 1..1000000000 satisfies f(i, i, i) = -1}.r",
        "{f: function(n) if n = 0 then 0 else f(n - 1), "
        "r: some i in 1..1000000000 satisfies f(100) = 1}.r",
        kLoop + "i instance of string",
        "count(for i in 1..1000000000 return i)",
        "for i in 1..900000 return i",
        "for i in 1..900000 return string(i)",
        "for i in 1..300000 return {a: i}",
        "for i in 1..300000 return [i]",
        "for i in 1..1000, j in 1..1000 return i * j",
        "for i in 1..100000 return if i = 1 then 1 else partial[-1] + 1",
        "count(" + many("[", 60) + "1" + many("]", 60) + ")",
        "{r: some i in 1..1000000000 satisfies {" + many("k{0}: {0}, ", 3'000) + "z: k0}.z = -1}.r",
        kLoop + "[][" + many("{0} + ", 7'000) + "1 = x] = 1",
        kLoop + "(function(x) " + many("x + {0} + ", 4'000) + "1) = 1",
        kLoop + "\"a\" < 1",
        // texts
        kLoop + "contains(a4m, \"b\")",
        kLoop + "contains(a4m, a2m + \"b\")",
        kLoop + "contains(a4m, \"b\" + a2m)",
        kLoop + "contains(a4m, substring(a1k, 1, 255) + \"b\")",
        kLoop + "contains(a4m, \"b\" + substring(a1k, 1, 255))",
        kLoop + "contains(a4m, substring(a1k, 1, 100) + \"b\" + substring(a1k, 1, 100))",
        kLoop + "contains(a4m, \"aaaaaaab\")",
        kLoop + "contains(a4m, \"ab\")",
        kLoop + "contains(a4m, \"aaaaaaaaaaaaaaabaaaaaaaaaaaaaaa\")",
        kLoop + "contains(word4m, substring(word4m, 1, 200) + \"x\")",
        kLoop + "contains(\"\", \"\") = i",
        kLoop + "substring before(a4m, \"b\") = i",
        kLoop + "substring after(a4m, \"a\") = i",
        kLoop + "starts with(a4m, a2m) = i",
        kLoop + "ends with(a4m, a2m) = i",
        kLoop + "string length(umlaut4m) = -1",
        kLoop + "substring(umlaut4m, 2000000, 5) = \"\"",
        kLoop + "substring(a4m, 1, 4000000) = \"\"",
        kLoop + "substring(a1k, 900, 5) = \"\"",
        kLoop + "upper case(a4m) = \"\"",
        kLoop + "upper case(umlaut4m) = \"\"",
        kLoop + "lower case(umlaut4m) = \"\"",
        kLoop + "lower case(umlaut1k) = \"\"",
        kLoop + "trim(a4m) = \"\"",
        kLoop + "is blank(a4m)",
        kLoop + "to base64(a2m) = \"\"",
        kLoop + "from base64(base4m) = \"\"",
        kLoop + "a4m = a2m + a2m",
        kLoop + "a2m + a1k < a2m + a1k",
        kLoop + "a1k + a1k = \"\"",
        kLoop + "a4m between a4m and \"\"",
        kLoop + "a2m in (a1k, a2m, a100k) = i",
        kLoop + "string join([a2m, a100k], \",\") = \"\"",
        kLoop + "string join(strings500k, \"\") = \"\"",
        kLoop + "uuid() = \"\"",
        kLoop + "string(a2m) = \"\"",
        kLoop + "string([a2m, a2m]) = \"\"",
        kLoop + "to json(word4m) = \"\"",
        kLoop + "from json(\"[1,2,[3],{}]\") = 1",
        kLoop + "number(\"1234567890.123456789\") = 0",
        kLoop + "number(a4m, \",\", \".\") = 0",
        "escaped4m",
        "a4m",
        "word4m",
        "umlaut4m",
        "a4m + \"\"",
        "[a2m, a2m]",
        // regular expressions
        kLoop + "matches(a4m, \"b\")",
        kLoop + "matches(a4m, \"a*b\")",
        kLoop + "matches(a4m, \"(a+)+b\")",
        "matches(a1k, \"^(a+)+$b\")",
        "matches(a1k + \"!\", \"(a+)+$\")",
        "matches(a4m, \"(a+)+$\")",
        "matches(a4m + \"!\", \"(a|a)*$\")",
        "matches(a100k, \"(a*)*(a*)*(a*)*b\")",
        "matches(a4m, \"(.*)(.*)(.*)(.*)x\")",
        "matches(a100k, \"(a|aa)+$x\")",
        "matches(a4m, \"^(.*)\\1$\")",
        "matches(a100k, \"(.+)\\1b\")",
        "matches(a1k, \"(a+)(a+)\\1\\2b\")",
        "matches(a4m, \"a{5000}b\")",
        "matches(a4m, \"[a-f]{65000}b\")",
        "matches(umlaut4m, \"(?:ä{200}){100}b\")",
        "matches(a4m, \"(?:a{10,500}){10,50}b\")",
        "matches(a4m, \"(?:a?){500}b\")",
        "matches(umlaut4m, \"" + large_class() + "*b\")",
        "matches(umlaut4m, \"(?:" + large_class() + ")+b\")",
        "matches(umlaut4m, \"" + large_class() + "{2,}b\", \"i\")",
        "matches(a4m, \"\\w+\\s\")",
        "matches(umlaut4m, \"\\w+\\s\")",
        "matches(umlaut4m, \"\\p{Lu}\")",
        "matches(umlaut4m, \"Ä+b\", \"i\")",
        "matches(word4m, \"[a-z]+ [a-z]+ [a-z]+ [a-z]+ x\")",
        "matches(word4m, \"dolor$\")",
        "matches(line100k, \"^abc$\", \"m\")",
        "matches(a4m, \"" + many("(", 500) + "a" + many(")*", 500) + "b\")",
        "matches(a100k, \"" + many("(a", 1000) + many(")?", 1000) + "b\")",
        "matches(a100k, \"(?:" + many("a{0}|", 600) + "b)c\")",
        "matches(a4m, \"" + many("a?", 1'000) + many("a", 1'000) + "b\")",
        kLoop + "matches(\"\", \"" + many("(a|b{{1,50}})", 250) + "\" + string(i))",
        kLoop + "matches(\"\", \"(((a{50}){10}){10}\" + string(i) + \")\")",
        kLoop + "matches(\"\", \"[\" + string(i) + \"\\p{L}-[aeiou]]\")",
        kLoop + "matches(\"a\", \"a\") = i",
        kLoop + "matches(\"a\", \"(\" + a1k) = i",
        kLoop + "replace(comma4m, \",\", \";\") = \"\"",
        kLoop + "replace(a4m, \"a\", \"b\") = \"\"",
        kLoop + "replace(a4m, \"\", \"\") = \"\"",
        kLoop + "replace(a4m, \"a*\", \"\") = \"\"",
        kLoop + "replace(word4m, \"[aeiou]\", \"$0$0\") = \"\"",
        kLoop + "replace(a100k, \"a\", a1k) = \"\"",
        kLoop + "replace(a100k, \"a\", \"\" + substring(a1k, 1, 39)) = \"\"",
        kLoop + "replace(\"aaa\", \"a\", a1k) = \"\"",
        kLoop + "count(split(comma4m, \",\")) = 0",
        kLoop + "count(split(word4m, \"\\s\")) = 0",
        kLoop + "count(extract(word4m, \"[a-z]+\")) = 0",
        kLoop + "count(split(a1k, \"\")) = 0",
        // lists
        kLoop + "list contains(numbers100k, -1)",
        kLoop + "list contains(strings500k, \"x\")",
        kLoop + "list contains(alike1m, alike1m[-1] + \"x\")",
        kLoop + "index of(numbers100k, -1) = 0",
        kLoop + "count(distinct values(numbers100k)) = 0",
        kLoop + "count(distinct values(strings500k)) = 0",
        kLoop + "count(distinct values(alike1m)) = 0",
        kLoop + "count(union(numbers100k, numbers100k)) = 0",
        kLoop + "count(duplicate values(numbers100k)) = 0",
        "count(distinct values(for i in 1..50000 return function(x) i))",
        "count(distinct values(for i in 1..50000 return [i..i]))",
        "count(distinct values(for i in 1..50000 return {a: i, b: [i]}))",
        kLoop + "count(concatenate(numbers100k, numbers100k)) = 0",
        kLoop + "count(append(numbers100k, i)) = 0",
        kLoop + "count(insert before(numbers100k, 1, i)) = 0",
        kLoop + "count(remove(numbers100k, 1)) = 0",
        kLoop + "count(reverse(numbers100k)) = 0",
        kLoop + "count(reverse(strings500k)) = 0",
        kLoop + "count(sublist(numbers100k, 2)) = 0",
        kLoop + "count(list replace(strings500k, 5, i)) = 0",
        kLoop + "count(list replace([1, 2, 3], function(x, y) true, i)) = 0",
        kLoop + "count(flatten([numbers100k, [numbers100k]])) = 0",
        kLoop + "count(flatten(nested)) = 1",
        kLoop + "count(partition(numbers100k, 1)) = 0",
        kLoop + "count(sort(numbers100k)) = 0",
        kLoop + "count(sort(strings500k)) = 0",
        kLoop + "count(sort(alike1m)) = 0",
        kLoop + "count(sort(numbers100k, function(a, b) a < b)) = 0",
        kLoop + "sum(numbers100k) = 0",
        kLoop + "product(numbers100k) = 0",
        kLoop + "mean(numbers100k) = 0",
        kLoop + "median(numbers100k) = 0",
        kLoop + "stddev(numbers100k) = 0",
        kLoop + "mode(numbers100k) = 0",
        kLoop + "min(numbers100k) = -1",
        kLoop + "max(alike1m) = \"\"",
        kLoop + "all(numbers100k) = false",
        kLoop + "count(numbers100k[item > 10]) = 0",
        kLoop + "count(numbers100k[item < 0]) = 1",
        kLoop + "numbers100k = numbers100k + 1",
        kLoop + "(numbers100k = reverse(reverse(numbers100k))) = i",
        kLoop + "numbers100k in (1, 2) = i",
        kLoop + "-1 in (numbers100k)",
        kLoop + "nested = 1 or nested = nested and false",
        "numbers4m",
        "strings4m",
        "digits4m",
        "empty4m",
        "objects4m",
        "orders4m",
        "object4m",
        "spaces4m",
        "long_number",
        "nested",
        "count(orders4m.name)",
        "count(orders4m[id = 5])",
        "orders4m.lines",
        "string(numbers4m)",
        "string(digits4m)",
        "to json(orders4m)",
        "to json(digits4m)",
        "numbers4m = numbers4m",
        "[numbers100k, numbers100k, numbers100k]",
        "for i in 1..1000 return numbers100k",
        "for i in 1..500000 return 1 / 3",
        "(for i in 1..40 return if i = 1 then [1] else concatenate(partial[-1], partial[-1]))[-1]",
        "(for i in 1..22 return if i = 1 then [1] else [partial[-1], partial[-1]])[-1]",
        "string((for i in 1..22 return if i = 1 then [1] else [partial[-1], partial[-1]])[-1])",
        "(for i in 1..60 return if i = 1 then \"a\" else partial[-1] + partial[-1])[-1]",
        "count(for i in 1..1000000 return partial)",
        "for r in (for i in 1..1000 return [a2m..a4m]) return string(r)",
        "string(for i in 1..1000 return [a2m..a4m])",
        kLoop + "count(for j in 1..900000 return j) = 0",
        kLoop + "count(for j in 1..300000 return \"\" + \"a\") = 0",
        kLoop + "count(for j in 1..200000 return {a: {}}) = 0",
        "{d: @\"2024-07-15T10:00:00.123456789@Europe/Paris\", "
        "r: string(for i in 1..300000 return d)}.r",
        "{d: @\"2024-07-15T10:00:00.123456789@Europe/Paris\", r: for i in 1..300000 return d}.r",
        "{d: @\"P1DT2H3M4.123S\", r: for i in 1..300000 return d}.r",
        "{d: @\"2024-07-15\", r: for i in 1..300000 return d}.r",
        "{d: 1.234567890123456789012345678901234, r: for i in 1..300000 return d}.r",
        "{d: 1E33, r: for i in 1..300000 return d}.r",
        "{d: 1E33, r: count(distinct values(for i in 1..300000 return d + i))}.r",
        // contexts
        kLoop + "get value(object20k, \"k5\") = 0",
        kLoop + "count(get entries(object20k)) = 0",
        kLoop + "context put(object20k, \"k\", i) = 0",
        kLoop + "context put(object20k, [\"a\", \"b\"], i) = 0",
        kLoop + "context merge([object20k, object20k]) = 0",
        kLoop + "context(get entries(object20k)) = 0",
        kLoop + "object20k = object20k and false",
        kLoop + "object20k.k5 = 0",
        kLoop + "string(object20k) = \"\"",
        kLoop + "context put({}, string(i), i) = 0",
        "count(get entries(object4m))",
        // numbers
        kLoop + "1 / 3 / i = 0",
        kLoop +
            "1.234567890123456789012345678901234 * 9.87654321098765432109876543210987 / "
            "1.11111111111111111111111111111111 = i",
        kLoop + "1.0000001 ** 99999999 = i",
        kLoop + "1.0000001 ** -999999999999999 = i",
        kLoop + "1.0000001 ** 0.123456789 = i",
        kLoop + "1.5 ** (i / 7) = i",
        kLoop + "2 ** 20000 = i",
        kLoop + "sqrt(1.234567890123456789) = i",
        kLoop + "log(1.234567890123456789) = i",
        kLoop + "exp(1.234567890123456789) = i",
        kLoop + "exp(12000) = i",
        kLoop + "modulo(1E6000, 7) = i",
        kLoop + "modulo(9.999999999999999999999999999999999E6144, 1.234567890123456789E-6100) = i",
        kLoop + "modulo(i, 7) = -1",
        kLoop + "decimal(1.2345678901234567890, 5) = i",
        kLoop + "floor(i / 3) = -1",
        kLoop + "odd(i) = 1",
        kLoop + "abs(-i) = -1",
        kLoop + "random number() = 5",
        kLoop + "string(1.234567890123456789012345678901234) = \"\"",
        kLoop + "string(1E6000) = \"\"",
        // the calendar
        kLoop + "date(\"2024-01-15\") + duration(\"P1M\") = i",
        kLoop + "date and time(\"2024-01-15T10:00:00@Europe/Paris\") = i",
        kLoop + "date and time(\"2024-01-15T10:00:00\" + \"@Europe/Paris\") = i",
        kLoop + "date and time(date and time(\"2024-07-15T10:00:00Z\"), \"America/New_York\") = i",
        kLoop + "@\"2024-07-15T10:00:00@Europe/Paris\" + duration(\"PT\" + string(i) + \"S\") = i",
        kLoop + "@\"2524-07-15T10:00:00@Europe/Paris\" - @\"1024-07-15T10:00:00@Asia/Tokyo\" = i",
        kLoop + "@\"2024-07-15T10:00:00@Europe/Paris\" < @\"2024-07-15T10:00:00@Asia/Tokyo\"",
        kLoop + "string(@\"999999999-07-15T10:00:00@Europe/Paris\") = \"\"",
        kLoop + "date(999999, 2, 28) + @\"P1000Y\" = i",
        kLoop + "years and months duration(@\"0001-01-01\", @\"9999-12-31\") = i",
        kLoop + "@\"P1Y\" * 1.5 = i",
        kLoop + "@\"PT1S\" / 3 = i",
        kLoop + "@\"PT1S\" / @\"PT3S\" = i",
        kLoop + "duration(\"P1DT2H3M4.567890123S\") = i",
        kLoop + "time(\"10:00:00\") + @\"PT1H\" = i",
        kLoop + "time(10, 30, 1.5, @\"PT1H\") = i",
        kLoop + "day of week(@\"2024-01-15\") = i",
        kLoop + "week of year(@\"2024-01-15\") = i",
        kLoop + "last day of month(@\"2024-01-15\") = i",
        kLoop + "now() = i",
        kLoop + "today().year = i",
        kLoop + "cycle(3, @\"PT1H\") = i",
        kLoop + "is(@\"10:00:00\", @\"10:00:00Z\") = i",
        "for d in dates1m return date and time(d)",
        "for d in dates1m return date and time(d) + @\"P1M\"",
        "for d in @\"2000-01-01\"..@\"9000-01-01\" return d",
        // ranges
        kLoop + "before([1..5], [i..9]) = i",
        kLoop + "overlaps([1..5], [2..9]) = i",
        kLoop + "includes([a2m..a4m], a2m) = i",
        kLoop + "range(\"[\" + string(i) + \"..9]\") = i",
        kLoop + "range(\"[1..\" + a1k + \"]\") = i",
        kLoop + "range(\"[1+\" + replace(a1k, \"a\", \"1+\") + \"1..9]\") = i",
        // conditions
        "a4m = \"b\"",
        "object4m.k1 = 7",
        "object4m.k1 = 7 and object4m.k2 = 7 and object4m.k3 = 7 or object4m.k4 = 1",
        many("object4m.k{} = 7 or ", 200) + "object4m.k1 = 7",
        many("a4m = \"b{}\" or ", 2'000) + "a4m = \"c\"",
        many("object4m.a{}.b = 7 or ", 20) + "object4m.k1 = 7",
    };
    return cases;
  }();
  return kCases;
}

}  // namespace beeline::feel::testing
