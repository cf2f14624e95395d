#include <charconv>
#include <set>

#include "bpmn/draft.h"

namespace beeline::bpmn {
namespace {

constexpr std::string_view kReservedHeaderPrefix = "io.camunda.zeebe:";

class NoVariables final : public feel::VariableSource {
 public:
  [[nodiscard]] std::optional<std::string_view> find(std::string_view) const override {
    return std::nullopt;
  }
};

bool is_int32(std::string_view text) {
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

const XmlNode* extension(const Reading& reading, const XmlNode& node, std::string_view element_id,
                         std::string_view name) {
  const XmlNode* extensions = node.child(Namespace::Bpmn, "extensionElements");
  if (extensions == nullptr) return nullptr;
  const XmlNode* found = nullptr;
  for (const XmlNode& child : extensions->children) {
    if (!child.is(Namespace::Zeebe, name)) continue;
    if (found != nullptr) {
      reading.findings.error(
          element_id, fmt::format("must have at most one 'zeebe:{}' extension element", name));
      break;
    }
    found = &child;
  }
  return found;
}

Expression read_expression(const Reading& reading, std::string_view element_id,
                           std::string_view what, std::string_view text) {
  const std::string_view trimmed = trim(text);
  if (!trimmed.starts_with('=')) return Expression::literal(std::string(text));
  const std::string_view source = trim(trimmed.substr(1));
  Result<feel::Expression, feel::ParseError> parsed = feel::parse_expression(source);
  if (!parsed) {
    reading.findings.error(
        element_id, fmt::format("has an invalid expression '{}' as {}: {}", cut(source), what,
                                parsed.error().describe(source)));
    return Expression::null();
  }
  return Expression{.is_static = false, .text = std::string(source), .feel = *std::move(parsed)};
}

Expression read_feel(const Reading& reading, std::string_view element_id, std::string_view what,
                     std::string_view text) {
  Expression expression = read_expression(reading, element_id, what, text);
  if (expression.is_static) {
    reading.findings.error(
        element_id, trim(text).empty()
                        ? fmt::format("must have an expression as {}", what)
                        : fmt::format("must have an expression (starting with '=') as {}, but has "
                                      "the static value '{}'",
                                      what, cut(text)));
    return Expression::null();
  }
  return expression;
}

std::optional<Expression> read_optional(const Reading& reading, std::string_view element_id,
                                        const XmlNode& node, const char* attribute) {
  const std::string_view text = node.attribute(attribute);
  if (trim(text).empty()) return std::nullopt;
  return read_expression(reading, element_id, attribute, text);
}

bool read_flag(const XmlNode& node, const char* attribute, bool otherwise) {
  const std::string_view text = trim(node.attribute(attribute));
  if (text.empty()) return otherwise;
  return text == "true" || text == "1";
}

std::vector<Header> read_headers(const Reading& reading, const XmlNode& node,
                                 std::string_view element_id) {
  std::vector<Header> headers;
  std::set<std::string_view> keys;
  const auto read = [&](const XmlNode& list) {
    for (const XmlNode& header : list.children) {
      if (!header.is(Namespace::Zeebe, "header")) continue;
      const std::string_view key = header.attribute("key");
      const std::string_view value = header.attribute("value");
      if (key.empty() || value.empty()) continue;
      if (key.starts_with(kReservedHeaderPrefix)) {
        reading.findings.error(element_id,
                               fmt::format("must not have the header key '{}': keys that start "
                                           "with '{}' are reserved",
                                           key, kReservedHeaderPrefix));
      }
      if (!keys.insert(key).second) {
        reading.findings.error(element_id,
                               fmt::format("must not have the header key '{}' twice", key));
        continue;
      }
      headers.push_back({.key = std::string(key), .value = std::string(value)});
    }
  };
  // Elements have their headers among the extensions; listeners contain them directly.
  if (const XmlNode* list = extension(reading, node, element_id, "taskHeaders")) read(*list);
  if (const XmlNode* list = node.child(Namespace::Zeebe, "taskHeaders")) read(*list);
  return headers;
}

std::pair<Binding, std::string> read_binding(const Reading& reading, const XmlNode& node,
                                             std::string_view element_id) {
  const std::string_view type = node.attribute("bindingType");
  const std::string_view tag = trim(node.attribute("versionTag"));
  Binding binding = Binding::Latest;
  if (type == "deployment") {
    binding = Binding::Deployment;
  } else if (type == "versionTag") {
    binding = Binding::VersionTag;
  } else if (!type.empty() && type != "latest") {
    reading.findings.error(element_id,
                           fmt::format("must have 'latest', 'deployment' or 'versionTag' as "
                                       "bindingType in 'zeebe:{}', but has '{}'",
                                       node.name, type));
    return {binding, ""};
  }
  if (binding == Binding::VersionTag && tag.empty()) {
    reading.findings.error(
        element_id, fmt::format("must have a versionTag in 'zeebe:{}', since its bindingType is "
                                "'versionTag'",
                                node.name));
  } else if (binding != Binding::VersionTag && !tag.empty()) {
    reading.findings.error(
        element_id, fmt::format("must not have a versionTag in 'zeebe:{}', unless its bindingType "
                                "is 'versionTag'",
                                node.name));
  }
  return {binding, std::string(tag)};
}

JobDefinition read_job(const Reading& reading, const XmlNode& definition,
                       std::string_view element_id) {
  JobDefinition job;
  const std::string_view type = definition.attribute("type");
  if (trim(type).empty()) {
    reading.findings.error(element_id,
                           fmt::format("must have a type in 'zeebe:{}'", definition.name));
  }
  check_length(reading, element_id, "a job type", type);
  job.type = read_expression(reading, element_id, "type", type);
  const std::string_view retries = definition.attribute("retries");
  job.retries = retries.empty() ? Expression::literal("3")
                                : read_expression(reading, element_id, "retries", trim(retries));
  job.priority = Expression::literal("0");
  return job;
}

Expression read_job_priority(const Reading& reading, const XmlNode& node,
                             std::string_view element_id) {
  const XmlNode* definition = extension(reading, node, element_id, "jobPriorityDefinition");
  if (definition == nullptr) return reading.process_priority;
  const std::string_view text = trim(definition->attribute("priority"));
  if (text.empty()) return Expression::literal("0");
  Expression priority = read_expression(reading, element_id, "priority", text);
  if (priority.is_static && !is_int32(priority.text)) {
    reading.findings.error(element_id,
                           fmt::format("must have a whole number of 32 bits as job priority, but "
                                       "has '{}'",
                                       cut(text)));
  }
  return priority;
}

void check_length(const Reading& reading, std::string_view element_id, std::string_view what,
                  std::string_view text) {
  if (text.size() <= kTextCharsMax) return;
  reading.findings.error(
      element_id, fmt::format("must have {} of at most {} characters, but has one of {}", what,
                              kTextCharsMax, text.size()));
}

feel::Evaluation evaluate_without_variables(const Reading& reading, const Expression& expression) {
  return feel::evaluate(expression.feel, NoVariables{},
                        {.now = {}, .budget = &reading.findings.constants_budget()});
}

std::optional<std::string> constant_string(const Reading& reading, const Expression& expression) {
  if (expression.is_static) return expression.text;
  const feel::Evaluation result = evaluate_without_variables(reading, expression);
  if (result.failure) return std::nullopt;
  return feel::as_string(*result.value);
}

}  // namespace beeline::bpmn
