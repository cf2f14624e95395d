#pragma once

#include <memory>
#include <string>
#include <vector>

#include "feel/feel.h"

// Expressions that do as much as they can of one thing, for the budget of a command: how much of it
// they get to do is measured by feel_budget_bench, and roughly by limits_test.
namespace beeline::feel::testing {

[[nodiscard]] const std::vector<std::string>& worst_cases();
// The variables that they read, named after their sizes when `largest` is 4 MB; else all are
// smaller in proportion.
[[nodiscard]] std::unique_ptr<feel::VariableSource> make_worst_case_variables(std::size_t largest);

}  // namespace beeline::feel::testing
