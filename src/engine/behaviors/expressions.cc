#include "engine/behaviors/expressions.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "bpmn/schedule.h"
#include "engine/state/variables.h"
#include "record/json.h"

namespace beeline::engine {
namespace {

using record::ErrorType;

Failure extract_failure(std::string message) {
  return Failure{ErrorType::ExtractValueError, std::move(message), Key{}};
}

std::string with_warnings(std::string message, const std::vector<std::string>& warnings) {
  if (warnings.empty()) return message;
  message += ". The evaluation reported the following warnings:";
  for (const std::string& warning : warnings) message += "\n" + warning;
  return message;
}

Result<feel::Evaluation, Failure> run(const Step& step, const bpmn::Expression& expression,
                                      const feel::VariableSource& variables) {
  feel::Evaluation result =
      feel::evaluate(expression.feel, variables,
                     {feel::Instant{Milliseconds{step.now().millis()}}, &step.feel_budget()});
  if (result.failure) {
    return failure(extract_failure(
        fmt::format("Failed to evaluate expression '{}': {}", expression.text, *result.failure)));
  }
  return result;
}

Failure wrong_type(const bpmn::Expression& expression, const feel::Evaluation& result,
                   std::string_view expected) {
  return extract_failure(with_warnings(
      fmt::format("Expected result of the expression '{}' to be '{}', but was '{}'",
                  expression.text, expected, feel::kind_name(feel::kind_of(*result.value))),
      result.warnings));
}

Result<double, Failure> number_of(const Step& step, const bpmn::Expression& expression, Key scope) {
  if (expression.is_static) {
    if (expression.number) return *expression.number;
    return failure(
        extract_failure(fmt::format("Expected '{}' to be a number, but it is a text; correct the "
                                    "model, deploy it and start a new instance",
                                    expression.text)));
  }
  const ScopeVariables variables{step.state().variables(), scope};
  BEELINE_TRY(const feel::Evaluation result, run(step, expression, variables));
  const auto number = feel::as_double(*result.value);
  if (!number) return failure(wrong_type(expression, result, "number"));
  return *number;
}

}  // namespace

Result<std::string, Failure> evaluate_string(const Step& step, const bpmn::Expression& expression,
                                             Key scope) {
  if (expression.is_static) return expression.text;
  const ScopeVariables variables{step.state().variables(), scope};
  BEELINE_TRY(const feel::Evaluation result, run(step, expression, variables));
  auto text = feel::as_string(*result.value);
  if (!text) return failure(wrong_type(expression, result, "string"));
  return *std::move(text);
}

Result<bool, Failure> evaluate_boolean(const Step& step, const bpmn::Expression& expression,
                                       Key scope) {
  return evaluate_boolean(step, expression, ScopeVariables{step.state().variables(), scope});
}

Result<bool, Failure> evaluate_boolean(const Step& step, const bpmn::Expression& expression,
                                       const feel::VariableSource& variables) {
  BEELINE_TRY(const feel::Evaluation result, run(step, expression, variables));
  const auto value = feel::as_boolean(*result.value);
  if (!value) return failure(wrong_type(expression, result, "boolean"));
  return *value;
}

std::optional<bool> evaluate_condition(const Step& step, const bpmn::Expression& expression,
                                       const feel::VariableSource& variables,
                                       feel::Budget& budget) {
  const feel::Evaluation result = feel::evaluate(
      expression.feel, variables, {feel::Instant{Milliseconds{step.now().millis()}}, &budget});
  return result.failure ? std::nullopt : feel::as_boolean(*result.value);
}

Result<std::int64_t, Failure> evaluate_number(const Step& step, const bpmn::Expression& expression,
                                              Key scope) {
  BEELINE_TRY(const double number, number_of(step, expression, scope));
  constexpr double kLimit = 9.2e18;
  if (number > kLimit || number < -kLimit) {
    return failure(extract_failure(
        fmt::format("Expected result of '{}' to be a number of 64 bits", expression.text)));
  }
  return static_cast<std::int64_t>(number);
}

Result<std::int32_t, Failure> evaluate_integer(const Step& step, const bpmn::Expression& expression,
                                               Key scope) {
  BEELINE_TRY(const double number, number_of(step, expression, scope));
  if (number != std::trunc(number) || number > std::numeric_limits<std::int32_t>::max() ||
      number < std::numeric_limits<std::int32_t>::min()) {
    return failure(extract_failure(
        fmt::format("Expected result of '{}' to be a whole number of 32 bits, but was {}",
                    expression.text, number)));
  }
  return static_cast<std::int32_t>(number);
}

Result<std::string, Failure> evaluate_json(const Step& step, const bpmn::Expression& expression,
                                           const feel::VariableSource& variables) {
  if (expression.is_static) return record::json_string(expression.text);
  BEELINE_TRY(const feel::Evaluation result, run(step, expression, variables));
  return feel::to_json(*result.value);
}

Result<std::vector<std::string>, Failure> evaluate_list(const Step& step,
                                                        const bpmn::Expression& expression,
                                                        Key scope) {
  const ScopeVariables variables{step.state().variables(), scope};
  BEELINE_TRY(const feel::Evaluation result, run(step, expression, variables));
  auto items = feel::list_items_json(*result.value);
  if (!items) return failure(wrong_type(expression, result, "list"));
  return *std::move(items);
}

Result<std::string, Failure> evaluate_correlation_key(const Step& step,
                                                      const bpmn::Expression& expression,
                                                      Key scope) {
  if (expression.is_static) return expression.text;
  const ScopeVariables variables{step.state().variables(), scope};
  BEELINE_TRY(const feel::Evaluation result, run(step, expression, variables));
  if (auto text = feel::as_string(*result.value)) return *std::move(text);
  if (auto digits = feel::as_number_text(*result.value)) return *std::move(digits);
  return failure(wrong_type(expression, result, "string or number"));
}

Result<std::optional<std::string>, Failure> evaluate_optional_string(
    const Step& step, const bpmn::Expression& expression, Key scope) {
  if (expression.is_static) return expression.text;
  const ScopeVariables variables{step.state().variables(), scope};
  BEELINE_TRY(const feel::Evaluation result, run(step, expression, variables));
  if (feel::kind_of(*result.value) == feel::Kind::Null) return std::nullopt;
  std::optional<std::string> text = feel::as_string(*result.value);
  if (!text) return failure(wrong_type(expression, result, "string"));
  if (text->empty()) return std::nullopt;
  return *std::move(text);
}

Result<std::string, Failure> evaluate_string_list(const Step& step,
                                                  const bpmn::Expression& expression, Key scope) {
  BEELINE_TRY(const std::vector<std::string> items, evaluate_list(step, expression, scope));
  std::string json = "[";
  for (const std::string& item : items) {
    if (!item.starts_with('"')) {
      return failure(extract_failure(fmt::format(
          "Expected result of the expression '{}' to be a list of strings, but it contains '{}'",
          expression.text, item)));
    }
    if (json.size() > 1) json += ',';
    json += item;
  }
  return json + ']';
}

Result<std::optional<std::string>, Failure> evaluate_date_time(const Step& step,
                                                               const bpmn::Expression& expression,
                                                               Key scope) {
  if (expression.is_static) return bpmn::short_date_time(expression.text);
  const ScopeVariables variables{step.state().variables(), scope};
  BEELINE_TRY(const feel::Evaluation result, run(step, expression, variables));
  const feel::Kind kind = feel::kind_of(*result.value);
  if (kind == feel::Kind::Null) return std::nullopt;
  if (kind != feel::Kind::String && kind != feel::Kind::DateTime) {
    return failure(wrong_type(expression, result, "date and time"));
  }
  const std::string json = feel::to_json(*result.value);
  std::string text = kind == feel::Kind::String ? *feel::as_string(*result.value)
                                                : json.substr(1, json.size() - 2);
  if (text.empty()) return std::nullopt;
  auto date = bpmn::parse_date(text);
  if (!date && kind == feel::Kind::DateTime) {
    text = bpmn::with_offset(text, step.zone());
    date = bpmn::parse_date(text);
  }
  if (!date) {
    return failure(extract_failure(
        fmt::format("Expected result of the expression '{}' to be a date and time, but {}",
                    expression.text, date.error())));
  }
  return bpmn::short_date_time(text);
}

Result<std::string, Failure> evaluate_text(const Step& step, const bpmn::Expression& expression,
                                           Key scope) {
  if (expression.is_static) return expression.text;
  const ScopeVariables variables{step.state().variables(), scope};
  BEELINE_TRY(const feel::Evaluation result, run(step, expression, variables));
  switch (feel::kind_of(*result.value)) {
    case feel::Kind::String:
      return *feel::as_string(*result.value);
    case feel::Kind::Date:
    case feel::Kind::DateTime:
    case feel::Kind::YearsMonthsDuration:
    case feel::Kind::DaysTimeDuration: {
      // The JSON of these kinds is their FEEL text in quotes, so drop the quotes.
      const std::string json = feel::to_json(*result.value);
      return json.substr(1, json.size() - 2);
    }
    case feel::Kind::Null:
    case feel::Kind::Boolean:
    case feel::Kind::Number:
    case feel::Kind::List:
    case feel::Kind::Context:
    case feel::Kind::Time:
    case feel::Kind::Range:
    case feel::Kind::Function:
      break;
  }
  return failure(wrong_type(expression, result, "string, date or duration"));
}

}  // namespace beeline::engine
