#pragma once

#include <optional>

#include "feel/program.h"

// Conditions as gateways have them: variables, or members of variables, compared with constants and
// joined by and/or. They are decided on the JSON text itself, without making values.
namespace beeline::feel {

// Whether the program is such a condition.
[[nodiscard]] bool is_plain_condition(const Program& program);

// What a plain condition gives; nothing when the evaluator has to tell, because a variable is
// missing or of another kind than what it is compared with. `steps` grows by what it cost.
[[nodiscard]] std::optional<bool> decide(const Program& condition, const VariableSource& variables,
                                         std::int64_t& steps);

}  // namespace beeline::feel
