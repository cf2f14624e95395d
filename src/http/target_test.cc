#include "http/target.h"

#include <gtest/gtest.h>

namespace beeline::http {
namespace {

TEST(ParseQuery, decodes_names_and_values) {
  EXPECT_EQ(parse_query(""), std::vector<NameValue>{});
  EXPECT_EQ(parse_query("a=1&b=x+y%26&&c&d=e=f"),
            (std::vector<NameValue>{{"a", "1"}, {"b", "x y&"}, {"c", ""}, {"d", "e=f"}}));
  EXPECT_FALSE(parse_query("a=%zz"));
  EXPECT_FALSE(parse_query("%4=1"));
}

TEST(PercentEncode, is_undone_by_parse_query) {
  const std::string text = "a b+c&d=e%f/ä\"";
  EXPECT_EQ(parse_query("x=" + percent_encode(text)), (std::vector<NameValue>{{"x", text}}));
}

}  // namespace
}  // namespace beeline::http
