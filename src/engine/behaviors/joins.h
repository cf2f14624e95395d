#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"

// Gateways that wait for tokens (spec: lifecycle 5).
namespace beeline::engine {

// Returns why the join must wait, or nothing if its tokens activate it. Fails if the activation
// condition of a complex gateway does.
[[nodiscard]] Result<std::optional<std::string_view>, Failure> why_join_waits(
    const Step& step, const ElementContext& gateway);

// Returns true if the flow, which leads to a join, has a token that waits there.
[[nodiscard]] bool has_token(const ElementInstanceRow& scope, bpmn::ElementIndex flow);

// Returns true if a token elsewhere in the scope can still reach the gateway by one of its incoming
// flows other than `settled`.
[[nodiscard]] bool can_be_reached(const Step& step, Key scope_key, const bpmn::Process& model,
                                  const bpmn::Element& gateway,
                                  const std::vector<bpmn::ElementIndex>& settled);

}  // namespace beeline::engine
