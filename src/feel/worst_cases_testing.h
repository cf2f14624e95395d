#pragma once

#include <memory>
#include <string>
#include <vector>

#include "feel/feel.h"

// Expressions that do as much as they can of one kind of work, to test the budget of a command.
// feel_budget_bench measures the time that they take until the budget ends them, limits_test does
// so roughly.
namespace beeline::feel::testing {

[[nodiscard]] const std::vector<std::string>& worst_cases();
// The variables that they read. They are named after their sizes when `largest` is 4 MB; otherwise
// all are smaller in proportion.
[[nodiscard]] std::unique_ptr<feel::VariableSource> make_worst_case_variables(std::size_t largest);

}  // namespace beeline::feel::testing
