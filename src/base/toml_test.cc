#include "base/toml.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace beeline::toml {
namespace {

TEST(Toml, reads_every_kind_of_value) {
  const auto entries = parse(
      "# a comment\n"
      "\n"
      "name = \"a \\\"b\\\" \\u00e4\\n\"  # behind it\r\n"
      "literal = 'C:\\x'\n"
      "count = 12\n"
      "negative=-3\n"
      "rate = 0.5\n"
      "on = true\n"
      "[ worker ]\n"
      "  count = 2\n"
      "a.b = false");
  ASSERT_TRUE(entries.has_value()) << entries.error().message;
  EXPECT_EQ(*entries, (std::vector<Entry>{{"name", Kind::String, "a \"b\" ä\n", 3},
                                          {"literal", Kind::String, "C:\\x", 4},
                                          {"count", Kind::Integer, "12", 5},
                                          {"negative", Kind::Integer, "-3", 6},
                                          {"rate", Kind::Float, "0.5", 7},
                                          {"on", Kind::Boolean, "true", 8},
                                          {"worker.count", Kind::Integer, "2", 10},
                                          {"worker.a.b", Kind::Boolean, "false", 11}}));
}

TEST(Toml, reads_strings_of_many_lines) {
  const auto entries =
      parse("a = '''\n<x a=\"1\">\n\\n</x>'''\nb = \"\"\"one\n\\ttwo\"\"\"\nc = 1");
  ASSERT_TRUE(entries.has_value()) << entries.error().message;
  EXPECT_EQ(*entries, (std::vector<Entry>{{"a", Kind::String, "<x a=\"1\">\n\\n</x>", 1},
                                          {"b", Kind::String, "one\n\ttwo", 4},
                                          {"c", Kind::Integer, "1", 6}}));
}

TEST(Toml, names_the_line_of_a_mistake) {
  const std::pair<std::string, int> mistakes[] = {{"a = 1\nb", 2},
                                                  {"a =", 1},
                                                  {"a = yes", 1},
                                                  {"\n\na = 'x", 3},
                                                  {"a = \"x\ny\"", 1},
                                                  {"a = '''x\ny", 2},
                                                  {"a = 1 2", 1},
                                                  {"a = 1\na = 2", 2},
                                                  {"[]", 1},
                                                  {"[a", 1},
                                                  {"[[a]]", 1},
                                                  {"a = [1]", 1},
                                                  {"a = \"\\q\"", 1},
                                                  {"a = \"\\u12\"", 1},
                                                  {"= 1", 1},
                                                  {"a = \"\\", 1},
                                                  {"a = \"\\ud800\"", 1}};
  for (const auto& [text, line] : mistakes) {
    const auto entries = parse(text);
    ASSERT_FALSE(entries.has_value()) << text;
    EXPECT_EQ(entries.error().line, line) << text;
    EXPECT_TRUE(entries.error().message.ends_with('.')) << text;
  }
}

TEST(Toml, an_empty_file_has_no_entries) {
  EXPECT_EQ(parse(""), std::vector<Entry>{});
}

}  // namespace
}  // namespace beeline::toml
