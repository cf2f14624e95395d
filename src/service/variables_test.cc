#include "service/variables.h"

#include <gtest/gtest.h>

#include <string>

namespace beeline::service {
namespace {

std::string document_error_of(std::string_view json) {
  const auto read = read_variables(json);
  if (read) return "OK";
  EXPECT_EQ(read.error().kind, ErrorKind::Invalid);
  return read.error().text;
}

std::string round_trip(std::string_view json) {
  const auto read = read_variables(json);
  return read ? write_variables(*read) : "error: " + read.error().text;
}

TEST(Variables, nothing_is_an_empty_object) {
  for (const std::string_view text : {"", " \n\t", "null", " null ", "{}"}) {
    EXPECT_EQ(round_trip(text), "{}") << text;
  }
}

TEST(Variables, values_come_back_as_they_were) {
  const std::string text =
      R"({"a":null,"b":[1,[2,{"c":"\u00e9 é 𝄞"}]],"d":1.0,"e":-0.5e10,"f":true,"g":"x\"y"})";
  EXPECT_EQ(round_trip(text), text);
}

TEST(Variables, the_last_of_equal_names_wins) {
  EXPECT_EQ(round_trip(R"({"a":1,"b":2,"a":3})"), R"({"a":3,"b":2})");
}

TEST(Variables, another_kind_of_root_is_named) {
  const auto expected = [](std::string_view kind) {
    return "Property 'variables' is invalid: Expected document to be a root level object, but was "
           "'" +
           std::string(kind) + "'";
  };
  EXPECT_EQ(document_error_of("[]"), expected("ARRAY"));
  EXPECT_EQ(document_error_of(" [1,2] "), expected("ARRAY"));
  EXPECT_EQ(document_error_of(R"("text, with \" quote")"), expected("STRING"));
  EXPECT_EQ(document_error_of("-17"), expected("INTEGER"));
  EXPECT_EQ(document_error_of("1.5"), expected("FLOAT"));
  EXPECT_EQ(document_error_of("1e5"), expected("FLOAT"));
  EXPECT_EQ(document_error_of("true"), expected("BOOLEAN"));
  EXPECT_EQ(document_error_of("false"), expected("BOOLEAN"));
}

TEST(Variables, what_is_no_json_is_repeated_in_the_error) {
  for (const std::string_view text :
       {"{bad", "{", "}", R"({"a":})", R"({"a":NaN})", R"({"a":Infinity})", "nul", "[1,", "[1] 2",
        R"(1,"value":2)", "{} {}", R"({"a":"\ud800"})", "{\"a\":\"\xff\"}", "\xff\xfe", "'a'"}) {
    EXPECT_TRUE(document_error_of(text).starts_with("Invalid JSON value: "))
        << document_error_of(text);
  }
}

TEST(Variables, a_long_text_is_not_repeated_whole) {
  EXPECT_LT(document_error_of("{" + std::string(100'000, 'x')).size(), 1000U);
  EXPECT_LT(document_error_of(std::string(100'000, 'x')).size(), 1000U);
}

TEST(Variables, whole_numbers_have_64_bits) {
  EXPECT_EQ(document_error_of(R"({"n":18446744073709551615})"), "OK");
  EXPECT_EQ(document_error_of(R"({"n":-9223372036854775808})"), "OK");
  EXPECT_EQ(document_error_of(R"({"n":123456789012345678901234567890.5})"), "OK");
  EXPECT_EQ(document_error_of(R"({"n":1.123456789012345678901234567890})"), "OK");
  EXPECT_EQ(document_error_of(R"({"n":1e123456789012345678901234567890})"), "OK");
  EXPECT_EQ(document_error_of(R"({"n":"123456789012345678901234567890"})"), "OK");
  EXPECT_EQ(document_error_of(R"({"n":"\"123456789012345678901234567890"})"), "OK");
  for (const std::string_view number :
       {"18446744073709551616", "-9223372036854775809", "123456789012345678901234567890"}) {
    EXPECT_EQ(document_error_of(R"({"a":[{"n":)" + std::string(number) + "}]}"),
              "MessagePack cannot serialize BigInteger larger than 2^64-1");
  }
}

TEST(Variables, names_have_a_limit) {
  const auto named = [](const std::string& name) { return "{\"" + name + "\":1}"; };
  EXPECT_EQ(document_error_of(named(std::string(32768, 'n'))), "OK");
  std::string wide;
  for (int i = 0; i < 32768; ++i) wide += "é";
  EXPECT_EQ(document_error_of(named(wide)), "OK");
  EXPECT_EQ(document_error_of(named(std::string(32769, 'n'))),
            "Expected variable names to be no longer than 32768 characters, but found one with "
            "length 32769.");
}

TEST(Variables, a_document_has_at_most_10000_members) {
  const auto with_members = [](int count) {
    std::string json = "{";
    for (int i = 0; i < count; ++i) {
      if (i > 0) json += ',';
      json += "\"v" + std::to_string(i) + "\":{\"a\":1,\"b\":2}";
    }
    return json + "}";
  };
  EXPECT_EQ(document_error_of(with_members(10'000)), "OK");
  EXPECT_EQ(document_error_of(with_members(10'001)),
            "Expected at most 10000 variables in one request, but found 10001. Send them in "
            "several requests, or as members of one variable.");
}

}  // namespace
}  // namespace beeline::service
