#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bpmn/expression.h"
#include "engine/failure.h"
#include "engine/step.h"
#include "feel/feel.h"

// Expressions of the model, evaluated against the variables of a scope, with the type that the
// model asks for. A failure is an EXTRACT_VALUE_ERROR that names the expression and what came out
// of it.
namespace beeline::engine {

[[nodiscard]] Result<std::string, Failure> evaluate_string(const Step& step,
                                                           const bpmn::Expression& expression,
                                                           Key scope);
[[nodiscard]] Result<bool, Failure> evaluate_boolean(const Step& step,
                                                     const bpmn::Expression& expression, Key scope);
// A number; a fraction is cut off.
[[nodiscard]] Result<std::int64_t, Failure> evaluate_number(const Step& step,
                                                            const bpmn::Expression& expression,
                                                            Key scope);
// A whole number that fits 32 bits; 1.0 is one.
[[nodiscard]] Result<std::int32_t, Failure> evaluate_integer(const Step& step,
                                                             const bpmn::Expression& expression,
                                                             Key scope);
// The JSON of whatever comes out.
[[nodiscard]] Result<std::string, Failure> evaluate_json(const Step& step,
                                                         const bpmn::Expression& expression,
                                                         const feel::VariableSource& variables);
// The JSON of each item of a list.
[[nodiscard]] Result<std::vector<std::string>, Failure> evaluate_list(
    const Step& step, const bpmn::Expression& expression, Key scope);
// A string, or the digits of a number: what messages are correlated by.
[[nodiscard]] Result<std::string, Failure> evaluate_correlation_key(
    const Step& step, const bpmn::Expression& expression, Key scope);
// A string; nothing for null and for an empty one.
[[nodiscard]] Result<std::optional<std::string>, Failure> evaluate_optional_string(
    const Step& step, const bpmn::Expression& expression, Key scope);
// A list of strings, as JSON.
[[nodiscard]] Result<std::string, Failure> evaluate_string_list(const Step& step,
                                                                const bpmn::Expression& expression,
                                                                Key scope);
// A date and time with an offset: ISO 8601 text, or a FEEL value, which is taken for local time of
// the engine's zone where it has no offset. Nothing for null and for an empty string.
[[nodiscard]] Result<std::optional<std::string>, Failure> evaluate_date_time(
    const Step& step, const bpmn::Expression& expression, Key scope);
// The text of a string, date, time or duration: what timers are made of.
[[nodiscard]] Result<std::string, Failure> evaluate_text(const Step& step,
                                                         const bpmn::Expression& expression,
                                                         Key scope);

}  // namespace beeline::engine
