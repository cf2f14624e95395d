#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bpmn/expression.h"
#include "engine/failure.h"
#include "engine/step.h"
#include "feel/feel.h"

// Evaluates expressions of the model with the variables of a scope, with the type that the model
// requires. A failure is an EXTRACT_VALUE_ERROR that contains the expression and its result.
namespace beeline::engine {

// Variables that do not exist in any scope and hide those of the same names. Their values are JSON.
class VariablesOver final : public feel::VariableSource {
 public:
  using Variables = std::vector<std::pair<std::string_view, std::string>>;
  // `below` must outlive this object.
  VariablesOver(const feel::VariableSource& below, Variables variables)
      : below_(below), variables_(std::move(variables)) {}

  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const override {
    for (const auto& [each, value] : variables_) {
      if (each == name) return value;
    }
    return below_.find(name);
  }

 private:
  const feel::VariableSource& below_;
  Variables variables_;
};

[[nodiscard]] Result<std::string, Failure> evaluate_string(const Step& step,
                                                           const bpmn::Expression& expression,
                                                           Key scope);
[[nodiscard]] Result<bool, Failure> evaluate_boolean(const Step& step,
                                                     const bpmn::Expression& expression, Key scope);
// Evaluates to a boolean with these variables and within this budget. Returns nothing if there is
// no such result: a condition that cannot be evaluated is not an incident.
[[nodiscard]] std::optional<bool> evaluate_condition(const Step& step,
                                                     const bpmn::Expression& expression,
                                                     const feel::VariableSource& variables,
                                                     feel::Budget& budget);
[[nodiscard]] Result<bool, Failure> evaluate_boolean(const Step& step,
                                                     const bpmn::Expression& expression,
                                                     const feel::VariableSource& variables);
// Evaluates to a number; a fraction is cut off.
[[nodiscard]] Result<std::int64_t, Failure> evaluate_number(const Step& step,
                                                            const bpmn::Expression& expression,
                                                            Key scope);
// Evaluates to a whole number that fits 32 bits; 1.0 is accepted.
[[nodiscard]] Result<std::int32_t, Failure> evaluate_integer(const Step& step,
                                                             const bpmn::Expression& expression,
                                                             Key scope);
// Evaluates to the JSON of any result.
[[nodiscard]] Result<std::string, Failure> evaluate_json(const Step& step,
                                                         const bpmn::Expression& expression,
                                                         const feel::VariableSource& variables);
// Evaluates to the JSON of each item of a list.
[[nodiscard]] Result<std::vector<std::string>, Failure> evaluate_list(
    const Step& step, const bpmn::Expression& expression, Key scope);
// Evaluates to a string, or the digits of a number: the correlation key of messages.
[[nodiscard]] Result<std::string, Failure> evaluate_correlation_key(
    const Step& step, const bpmn::Expression& expression, Key scope);
// Evaluates to a string; nothing for null and for an empty one.
[[nodiscard]] Result<std::optional<std::string>, Failure> evaluate_optional_string(
    const Step& step, const bpmn::Expression& expression, Key scope);
// Evaluates to a list of strings, as JSON.
[[nodiscard]] Result<std::string, Failure> evaluate_string_list(const Step& step,
                                                                const bpmn::Expression& expression,
                                                                Key scope);
// Evaluates to a date and time with an offset: ISO 8601 text, or a FEEL value, which is local time
// of the engine's zone if it has no offset. Returns nothing for null and for an empty string.
[[nodiscard]] Result<std::optional<std::string>, Failure> evaluate_date_time(
    const Step& step, const bpmn::Expression& expression, Key scope);
// Evaluates to the text of a string, date, time or duration, for timers.
[[nodiscard]] Result<std::string, Failure> evaluate_text(const Step& step,
                                                         const bpmn::Expression& expression,
                                                         Key scope);

}  // namespace beeline::engine
