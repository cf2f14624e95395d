#include "feel/builtins.h"

#include <gtest/gtest.h>

#include "feel/feel_testing.h"

// Each built-in function with its edges.
namespace beeline::feel {
namespace {

using testing::expect_both;
using testing::expect_dmn;
using testing::expect_workflow;
using testing::Row;
using testing::run_dmn;
using testing::run_workflow;

TEST(Builtins, conversion) {
  const Row rows[] = {
      {"date(\"2024-02-30\")", "null"},
      {"date(2024, 2, 29)", "2024-02-29"},
      {"date(2023, 2, 29)", "null"},
      {"date(@\"2024-02-29T10:00:00\")", "2024-02-29"},
      {"date(null)", "null"},
      {"time(\"10:20:30Z\")", "10:20:30Z"},
      {"time(10, 20, 30.5)", "10:20:30.5"},
      {"time(10, 20, 30, @\"PT1H\")", "10:20:30+01:00"},
      {"time(10, 20, 30, null)", "10:20:30"},
      {"time(25, 0, 0)", "null"},
      {"time(@\"2024-01-01\")", "00:00:00Z"},
      {"date and time(@\"2024-01-01\", @\"10:00:00Z\")", "2024-01-01T10:00:00Z"},
      {"date and time(@\"2024-01-01T05:00:00\", @\"10:00:00\")", "2024-01-01T10:00:00"},
      {"date and time(\"2024-01-01T24:00:00\")", "2024-01-02T00:00:00"},
      {"duration(\"P1Y2M\")", "P1Y2M"},
      {"duration(\"PT26H\")", "P1DT2H"},
      {"duration(\"P1Y1D\")", "null"},
      {"years and months duration(@\"2023-01-31\", @\"2024-03-01\")", "P1Y1M"},
      {"years and months duration(@\"2024-03-01\", @\"2023-01-31T00:00:00Z\")", "-P1Y1M"},
      {"number(\"1 000,5\", \" \", \",\")", "1000.5"},
      {"number(\"1,000.5\", \",\", \".\")", "1000.5"},
      {"number(\"1\", \".\", \".\")", "null"},
      {"number(\"1\", \";\", null)", "null"},
      {"number(\"a\", null, null)", "null"},
      {"string(2.50)", "\"2.5\""},
      {"string(null)", "null"},
      {"string([1, \"a\", {b: null}])", "\"[1, \"a\", {b: null}]\""},
      {"string(@\"P14M\")", "\"P1Y2M\""},
      {"context([{key: \"a\", value: 1}, {key: \"b\", value: null}])", "{a: 1, b: null}"},
      {"context({key: \"a\", value: 1})", "{a: 1}"},
      {"context([{key: 1, value: 1}])", "null"},
      {"context([{key: \"a\"}])", "null"},
      {"range(\"[1..3)\")", "[1..3)"},
      {"range(\"[3..1]\")", "null"},
      {"range(\"[a..b]\")", "null"},
      {"range(\"[1 + 1..3]\") = null", "false"},
      {"range(\"[@\\\"2024-01-01\\\"..@\\\"2024-02-01\\\"]\").start", "2024-01-01"},
      {"range(\"[date(\\\"2024-01-01\\\")..date(\\\"2024-02-01\\\")]\").end", "2024-02-01"},
      {"range(\"nonsense\")", "null"},
  };
  expect_both(rows);
}

TEST(Builtins, conversion_extensions) {
  const Row rows[] = {
      {"number(\"1.5\")", "1.5"},
      {"number(\"1,000\", \",\")", "1000"},
      {"time(\"13:30\")", "13:30:00"},
      {"date and time(@\"2024-01-01T10:00:00\", \"Europe/Paris\")",
       "2024-01-01T10:00:00@Europe/Paris"},
      {"date and time(@\"2024-01-01T10:00:00Z\", \"Europe/Paris\")",
       "2024-01-01T11:00:00@Europe/Paris"},
      {"date and time(@\"2024-01-01T10:00:00Z\", \"Nowhere/Town\")", "null"},
      {"context([{key: \"a\", value: 1}, {key: \"a\", value: 2}])", "{a: 2}"},
      {"from json(\"{\\\"a\\\": [1, 2.50]}\").a", "[1, 2.5]"},
      {"from json(json: \"true\")", "true"},
      {"from json(\"{\")", "null"},
      {"to json({a: @\"2024-01-01\"})", "\"{\"a\":\"2024-01-01\"}\""},
      {"cycle(@\"PT1H\")", "\"R/PT1H\""},
      {"cycle(3, @\"PT1H\")", "\"R3/PT1H\""},
      {"cycle(null, @\"P1M\")", "\"R/P1M\""},
      {"fromAi(5, \"a number\", \"number\")", "5"},
  };
  expect_workflow(rows);
  EXPECT_EQ(run_dmn("number(\"1.5\")"), "null");
  EXPECT_EQ(run_dmn("time(\"13:30\")"), "null");
  EXPECT_EQ(run_dmn("is defined(1)"), "null");
  EXPECT_EQ(run_dmn("context([{key: \"a\", value: 1}, {key: \"a\", value: 2}])"), "null");
}

TEST(Builtins, strings) {
  const Row rows[] = {
      {"substring(\"foobar\", 3)", "\"obar\""},
      {"substring(\"foobar\", 3, 3)", "\"oba\""},
      {"substring(\"foobar\", -2, 1)", "\"a\""},
      {"substring(\"foobar\", 0)", "null"},
      {"substring(\"foobar\", 7)", "\"\""},
      {"substring(\"foobar\", 8)", "null"},
      {"substring(\"foobar\", 3, 0)", "null"},
      {"substring(\"foobar\", 3, 99)", "\"obar\""},
      {"substring(\"h😀llo\", 2, 2)", "\"😀l\""},
      {"string length(\"h😀\")", "2"},
      {"upper case(\"straße é\")", "\"STRASSE É\""},
      {"lower case(\"ÀB\")", "\"àb\""},
      {"substring before(\"foobar\", \"bar\")", "\"foo\""},
      {"substring before(\"foobar\", \"x\")", "\"\""},
      {"substring before(\"foobar\", \"\")", "\"\""},
      {"substring after(\"foobar\", \"ob\")", "\"ar\""},
      {"substring after(\"foobar\", \"x\")", "\"\""},
      {"substring after(\"foobar\", \"\")", "\"foobar\""},
      {"contains(\"foobar\", \"\")", "true"},
      {"starts with(\"foobar\", \"fo\")", "true"},
      {"ends with(\"foobar\", \"r\")", "true"},
      {"split(\"a;b;;c\", \";\")", "[\"a\", \"b\", \"\", \"c\"]"},
      {"string join([\"a\", null, \"b\"], \"-\")", "\"a-b\""},
      {"string join([\"a\", \"b\"])", "\"ab\""},
      {"string join([], \"-\")", "\"\""},
      {"string join([\"a\", 1])", "null"},
      {"string join([\"a\"], \"-\", \"x\")", "null"},
      {"contains(null, \"a\")", "null"},
  };
  expect_both(rows);
  const Row extensions[] = {
      {"string join([\"a\", \"b\"], \",\", \"<\", \">\")", "\"<a,b>\""},
      {"extract(\"a1b22\", \"[0-9]+\")", "[\"1\", \"22\"]"},
      {"trim(\"  a b \")", "\"a b\""},
      {"is blank(\" \\t\")", "true"},
      {"to base64(\"FEEL\")", "\"RkVFTA==\""},
      {"from base64(\"RkVFTA==\")", "\"FEEL\""},
      {"from base64(\"?\")", "null"},
  };
  expect_workflow(extensions);
}

TEST(Builtins, regular_expressions) {
  const Row rows[] = {
      {"matches(\"foobar\", \"^fo*bar$\")", "true"},
      {"matches(\"foobar\", \"o\")", "true"},
      {"matches(\"FOO\", \"foo\", \"i\")", "true"},
      {"matches(\"É\", \"é\", \"i\")", "true"},
      {"matches(\"a\\nb\", \"a.b\")", "false"},
      {"matches(\"a\\rb\", \"a.b\")", "false"},
      {"matches(\"a\\nb\", \"a.b\", \"s\")", "true"},
      {"matches(\"a\\nb\", \"^b$\", \"m\")", "true"},
      {"matches(\"a\\n\", \"a$\")", "false"},
      {"matches(\"helloworld\", \"hello world\", \"x\")", "true"},
      {"matches(\"hello world\", \"hello[ ]world\", \"x\")", "true"},
      {"matches(\"b\", \"[a-z-[aeiou]]\")", "true"},
      {"matches(\"e\", \"[a-z-[aeiou]]\")", "false"},
      {"matches(\"a\", \"\\p{IsBasicLatin}\")", "true"},
      {"matches(\"é\", \"^\\p{IsBasicLatin}\")", "false"},
      {"matches(\"é\", \"\\p{Ll}\")", "true"},
      {"matches(\"aa\", \"(a)\\1\")", "true"},
      {"matches(\"a\", \"(a)\\2\")", "null"},
      {"matches(\"a\", \"[\\1]\")", "null"},
      {"matches(\"a\", \"(\")", "null"},
      {"matches(\"a\", \"a{,2}\")", "null"},
      {"matches(\"a\", \"(?=a)\")", "null"},
      {"matches(\"a\", \"(*UTF)a\")", "null"},
      {"matches(\"a\", \"a++\")", "null"},
      {"matches(\"x:y\", \"^\\i\\c*$\")", "true"},
      {"matches(\"a\", \"a\", null)", "true"},
      {"replace(\"abcd\", \"(ab)|(a)\", \"[1=$1][2=$2]\")", "\"[1=ab][2=]cd\""},
      {"replace(\"abc\", \"b\", \"\\\\$\")", "\"a$c\""},
      {"replace(\"abc\", \"b\", \"$\")", "null"},
      {"replace(\"abc\", \"(b)\", \"<$0$1>\")", "\"a<bb>c\""},
      {"replace(\"aBc\", \"b\", \"x\", \"i\")", "\"axc\""},
      {"split(\"a1b2c\", \"[0-9]\")", "[\"a\", \"b\", \"c\"]"},
  };
  expect_both(rows);
  EXPECT_EQ(run_dmn("matches(\"a\", \"a\", \"q\")"), "null");
  EXPECT_EQ(run_workflow("matches(\"a\", \"a\", \"q\")"), "true");
  EXPECT_EQ(run_dmn("matches(\"a b\", \"\\\\bb\")"), "null");
  EXPECT_EQ(run_workflow("matches(\"a b\", \"\\\\bb\")"), "true");
  EXPECT_EQ(run_dmn("replace(\"abc\", \"x*\", \"-\")"), "null");
  EXPECT_EQ(run_workflow("replace(\"abc\", \"x*\", \"-\")"), "\"-a-b-c-\"");
}

TEST(Builtins, numbers) {
  const Row rows[] = {
      {"decimal(2.5, 0)", "2"},
      {"decimal(1.115, 2)", "1.12"},
      {"decimal(1, 99999)", "null"},
      {"floor(-1.5)", "-2"},
      {"floor(1.567, 1)", "1.5"},
      {"floor(1, null)", "null"},
      {"ceiling(1.1)", "2"},
      {"round up(-1.1, 0)", "-2"},
      {"round down(-1.9, 0)", "-1"},
      {"round half up(2.5, 0)", "3"},
      {"round half down(2.5, 0)", "2"},
      {"round half up(1234, -2)", "1200"},
      {"abs(-1)", "1"},
      {"abs(@\"-P1D\")", "P1D"},
      {"modulo(-12, 5)", "3"},
      {"modulo(1, 0)", "null"},
      {"sqrt(16)", "4"},
      {"sqrt(-1)", "null"},
      {"log(0)", "null"},
      {"exp(0)", "1"},
      {"odd(3)", "true"},
      {"even(1.5)", "false"},
      {"even(\"a\")", "null"},
  };
  expect_both(rows);
  EXPECT_EQ(run_workflow("decimal(2.5, 0, \"half_up\")"), "3");
  EXPECT_EQ(run_workflow("decimal(2.5, 0, \"sideways\")"), "null");
  EXPECT_EQ(run_workflow("round up(1.1)"), "2");
  EXPECT_EQ(run_dmn("round up(1.1)"), "null");
}

TEST(Builtins, lists) {
  const Row rows[] = {
      {"list contains([1, null], null)", "true"},
      {"list contains([1, 2], 3)", "false"},
      {"count([])", "0"},
      {"min(1, 2, 3)", "1"},
      {"max([\"a\", \"c\", \"b\"])", "\"c\""},
      {"min([])", "null"},
      {"min([1, \"a\"])", "null"},
      {"sum([1, 2.5])", "3.5"},
      {"sum([])", "null"},
      {"sum([1, null])", "null"},
      {"product(2, 3)", "6"},
      {"mean([1, 2, 4, 5])", "3"},
      {"median(8, 2, 5, 3, 4)", "4"},
      {"median([6, 1, 2, 3])", "2.5"},
      {"stddev([2, 4, 7, 5]) > 2.08", "true"},
      {"stddev([1])", "null"},
      {"mode([6, 1, 9, 6, 1])", "[1, 6]"},
      {"mode([])", "[]"},
      {"all([])", "true"},
      {"any([])", "false"},
      {"all([true, null])", "null"},
      {"all([false, null])", "false"},
      {"any(true, 1)", "true"},
      {"any([false, 1])", "null"},
      {"sublist([1, 2, 3], 2)", "[2, 3]"},
      {"sublist([1, 2, 3], -2, 1)", "[2]"},
      {"sublist([1, 2, 3], 0)", "null"},
      {"append([1], 2, [3])", "[1, 2, [3]]"},
      {"append(list: [1], items: [2, 3])", "[1, 2, 3]"},
      {"concatenate([1], [2, [3]])", "[1, 2, [3]]"},
      {"union([1, 2], [2, 3])", "[1, 2, 3]"},
      {"insert before([1, 3], 2, 2)", "[1, 2, 3]"},
      {"insert before([1, 3], 0, 2)", "null"},
      {"remove([1, 2, 3], -1)", "[1, 2]"},
      {"remove([1, 2, 3], 0)", "null"},
      {"list replace([1, 2, 3], 2, 9)", "[1, 9, 3]"},
      {"list replace([1, 2, 3], 4, 9)", "null"},
      {"list replace([1, 5], function(item, newItem) item < newItem, 3)", "[3, 5]"},
      {"list replace([1, 5], function(item) true, 3)", "null"},
      {"list replace([1, 5], function(item, newItem) 1, 3)", "null"},
      {"reverse([1, 2, 3])", "[3, 2, 1]"},
      {"flatten([[1, [2]], 3])", "[1, 2, 3]"},
      {"distinct values([1, 1.0, \"1\", null, null, {a: 1, b: 2}, {b: 2, a: 1}])",
       "[1, \"1\", null, {a: 1, b: 2}]"},
      {"index of([1, 2, null, 2], 2)", "[2, 4]"},
      {"index of([1, null], null)", "[2]"},
      {"sort([3, 1, 2], function(x, y) x > y)", "[3, 2, 1]"},
      {"sort([3, 1], function(x, y) 1)", "null"},
      {"sort([{k: 2, v: 1}, {k: 1, v: 2}, {k: 2, v: 3}], function(x, y) x.k < y.k).v", "[2, 1, 3]"},
      {"sort([], function(x, y) x > y)", "[]"},
  };
  expect_both(rows);
  const Row extensions[] = {
      {"duplicate values([1, 2, 1, 3, 2, 1])", "[1, 2]"},
      {"is empty([])", "true"},
      {"partition([1, 2, 3], 2)", "[[1, 2], [3]]"},
      {"partition([1], 0)", "null"},
      {"sort([3, 1, 2])", "[1, 2, 3]"},
      {"sort([3, \"a\"])", "null"},
      {"and([true, false])", "false"},
      {"or([true, false])", "true"},
      {"insert before([1], 5, 2)", "[1, 2]"},
      {"remove([1], 5)", "[1]"},
      {"count(5)", "null"},
      {"abs(number: -1)", "1"},
  };
  expect_workflow(extensions);
  const Row singletons[] = {
      {"count(5)", "1"},
      {"string join(\"a\", \",\")", "\"a\""},
      {"abs(n: -1)", "1"},
      {"abs(number: -1)", "null"},  // Camunda's name for it
      {"abs([-1])", "1"},
      {"abs([1, 2])", "null"},
      {"insert before([1], 5, 2)", "null"},
      {"partition([1], 1)", "null"},
  };
  expect_dmn(singletons);
}

TEST(Builtins, contexts) {
  const Row rows[] = {
      {"get value({a: 1}, \"a\")", "1"},
      {"get value({a: 1}, \"b\")", "null"},
      {"get value(context: {a: 1}, key: \"a\")", "1"},
      {"get entries({a: 1})", "[{key: \"a\", value: 1}]"},
      {"context put({a: 1, b: 2}, \"a\", 3)", "{a: 3, b: 2}"},
      {"context put({a: 1}, [\"b\", \"c\"], 2) = null", "true"},
      {"context put({a: {b: 1}}, [\"a\", \"b\"], 2)", "{a: {b: 2}}"},
      {"context put({}, [], 2)", "null"},
      {"context put({}, [null], 2)", "null"},
      {"context merge([{a: 1, b: 1}, {b: 2}])", "{a: 1, b: 2}"},
      {"context merge({a: 1}, {b: 2})", "{a: 1, b: 2}"},
      {"context merge([{a: 1}, 2])", "null"},
      {"context merge({a: 1})", "{a: 1}"},
  };
  expect_dmn(rows);
  const Row extensions[] = {
      {"get value({a: {b: 5}}, [\"a\", \"b\"])", "5"},
      {"get value({a: 1}, [])", "null"},
      {"context put({a: 1}, [\"b\", \"c\"], 2)", "{a: 1, b: {c: 2}}"},
      {"put({a: 1}, \"b\", 2)", "{a: 1, b: 2}"},
      {"put all({a: 1}, {a: 2})", "{a: 2}"},
  };
  expect_workflow(extensions);
}

TEST(Builtins, dates) {
  const Row rows[] = {
      {"is(@\"10:00:00Z\", @\"10:00:00+00:00\")", "true"},
      {"is(@\"10:00:00+01:00\", @\"09:00:00Z\")", "false"},
      {"is(@\"P1D\", @\"PT24H\")", "true"},
      {"is(1, \"1\")", "false"},
      {"now(1)", "null"},
      {"day of year(@\"2024-03-01\")", "61"},
      {"week of year(@\"2005-01-01\")", "53"},
      {"day of week(@\"2019-09-17\")", "\"Tuesday\""},
      {"month of year(@\"2019-09-17T00:00:00Z\")", "\"September\""},
      {"day of week(\"2019-09-17\")", "null"},
  };
  expect_both(rows);
  EXPECT_EQ(run_workflow("last day of month(@\"2024-02-01\")"), "2024-02-29");
}

TEST(Builtins, ranges) {
  const Row rows[] = {
      {"before(1, 2)", "true"},
      {"before([1..5), 5)", "true"},
      {"before([1..5], 5)", "false"},
      {"before([1..5), [5..9])", "true"},
      {"after(6, [1..5])", "true"},
      {"meets([1..5], [5..9])", "true"},
      {"meets([1..5), [5..9])", "false"},
      {"met by([5..9], [1..5])", "true"},
      {"overlaps([1..5], [5..9])", "true"},
      {"overlaps([1..5), [5..9])", "false"},
      {"overlaps before([1..5], [3..9])", "true"},
      {"overlaps after([3..9], [1..5])", "true"},
      {"finishes(5, [1..5])", "true"},
      {"finishes(5, [1..5))", "false"},
      {"finishes([3..5], [1..5])", "true"},
      {"finished by([1..5], 5)", "true"},
      {"includes([1..5], 3)", "true"},
      {"includes([1..5], [2..6])", "false"},
      {"during([2..3], [1..5])", "true"},
      {"starts(1, [1..5])", "true"},
      {"started by([1..5], [1..3])", "true"},
      {"coincides([1..5], [1..5])", "true"},
      {"coincides(1, 2)", "false"},
      {"before(1, \"a\")", "null"},
      {"includes(range: [1..5], point: 3)", "true"},
      {"before(range: [1..2], point: 3)", "true"},
      {"before(point: 0, range: [1..2])", "true"},
  };
  expect_both(rows);
}

}  // namespace
}  // namespace beeline::feel
