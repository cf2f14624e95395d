#pragma once

#include <vector>

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"

// How inclusive and complex gateways take every flow whose condition holds (spec: elements/gateways
// 2).
namespace beeline::engine {

// Returns the flows to take; none if the gateway has no outgoing flows. Fails if no condition holds
// and there is no default flow.
[[nodiscard]] Result<std::vector<const bpmn::Element*>, Failure> choose_flows(
    const Step& step, const ElementContext& gateway);

// Completes the gateway and takes these flows.
void complete_with_flows(Step& step, const ElementContext& gateway,
                         const std::vector<const bpmn::Element*>& flows);

}  // namespace beeline::engine
