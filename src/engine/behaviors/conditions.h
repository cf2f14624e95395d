#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/step.h"

// Decides whether the conditions of conditional events hold (spec: conditions 2). A condition that
// cannot be evaluated, or gives anything but true, does not hold; it is never an incident.
//
// The conditions that one command decides share an eighth of the command's budget for expressions,
// so they leave time for its mappings. Further conditions are decided by follow-up commands,
// CONDITIONAL_SUBSCRIPTION EVALUATE, whose first condition may use the whole budget of a command:
// no condition is passed over because others are expensive.
namespace beeline::engine {

// A variable that was written. The name is borrowed.
struct VariableChange {
  Key scope;
  std::string_view name;
  bool is_new = false;
};

// Triggers the events of a process instance whose conditions read one of the changed variables and
// hold now. Outer scopes come first, and nothing within a scope that an event interrupts is
// triggered.
void try_conditions(Step& step, Key process_instance, std::span<const VariableChange> changes);
// Triggers an event whose subscription was just opened, if its condition holds.
void try_condition(Step& step, Key subscription);
// Goes on with the conditions that an earlier command had no time for.
void continue_conditions(Step& step, const std::vector<Key>& candidates);

}  // namespace beeline::engine
