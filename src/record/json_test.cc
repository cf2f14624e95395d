#include "record/json.h"

#include <gtest/gtest.h>

#include <string>

namespace beeline::record {
namespace {

std::string round_trip(std::string_view json) {
  const auto document = parse_document(json);
  if (!document) return "error: " + document.error();
  std::string out;
  append_document(*document, out);
  return out;
}

TEST(ParseDocument, keeps_the_text_of_each_value) {
  EXPECT_EQ(round_trip(R"({ "a" : 1.50 , "b":[ 1, {"c": null} ],"d":"x\u00e9" })"),
            R"({"a":1.50,"b":[ 1, {"c": null} ],"d":"x\u00e9"})");
  EXPECT_EQ(round_trip(""), "{}");
  EXPECT_EQ(round_trip("  {}  "), "{}");
}

TEST(ParseDocument, decodes_names_and_lets_the_last_of_two_equal_ones_win) {
  EXPECT_EQ(round_trip(R"({"a\nb":1})"), R"({"a\nb":1})");
  EXPECT_EQ(round_trip(R"({"a":1,"b":2,"\u0061":3})"), R"({"a":3,"b":2})");
}

TEST(ParseDocument, takes_as_many_names_as_a_message_can_hold) {
  std::string json = "{";
  for (int i = 0; i < 300'000; ++i) json += "\"n" + std::to_string(i) + "\":1,";
  json += "\"n7\":2,\"n299999\":3}";
  const auto document = parse_document(json);
  ASSERT_TRUE(document.has_value());
  ASSERT_EQ(document->entries.size(), 300'000U);
  EXPECT_EQ(document->entries[7].value, "2");
  EXPECT_EQ(document->entries[8].value, "1");
  EXPECT_EQ(document->entries.back().value, "3");
}

TEST(ParseDocument, refuses_what_is_not_an_object_of_json) {
  for (const std::string_view bad :
       {"[1]", "1", "null", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":01}", "{\"a\":+1}",
        "{\"a\":1.}", "{\"a\":tru}", "{\"a\":\"\n\"}", "{\"a\":\"\\x\"}", "{\"a\":\"\\ud800\"}",
        "{\"a\":1}}", "{\"a\":[1}", "{\"a\":{\"b\":1]}", "{a:1}", "{\"a\":1}x"}) {
    EXPECT_TRUE(round_trip(bad).starts_with("error")) << bad;
  }
}

TEST(ParseDocument, refuses_bytes_that_are_not_utf8) {
  for (const std::string_view bad : {"{\"a\":\"\xff\"}", "{\"a\":\"\xc0\x80\"}",
                                     "{\"a\":\"\xed\xa0\x80\"}", "{\"a\":\"\xf5\x80\x80\x80\"}"}) {
    EXPECT_NE(round_trip(bad).find("UTF-8"), std::string::npos) << bad;
  }
}

TEST(ParseDocument, nests_to_the_limit_and_no_further) {
  const auto nested = [](int depth) {
    const auto inside = static_cast<std::size_t>(depth - 1);
    return "{\"a\":" + std::string(inside, '[') + std::string(inside, ']') + "}";
  };
  EXPECT_TRUE(parse_document(nested(kJsonDepthMax)).has_value());
  const auto refused = parse_document(nested(kJsonDepthMax + 1));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error(), "it nests deeper than 1000 levels");
  EXPECT_FALSE(parse_document(nested(1'000'000)).has_value());
}

TEST(ParseJsonString, gives_the_text_of_a_string_and_nothing_for_all_else) {
  EXPECT_EQ(parse_json_string(R"("a\"\u00fc\ud83d\ude00 \n")"), "a\"ü😀 \n");
  EXPECT_EQ(parse_json_string("\"\""), "");
  for (const std::string_view other : {"", "1", "null", "[\"a\"]", "\"a", "\"a\" ", "\"a\"b",
                                       " \"a\"", "\"\xff\"", R"("\ud83d")"}) {
    EXPECT_EQ(parse_json_string(other), std::nullopt) << other;
  }
}

TEST(AppendJsonString, escapes_and_replaces_what_is_not_utf8) {
  std::string out;
  append_json_string("a\"\\\n\x01\xff\xe2\x82\xac", out);
  EXPECT_EQ(out, "\"a\\\"\\\\\\n\\u0001\xef\xbf\xbd\xe2\x82\xac\"");
}

}  // namespace
}  // namespace beeline::record
