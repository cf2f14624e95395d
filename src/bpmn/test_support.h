#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bpmn/builder.h"
#include "bpmn/parse.h"

// Fixtures of this folder's tests.
namespace beeline::bpmn {

[[nodiscard]] inline std::vector<std::shared_ptr<const Process>> parse_all(std::string_view xml) {
  auto parsed = parse_bpmn("test.bpmn", xml);
  if (parsed) return *std::move(parsed);
  ADD_FAILURE() << parsed.error().text() << "\n" << xml;
  return {};
}

// Returns the only process of the model; if the model is refused, fails the test and returns an
// empty process.
[[nodiscard]] inline std::shared_ptr<const Process> parse_one(const build::Model& model) {
  auto processes = parse_all(model.to_xml());
  return processes.empty() ? std::make_shared<const Process>() : processes.front();
}

// Returns "id: message" for each diagnostic.
[[nodiscard]] inline std::vector<std::string> texts_of(const std::vector<Diagnostic>& diagnostics) {
  std::vector<std::string> texts;
  for (const Diagnostic& each : diagnostics) {
    texts.push_back(each.element_id.empty() ? each.message : each.element_id + ": " + each.message);
  }
  return texts;
}

// Returns why the file cannot be read.
[[nodiscard]] inline std::vector<std::string> errors_of(std::string_view xml) {
  const auto parsed = parse_bpmn("test.bpmn", xml);
  return parsed ? std::vector<std::string>{} : texts_of(parsed.error().errors);
}
[[nodiscard]] inline std::vector<std::string> errors_of(const build::Model& model) {
  return errors_of(model.to_xml());
}

// Returns a file with this content, for XML that the builder cannot write.
[[nodiscard]] inline std::string file_with(std::string_view content) {
  return R"(<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" )"
         R"(xmlns:zeebe="http://camunda.org/schema/zeebe/1.0">)" +
         std::string(content) + "</bpmn:definitions>";
}
// Returns a file with this content inside an executable process "p" that has a start event "start".
[[nodiscard]] inline std::string process_with(std::string_view content) {
  return file_with(R"(<bpmn:process id="p" isExecutable="true"><bpmn:startEvent id="start"/>)" +
                   std::string(content) + "</bpmn:process>");
}

// Returns why the file cannot be read or, if it can, why its deployment is refused.
[[nodiscard]] inline std::vector<std::string> reasons_of(std::string_view xml) {
  const auto parsed = parse_bpmn("test.bpmn", xml);
  if (!parsed) return texts_of(parsed.error().errors);
  std::vector<std::string> refusals;
  for (const auto& process : *parsed) {
    std::ranges::move(texts_of(process->refusals), std::back_inserter(refusals));
  }
  return refusals;
}

[[nodiscard]] inline std::vector<std::string> reasons_of(const build::Model& model) {
  return reasons_of(model.to_xml());
}

// One row of a table: a model, and all its errors.
struct Refusal {
  build::Model model;
  std::vector<std::string> errors;
};
inline void expect_refusals(const std::vector<Refusal>& rows) {
  for (const Refusal& row : rows) {
    const std::string xml = row.model.to_xml();
    EXPECT_EQ(reasons_of(xml), row.errors) << xml;
  }
}

}  // namespace beeline::bpmn
