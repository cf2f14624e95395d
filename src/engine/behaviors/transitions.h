#pragma once

#include "engine/behaviors/element_context.h"

// The transitions of an element instance: each function writes one event, after checking that the
// transition is legal, or a command that leads to one.
namespace beeline::engine {

// Gives the context a key if it has none.
void write_activating(Step& step, ElementContext& context);
void write_activated(Step& step, const ElementContext& context);
void write_completing(Step& step, const ElementContext& context);
void write_completed(Step& step, const ElementContext& context);
void write_terminating(Step& step, const ElementContext& context);
void write_terminated(Step& step, const ElementContext& context);

// These write commands to the engine itself.
void go_on_to_complete(Step& step, const ElementContext& context);
void go_on_to_terminate(Step& step, const ElementContext& context);
// Writes a command to activate an element within `scope`; if `key` is unset, it gets one when it is
// activated.
void go_on_to_activate(Step& step, const ElementContext& scope, const bpmn::Element& element,
                       Key key);
// Begins to terminate the children of a scope, one command after the other (spec: lifecycle 8).
// Returns false if the scope has no children.
bool terminate_children(Step& step, const ElementContext& scope);

// Takes one flow out of `context`'s element, whose instance may be gone already.
void take_flow(Step& step, const ElementContext& context, const bpmn::Element& flow);
void take_all_flows(Step& step, const ElementContext& context);

}  // namespace beeline::engine
