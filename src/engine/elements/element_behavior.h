#pragma once

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"

// What each kind of element does on activate, complete and terminate. Elements are composed of
// behaviors, not derived from one another: each kind is a table of functions, so that `elements/`
// reads like the chapters of docs/spec/elements.
namespace beeline::engine {

// What the end of a path means to its scope.
enum class PathEnd {
  OneOfMany,  // the scope goes on until nothing is left in it
  Decisive,   // the scope has seen enough: what is left in it is terminated
};

struct ElementBehavior {
  // After ELEMENT_ACTIVATING, and again when an incident on it is resolved: maps inputs,
  // subscribes, creates the job, and writes ELEMENT_ACTIVATED.
  Outcome (*activate)(Step& step, ElementContext& context);
  // After ELEMENT_COMPLETING, and again when an incident on it is resolved: maps outputs and
  // unsubscribes. The caller goes on to ELEMENT_COMPLETED and the outgoing flows.
  Outcome (*complete)(Step& step, const ElementContext& context);
  // After ELEMENT_TERMINATING: lets go of jobs, subscriptions, incidents, children. True when
  // nothing has to be waited for.
  bool (*terminate)(Step& step, const ElementContext& context);

  // Of scopes. Before a child that has no outgoing flow is completed; may fail. What it gives is
  // told to path_completed: it sees the child's variables, which are gone then.
  Result<PathEnd, Failure> (*before_path_completed)(Step& step, const ElementContext& scope,
                                                    const ElementContext& child);
  // After such a child is gone.
  void (*path_completed)(Step& step, const ElementContext& scope, const ElementContext& child,
                         PathEnd end);
  // After a child was terminated.
  void (*child_terminated)(Step& step, const ElementContext& scope);
  // After a child's ELEMENT_ACTIVATING was written; may fail.
  Outcome (*child_activating)(Step& step, const ElementContext& scope, const ElementContext& child);
  // Ends a completion in its own way, instead of ELEMENT_COMPLETED and flows; may fail. Null for
  // most.
  Outcome (*finish_completion)(Step& step, const ElementContext& context);
};

// Null for an element that this version cannot execute; deployment refuses those.
[[nodiscard]] const ElementBehavior* find_behavior(const bpmn::Element& element);
[[nodiscard]] const ElementBehavior& behavior_of(const bpmn::Element& element);

// The parts that most elements share.
namespace shared {
Outcome complete_nothing(Step& step, const ElementContext& context);
Outcome map_outputs(Step& step, const ElementContext& context);
bool terminate_leaf(Step& step, const ElementContext& context);
Result<PathEnd, Failure> allow_path(Step& step, const ElementContext& scope,
                                    const ElementContext& child);
Outcome allow_child(Step& step, const ElementContext& scope, const ElementContext& child);
void no_path(Step& step, const ElementContext& scope, const ElementContext& child, PathEnd end);
void no_child(Step& step, const ElementContext& scope);
}  // namespace shared

// One per file in this folder.
extern const ElementBehavior kProcess;
extern const ElementBehavior kSubProcess;
extern const ElementBehavior kEventSubProcess;
extern const ElementBehavior kPassThrough;  // manual and undefined tasks
extern const ElementBehavior kNoneEvent;    // none start, throw and end events, boundary events
extern const ElementBehavior kJobTask;      // service tasks and their kin
extern const ElementBehavior kExclusiveGateway;
extern const ElementBehavior kParallelGateway;
extern const ElementBehavior kCatchEvent;  // intermediate catch events and receive tasks
extern const ElementBehavior kErrorEndEvent;
extern const ElementBehavior kTerminateEndEvent;
extern const ElementBehavior kScriptTask;
extern const ElementBehavior kBusinessRuleTask;  // those that call a decision
extern const ElementBehavior kEventBasedGateway;
extern const ElementBehavior kInclusiveGateway;
extern const ElementBehavior kLinkEvent;
extern const ElementBehavior kCallActivity;
extern const ElementBehavior kMultiInstanceBody;

}  // namespace beeline::engine
