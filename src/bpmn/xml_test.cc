#include "bpmn/xml.h"

#include <gtest/gtest.h>

#include "bpmn/test_support.h"

namespace beeline::bpmn {
namespace {

using Errors = std::vector<std::string>;

TEST(Xml, ResolvesPrefixes) {
  const auto document = XmlDocument::parse(
      R"(<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
             xmlns:z="http://camunda.org/schema/zeebe/1.0">
           <a x="1" y=""/><z:b/><c xmlns="urn:other"><d/></c><unknown:e/>
           <z:f xmlns:z="http://www.omg.org/spec/BPMN/20100524/MODEL"> te<!-- no -->xt </z:f>
         </definitions>)");
  ASSERT_TRUE(document.has_value());
  const XmlNode& root = document->root();
  EXPECT_TRUE(root.is(Namespace::Bpmn, "definitions"));
  ASSERT_EQ(root.children.size(), 5u);
  EXPECT_TRUE(root.children[0].is(Namespace::Bpmn, "a"));
  EXPECT_EQ(root.children[0].attribute("x"), "1");
  EXPECT_EQ(root.children[0].find_attribute("y"), "");
  EXPECT_EQ(root.children[0].find_attribute("z"), std::nullopt);
  EXPECT_TRUE(root.children[1].is(Namespace::Zeebe, "b"));
  EXPECT_TRUE(root.children[2].children[0].is(Namespace::Other, "d"));
  EXPECT_TRUE(root.children[3].is(Namespace::Other, "e"));
  EXPECT_TRUE(root.children[4].is(Namespace::Bpmn, "f"));
  EXPECT_EQ(root.children[4].text(), "text");
}

TEST(Xml, ReadsModelsWithAnyPrefix) {
  EXPECT_EQ(errors_of(R"(<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL">
                           <process id="p" isExecutable="true"><startEvent id="s"/></process>
                         </definitions>)"),
            Errors{});
}

TEST(Xml, RefusesWhatIsNotWellFormed) {
  for (const std::string_view xml : {"", "<a>", "text", "<a></b>", "<a/><b/>"}) {
    EXPECT_FALSE(XmlDocument::parse(xml).has_value()) << xml;
  }
  const auto document = XmlDocument::parse("<a>\n  <b></c>\n</a>");
  ASSERT_FALSE(document.has_value());
  EXPECT_TRUE(document.error().starts_with("Expected well-formed XML, but at line 2, column "))
      << document.error();
}

TEST(Xml, RefusesADocumentTypeAndItsEntities) {
  const auto document =
      XmlDocument::parse(R"(<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bomb">]><a>&b;</a>)");
  ASSERT_FALSE(document.has_value());
  EXPECT_EQ(document.error(), "Expected XML without a document type declaration, but it has one");
}

std::string in_utf16(std::u16string_view text, bool big_endian, bool mark) {
  std::u16string units(mark ? u"\uFEFF" : u"");
  units += text;
  std::string bytes;
  for (const char16_t unit : units) {
    const char high = static_cast<char>(unit >> 8);
    const char low = static_cast<char>(unit & 0xFF);
    bytes += big_endian ? high : low;
    bytes += big_endian ? low : high;
  }
  return bytes;
}

TEST(Xml, ReadsUtf16) {
  for (const bool big_endian : {false, true}) {
    for (const bool mark : {false, true}) {
      const auto document = XmlDocument::parse(
          in_utf16(u"<?xml version='1.0' encoding='UTF-16'?><a x='Pr\u00FCfen \u65E5 \U0001F600'/>",
                   big_endian, mark));
      ASSERT_TRUE(document.has_value()) << document.error();
      EXPECT_EQ(document->root().attribute("x"), "Prüfen 日 😀");
    }
  }
  for (const std::u16string& text :
       {std::u16string(u"<a x='?'/>").replace(6, 1, 1, u'\xD83D'),
        std::u16string(u"<a x='?'/>").replace(6, 1, 1, u'\xDE00'), std::u16string(u"<a/>\xD83D")}) {
    EXPECT_FALSE(XmlDocument::parse(in_utf16(text, true, true)).has_value());
  }
  EXPECT_FALSE(XmlDocument::parse(in_utf16(u"<a/>", true, true) + "x").has_value());
  EXPECT_FALSE(
      XmlDocument::parse(in_utf16(std::u16string(u"<a/>") + u'\0', true, true)).has_value());
}

TEST(Xml, ReadsIso8859WhereItIsDeclared) {
  for (const std::string_view name : {"ISO-8859-1", "iso-8859-1", "Latin1"}) {
    const auto document = XmlDocument::parse(
        fmt::format("<?xml version=\"1.0\" encoding=\"{}\"?><a x='Pr\xFC\x66\x65n'/>", name));
    ASSERT_TRUE(document.has_value()) << document.error();
    EXPECT_EQ(document->root().attribute("x"), "Prüfen");
  }
}

TEST(Xml, RefusesOtherEncodings) {
  EXPECT_TRUE(XmlDocument::parse("\xEF\xBB\xBF<a/>").has_value());
  for (const std::string_view bytes : {"<a>\xFF</a>", "<a>\xC0\x80</a>", "<a>\xED\xA0\x80</a>",
                                       "<a>\xE2\x82</a>", "<a>\xF5\x80\x80\x80</a>"}) {
    EXPECT_FALSE(XmlDocument::parse(bytes).has_value());
  }
  using namespace std::string_view_literals;
  EXPECT_FALSE(XmlDocument::parse("<a>\0</a>"sv).has_value());
}

TEST(Xml, HasLimits) {
  std::string deep;
  for (int i = 0; i <= kXmlDepthMax; ++i) deep += "<a>";
  for (int i = 0; i <= kXmlDepthMax; ++i) deep += "</a>";
  EXPECT_FALSE(XmlDocument::parse(deep).has_value());
  EXPECT_FALSE(XmlDocument::parse(std::string(kXmlBytesMax + 1, ' ')).has_value());
  std::string prefixes = "<a";
  for (int i = 0; i < 300; ++i) prefixes += " xmlns:n" + std::to_string(i) + "=\"u\"";
  EXPECT_FALSE(XmlDocument::parse(prefixes + "/>").has_value());
}

TEST(Xml, TheRootMustBeBpmn) {
  EXPECT_EQ(errors_of("<definitions/>"),
            (Errors{"Expected 'bpmn:definitions' as root element, but it is 'definitions'"}));
}

TEST(Xml, DiagnosticsAreCutAtTheirLimit) {
  Diagnostics diagnostics{.resource_name = "a.bpmn", .errors = {}};
  for (int i = 0; i < 1000; ++i) diagnostics.errors.push_back({"element", "must be otherwise"});
  const std::string text = diagnostics.text();
  EXPECT_LE(text.size(), kDiagnosticsBytesMax);
  EXPECT_TRUE(text.starts_with(
      "'a.bpmn': - Element: element\n    - ERROR: must be otherwise\n- Element: element\n"));
  EXPECT_TRUE(text.ends_with(" more errors and/or warnings"));
}

TEST(Xml, TextsThatTheBuilderWritesComeBack) {
  using namespace build;
  const auto process =
      parse_one(build::process("p", name("<&\">"), start() >> task("t", name("a & b"))));
  EXPECT_EQ(process->name, "<&\">");
  EXPECT_EQ(process->find("t")->name, "a & b");
}

}  // namespace
}  // namespace beeline::bpmn
