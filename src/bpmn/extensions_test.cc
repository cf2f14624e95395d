#include "bpmn/extensions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "bpmn/test_support.h"

namespace beeline::bpmn {
namespace {

using namespace build;

// Returns the row of docs/extensions.md that a row of the table must have.
std::string document_row(const Extension& extension) {
  std::string on;
  for (const char c : extension.on) on += c == ' ' ? ", " : std::string(1, c);
  std::string remark;
  for (const char c : extension.remark) remark += c == '\'' ? '`' : c;
  return fmt::format(
      "| {} | {} | {} | {} | {} |",
      extension.element.empty() ? "any BPMN element" : fmt::format("`zeebe:{}`", extension.element),
      extension.attribute.empty() ? "" : fmt::format("`{}`", extension.attribute),
      on.empty() ? "anywhere" : on, name_of(extension.fate), remark);
}

std::vector<std::string> rows_of_document() {
  std::ifstream file(BEELINE_DOCS "/extensions.md");
  std::vector<std::string> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("| `zeebe:") || line.starts_with("| any BPMN")) rows.push_back(line);
  }
  return rows;
}

TEST(Extensions, AreInTheDocumentWithTheirFates) {
  std::vector<std::string> rows;
  for (const Extension& extension : extensions()) rows.push_back(document_row(extension));
  EXPECT_EQ(rows_of_document(), rows) << fmt::format("{}", fmt::join(rows, "\n"));
}

TEST(Extensions, HaveOneFateInOnePlace) {
  std::set<std::tuple<std::string_view, std::string_view, std::string>> seen;
  for (const Extension& extension : extensions()) {
    EXPECT_TRUE(
        seen.emplace(extension.element, extension.attribute, std::string(extension.on)).second)
        << document_row(extension);
    EXPECT_EQ(extension.fate == Fate::Refused && extension.remark.empty(), false)
        << document_row(extension);
  }
}

std::vector<Diagnostic> refusals_of(std::string_view xml) {
  const auto processes = parse_all(xml);
  return processes.empty() ? std::vector<Diagnostic>{} : processes.front()->refusals;
}

TEST(Extensions, UnknownOnesAreRefusedByName) {
  const std::string why =
      ": this version of beeline does not know it and would ignore it; correct its spelling or "
      "remove it";
  EXPECT_EQ(refusals_of(process_with(
                R"(<bpmn:task id="x" zeebe:speed="9"><bpmn:extensionElements>
                     <zeebe:retryPolicy/><zeebe:properties hue="red"/>
                   </bpmn:extensionElements></bpmn:task>)")),
            (std::vector<Diagnostic>{
                {"x", "must not have the attribute 'zeebe:speed'" + why},
                {"x", "must not have 'zeebe:retryPolicy'" + why},
                {"x", "must not have 'hue' in 'zeebe:properties'" + why},
            }));
  // Extensions of messages are not inside of the process.
  EXPECT_EQ(refusals_of(file_with(
                R"(<bpmn:process id="p" isExecutable="true"><bpmn:startEvent id="s"/></bpmn:process>
                   <bpmn:message id="m"><bpmn:extensionElements><zeebe:x/></bpmn:extensionElements>
                   </bpmn:message>)")),
            (std::vector<Diagnostic>{{"m", "must not have 'zeebe:x'" + why}}));
}

TEST(Extensions, OfOtherNamespacesAndInOtherPlacesAreIgnored) {
  EXPECT_EQ(refusals_of(process_with(
                R"(<bpmn:task id="x" xmlns:o="urn:o" o:speed="9" zeebe:modelerTemplate="t">
                     <bpmn:extensionElements><o:userTask/><zeebe:userTask/>
                       <zeebe:linkedResources/><zeebe:properties o:hue="red"/>
                     </bpmn:extensionElements></bpmn:task>)")),
            std::vector<Diagnostic>{});
}

// A process that an earlier version accepted is read again at every start, so a new refusal must
// not be an error of the parser.
TEST(Extensions, RefusalsLeaveTheModelReadable) {
  const auto process = parse_one(
      build::process("p", start() >> service_task("x", job("a"), listener("start", "l")) >> end()));
  ASSERT_EQ(process->refusals.size(), 1u);
  EXPECT_EQ(process->find("x")->parts().listeners.size(), 1u);
}

TEST(Extensions, AProcessIdIsAnXmlId) {
  for (const std::string id : {"1 bad", "1", "a b", "-a", ".a", "a:b", "a/b", "a,b"}) {
    const auto process = parse_one(build::process(id, start() >> end()));
    ASSERT_EQ(process->refusals.size(), 1u) << id;
    EXPECT_EQ(process->refusals.front().element_id, id);
    EXPECT_TRUE(process->refusals.front().message.starts_with("must have an id that begins with"));
  }
  for (const std::string id : {"a", "_1", "a-b.c_d", "Prozeß", "日本"}) {
    EXPECT_TRUE(parse_one(build::process(id, start() >> end()))->refusals.empty()) << id;
  }
}

}  // namespace
}  // namespace beeline::bpmn
