#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"

// The joins of complex gateways, which go on in rounds (spec: elements/gateways 5). When the tokens
// that wait fulfil the activation condition, the gateway fires: it takes one token of each flow
// that has one. From then on it is spent, until each of its flows has delivered a token in this
// round, or the missing tokens cannot come any more. ELEMENT_ACTIVATED is the event of firing, and
// not ELEMENT_ACTIVATING as for other gateways: a gateway whose condition fails keeps its tokens.
namespace beeline::engine {

// Returns why the join must wait, or nothing if its tokens, which are on the flows `taken`,
// activate it. Fails if the activation condition does.
[[nodiscard]] Result<std::optional<std::string_view>, Failure> why_complex_join_waits(
    const Step& step, const ElementContext& gateway, const std::vector<bpmn::ElementIndex>& taken);

// Called when a token has arrived at an element. If it is a spent gateway, removes the tokens that
// belong to its current round, and begins the next round if the current one is over. Returns false
// if neither was necessary, so the token may activate the element.
[[nodiscard]] bool settle_arrival(Step& step, const ElementContext& gateway);

// Called when the gateway has fired, before it takes its outgoing flows: the tokens that it is
// about to emit belong to its next round. Begins the next round if the current one is over.
void settle_firing(Step& step, const ElementContext& gateway);

// Called when a path has ended in the scope: begins the next round of each spent gateway whose
// missing tokens cannot come any more.
void settle_rounds(Step& step, const ElementContext& scope);

}  // namespace beeline::engine
