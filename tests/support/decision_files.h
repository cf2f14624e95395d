#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

// DMN files for tests, written in a line or two.
namespace beeline::testing {

// Returns a file of decisions; it is named "<id> name", and so are decisions.
inline std::string decisions_file(std::string_view id, std::string_view content) {
  return fmt::format(
      "<definitions xmlns='https://www.omg.org/spec/DMN/20191111/MODEL/' "
      "xmlns:zeebe='http://camunda.org/schema/zeebe/1.0' id='{0}' name='{0} name' "
      "namespace='test'>{1}</definitions>",
      id, content);
}

// Returns the file with another namespace than "test".
inline std::string in_namespace(const std::string& model_namespace, std::string file) {
  const std::string usual = "namespace='test'";
  return file.replace(file.find(usual), usual.size(), "namespace='" + model_namespace + "'");
}

struct DecisionParts {
  std::vector<std::string> requires_decisions = {};
  std::string version_tag = {};
  std::string type = {};  // type of the result
};

inline std::string decision_with(std::string_view id, std::string_view expression,
                                 const DecisionParts& parts = {}) {
  std::string head;
  if (!parts.version_tag.empty()) {
    head += fmt::format("<extensionElements><zeebe:versionTag value='{}'/></extensionElements>",
                        parts.version_tag);
  }
  head += fmt::format("<variable name='{}'{}/>", id,
                      parts.type.empty() ? "" : fmt::format(" typeRef='{}'", parts.type));
  for (const std::string& required : parts.requires_decisions) {
    head += fmt::format(
        "<informationRequirement><requiredDecision href='#{}'/></informationRequirement>",
        required);
  }
  return fmt::format("<decision id='{0}' name='{0} name'>{1}{2}</decision>", id, head, expression);
}

inline std::string literal_decision(std::string_view id, std::string_view text,
                                    const DecisionParts& parts = {}) {
  return decision_with(
      id, fmt::format("<literalExpression><text><![CDATA[{}]]></text></literalExpression>", text),
      parts);
}

// One input, one output, a rule for each pair of cells. Rules have ids r1, r2, ..., except those
// with an empty output: they have no id, and their output is null.
inline std::string table_decision(std::string_view id, std::string_view hit_policy,
                                  std::string_view input,
                                  const std::vector<std::pair<std::string, std::string>>& rules,
                                  const DecisionParts& parts = {}) {
  std::string table = fmt::format(
      "<decisionTable hitPolicy='{}'><input id='in' label='The input'>"
      "<inputExpression><text>{}</text></inputExpression></input>"
      "<output id='out' name='result'/>",
      hit_policy, input);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    table += fmt::format(
        "<rule{}><inputEntry><text><![CDATA[{}]]></text></inputEntry>"
        "<outputEntry><text><![CDATA[{}]]></text></outputEntry></rule>",
        rules[i].second.empty() ? "" : fmt::format(" id='r{}'", i + 1), rules[i].first,
        rules[i].second);
  }
  return decision_with(id, table + "</decisionTable>", parts);
}

}  // namespace beeline::testing
