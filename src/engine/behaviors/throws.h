#pragma once

#include <string>

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"

// The work of events that throw a signal or an escalation (spec: signals 3, elements/escalation).
namespace beeline::engine {

// Broadcasts a signal with the mapped inputs of the throw event. The command is written behind the
// activations of the other branches of a parallel split: a branch that begins with a catch event
// receives the signal of another.
void throw_signal(Step& step, const ElementContext& context, std::string name);

// Evaluates the code of an escalation event, or of one of the definitions of a multiple event.
[[nodiscard]] Result<std::string, Failure> evaluate_escalation_code(const Step& step,
                                                                    const bpmn::Element& event,
                                                                    Key scope);
// Throws an escalation. Returns false if an event that interrupts caught it: the throw event is
// terminated together with its scope. Otherwise it goes on, caught or not.
[[nodiscard]] bool throw_escalation(Step& step, const ElementContext& context,
                                    const std::string& code);

}  // namespace beeline::engine
