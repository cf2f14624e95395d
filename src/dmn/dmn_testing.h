#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>

#include "dmn/dmn.h"
#include "feel/json.h"
#include "feel/value.h"

// Helpers of the tests of this folder: files written in a line or two, variables as JSON.
namespace beeline::dmn::testing {

inline std::string definitions(std::string_view content) {
  return std::string(
             "<definitions xmlns='https://www.omg.org/spec/DMN/20191111/MODEL/' id='drg' "
             "name='DRG' namespace='test'>")
      .append(content)
      .append("</definitions>");
}

inline std::string literal(std::string_view text) {
  return std::string("<literalExpression><text><![CDATA[")
      .append(text)
      .append("]]></text></literalExpression>");
}

// A decision named like its id; `rest` are its requirements and its expression.
inline std::string decision(const std::string& id, std::string_view rest) {
  return "<decision id='" + id + "' name='" + id + "'><variable name='" + id + "'/>" +
         std::string(rest) + "</decision>";
}

inline std::string requires_decision(const std::string& id) {
  return "<informationRequirement><requiredDecision href='#" + id + "'/></informationRequirement>";
}
inline std::string requires_input(const std::string& id) {
  return "<informationRequirement><requiredInput href='#" + id + "'/></informationRequirement>";
}
inline std::string requires_knowledge(const std::string& id) {
  return "<knowledgeRequirement><requiredKnowledge href='#" + id + "'/></knowledgeRequirement>";
}

inline Definitions parsed(const std::string& xml, Reading reading = Reading::Workflow) {
  auto result = parse_definitions(xml, reading);
  if (!result) {
    ADD_FAILURE() << result.error().to_string();
    return *parse_definitions(definitions(""), reading);
  }
  return *result;
}

class Variables final : public feel::VariableSource {
 public:
  using Map = std::map<std::string, std::string, std::less<>>;
  Variables() = default;
  Variables(Map::value_type first) { json_.insert(std::move(first)); }  // NOLINT
  Variables(std::initializer_list<Map::value_type> all) : json_(all) {}
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const override {
    const auto found = json_.find(name);
    if (found == json_.end()) return std::nullopt;
    return found->second;
  }

 private:
  Map json_;
};

inline DecisionResult evaluate(const std::string& xml, std::string_view id,
                               const Variables& variables = {}) {
  return evaluate_decision(parsed(xml), id, variables, {});
}

// Evaluates under the standard's reading, with the members of a JSON object as inputs.
inline DecisionResult evaluate_standard(const std::string& xml, std::string_view id,
                                        std::string_view inputs = "{}") {
  return evaluate_decision(parsed(xml, Reading::Standard), id, feel::parse_json(inputs)->context(),
                           {});
}

// Returns the JSON of the result, or the failure after an exclamation mark.
inline std::string outcome(const DecisionResult& result) {
  return result.failure ? "! " + result.failure->message : result.output_json;
}

// Returns all problems of a file, one per line; empty if it is accepted.
inline std::string problems_of(const std::string& xml, Reading reading = Reading::Workflow) {
  const auto result = parse_definitions(xml, reading);
  return result ? "" : result.error().to_string();
}

}  // namespace beeline::dmn::testing
