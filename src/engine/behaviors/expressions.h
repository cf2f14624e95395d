#pragma once

#include <cstdint>
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
// The text of a string, date, time or duration: what timers are made of.
[[nodiscard]] Result<std::string, Failure> evaluate_text(const Step& step,
                                                         const bpmn::Expression& expression,
                                                         Key scope);

}  // namespace beeline::engine
