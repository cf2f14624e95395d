#pragma once

#include <optional>
#include <string_view>

#include "engine/behaviors/element_context.h"

// Gateways that wait for tokens (spec: lifecycle 5).
namespace beeline::engine {

// Returns why the join must wait, or nothing if it has all the tokens that can still arrive.
[[nodiscard]] std::optional<std::string_view> why_join_waits(const Step& step, Key scope_key,
                                                             const bpmn::Process& model,
                                                             const bpmn::Element& gateway);

}  // namespace beeline::engine
