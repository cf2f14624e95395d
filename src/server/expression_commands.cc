#include "server/expression_commands.h"

#include <fmt/format.h>

#include <iostream>
#include <map>
#include <optional>

#include "base/result.h"
#include "base/time.h"
#include "dmn/dmn.h"
#include "feel/feel.h"
#include "feel/json.h"
#include "record/json.h"
#include "server/command_io.h"

namespace beeline::server {
namespace {

class DocumentVariables final : public feel::VariableSource {
 public:
  explicit DocumentVariables(record::Document document) : document_(std::move(document)) {
    for (const record::DocumentEntry& entry : document_.entries) values_[entry.name] = entry.value;
  }
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const override {
    const auto it = values_.find(name);
    if (it == values_.end()) return std::nullopt;
    return it->second;
  }

 private:
  record::Document document_;
  std::map<std::string_view, std::string_view> values_;
};

Result<record::Document, std::string> read_context(const std::string& json) {
  auto document = record::parse_document(json);
  if (!document) {
    return failure(
        fmt::format("Failed to read --context (a JSON object, @FILE, or - for the standard "
                    "input): {}.",
                    document.error()));
  }
  return *std::move(document);
}

feel::Instant now() {
  return feel::Instant{Milliseconds{SystemClock{}.now().millis()}};
}

int fail(std::ostream& errors, std::string_view sentence) {
  errors << "beeline: " << sentence << "\n";
  return 1;
}

std::string json_quoted(std::string_view text) {
  std::string out;
  record::append_json_string(text, out);
  return out;
}

template <typename Items, typename Write>
std::string array(const Items& items, Write write) {
  std::string out = "[";
  for (const auto& item : items) {
    if (out.size() > 1) out += ",";
    out += write(item);
  }
  return out + "]";
}

Result<feel::Evaluation, std::string> evaluate(std::string_view text,
                                               const record::Document& context) {
  if (text.starts_with('=')) text.remove_prefix(1);
  const auto parsed = feel::parse_expression(text);
  if (!parsed) {
    return failure(
        fmt::format("Failed to parse expression '{}': {}", text, parsed.error().describe(text)));
  }
  feel::Evaluation result = feel::evaluate(*parsed, DocumentVariables{context}, {now()});
  if (result.failure) return failure(*std::move(result.failure));
  return result;
}

std::optional<std::string> unquoted(std::string_view json) {
  const auto value = feel::parse_json(json);
  return value ? feel::as_string(*value) : std::nullopt;
}

std::string answer_line(const std::string& line) {
  const auto error = [](std::string_view text) { return "{\"error\":" + json_quoted(text) + "}"; };
  const auto request = record::parse_document(line);
  if (!request) return error(request.error());
  const DocumentVariables members{*request};
  const auto expression_json = members.find("expression");
  const auto expression = expression_json ? unquoted(*expression_json) : std::nullopt;
  if (!expression) return error("A request needs an \"expression\".");
  const auto context = record::parse_document(members.find("context").value_or("{}"));
  if (!context) return error(context.error());
  const auto result = evaluate(*expression, *context);
  if (!result) return error(result.error());
  return fmt::format("{{\"result\":{},\"warnings\":{}}}", feel::to_json(*result->value),
                     array(result->warnings, json_quoted));
}

// ---- decisions ----------------------------------------------------------------------------------

std::string to_json(const dmn::EvaluatedInput& input) {
  return fmt::format("{{\"inputId\":{},\"inputName\":{},\"inputValue\":{}}}", json_quoted(input.id),
                     json_quoted(input.name), input.value_json);
}
std::string to_json(const dmn::EvaluatedOutput& output) {
  return fmt::format("{{\"outputId\":{},\"outputName\":{},\"outputValue\":{}}}",
                     json_quoted(output.id), json_quoted(output.name), output.value_json);
}
std::string to_json(const dmn::MatchedRule& rule) {
  return fmt::format(
      "{{\"ruleId\":{},\"ruleIndex\":{},\"evaluatedOutputs\":{}}}", json_quoted(rule.id),
      rule.index,
      array(rule.outputs, [](const dmn::EvaluatedOutput& each) { return to_json(each); }));
}
std::string to_json(const dmn::EvaluatedDecision& decision) {
  return fmt::format(
      "{{\"decisionId\":{},\"decisionName\":{},\"decisionType\":{},\"decisionOutput\":{},"
      "\"evaluatedInputs\":{},\"matchedRules\":{}}}",
      json_quoted(decision.id), json_quoted(decision.name),
      json_quoted(dmn::decision_type_name(decision.type)), decision.output_json,
      array(decision.inputs, [](const dmn::EvaluatedInput& each) { return to_json(each); }),
      array(decision.matched_rules, [](const dmn::MatchedRule& each) { return to_json(each); }));
}

Result<std::string, std::string> choose_decision(const DecideOptions& options,
                                                 const dmn::Definitions& definitions) {
  std::string known;
  const auto decisions = definitions.decisions();
  for (const dmn::DecisionInfo& info : decisions) {
    known += fmt::format("{}'{}'", known.empty() ? "" : ", ", info.id);
  }
  if (!options.decision.empty()) {
    if (definitions.has_decision(options.decision)) return options.decision;
    return failure(fmt::format("There is no decision '{}' in {}; there is {}.", options.decision,
                               options.file, known.empty() ? "none" : known));
  }
  if (decisions.size() == 1) return decisions.front().id;
  return failure(fmt::format("Choose one of {} with --decision.", known));
}

// Returns a line for each matched rule, the required decisions first.
std::string matched_rules(const dmn::DecisionResult& result) {
  std::string lines;
  for (const dmn::EvaluatedDecision& decision : result.evaluated_decisions) {
    for (const dmn::MatchedRule& rule : decision.matched_rules) {
      lines += fmt::format("{}: rule {}{}\n", decision.id, rule.index,
                           rule.id.empty() ? "" : fmt::format(" ({})", rule.id));
    }
  }
  return lines;
}

}  // namespace

int evaluate_feel(const FeelOptions& options, std::ostream& out, std::ostream& errors) {
  const auto context = read_context(options.context);
  if (!context) return fail(errors, context.error());
  const auto result = evaluate(options.expression, *context);
  if (!result) return fail(errors, result.error());
  for (const std::string& warning : result->warnings) errors << "warning: " << warning << "\n";
  out << feel::to_json(*result->value) << "\n";
  return 0;
}

int evaluate_feel_lines(std::istream& in, std::ostream& out) {
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) out << answer_line(line) << "\n";
  }
  return 0;
}

