#pragma once

#include <optional>

#include "feel/program.h"

// Conditions as gateways use them: variables, or members of variables, compared with constants and
// joined by and/or. They are decided on the JSON text itself, without making values.
namespace beeline::feel {

// True if the program is such a condition.
[[nodiscard]] bool is_plain_condition(const Program& program);

// Returns the result of a plain condition, or nothing if the evaluator has to decide, because a
// variable is missing or has another kind than the constant it is compared with. Adds the cost to
// `steps`.
[[nodiscard]] std::optional<bool> decide(const Program& condition, const VariableSource& variables,
                                         std::int64_t& steps);

}  // namespace beeline::feel