int decide(const DecideOptions& options, std::ostream& out, std::ostream& errors) {
  const auto refuse = [&](const std::string& sentence) { return fail(errors, sentence); };
  const auto xml = read_file(options.file);
  if (!xml) return refuse(xml.error());
  std::vector<std::string> texts;
  for (const std::string& path : options.imports) {
    auto text = read_file(path);
    if (!text) return refuse(text.error());
    texts.push_back(*std::move(text));
  }
  const std::vector<std::string_view> imports(texts.begin(), texts.end());
  const auto definitions = dmn::parse_definitions(*xml, dmn::Reading::Workflow, imports);
  if (!definitions) {
    return refuse(
        fmt::format("The file {} is refused:\n{}", options.file, definitions.error().to_string()));
  }
  const auto decision = choose_decision(options, *definitions);
  if (!decision) return refuse(decision.error());
  auto context = read_context(options.context);
  if (!context) return refuse(context.error());
  const dmn::DecisionResult result = dmn::evaluate_decision(
      *definitions, *decision, DocumentVariables{*std::move(context)}, {now()});
  for (const std::string& warning : result.warnings) errors << "warning: " << warning << "\n";
  if (options.audit) {
    out << fmt::format("{{\"decisionOutput\":{},\"evaluatedDecisions\":{}}}\n", result.output_json,
                       array(result.evaluated_decisions,
                             [](const dmn::EvaluatedDecision& each) { return to_json(each); }));
  } else if (!result.failure) {
    out << result.output_json << "\n" << matched_rules(result);
  }
  if (!result.failure) return 0;
  return refuse(fmt::format("Decision '{}' failed: {}", result.failure->decision_id,
                            result.failure->message));
}

}  // namespace beeline::server
