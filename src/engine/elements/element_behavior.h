#pragma once

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"

// Each kind of element defines what it does on activate, complete and terminate. Elements are
// composed of behaviors, not derived from one another: a kind is a table of functions, and names
// only those that differ from the defaults:
//
//     const ElementBehavior kCatchEvent = {.activate = activate_catch_event,
//                                          .complete = shared::map_outputs};
namespace beeline::engine {

// The effect of the end of a path on its scope.
enum class PathEnd {
  OneOfMany,  // the scope continues until nothing is left in it
  Decisive,   // the scope has seen enough: everything left in it is terminated
};

// The parts that most elements share; they are the defaults of ElementBehavior.
namespace shared {
Outcome complete_nothing(Step& step, const ElementContext& context);
// For elements that complete within their activation, so COMPLETE_ELEMENT never reaches them.
Outcome never_complete(Step& step, const ElementContext& context);
// Maps outputs and unsubscribes.
Outcome map_outputs(Step& step, const ElementContext& context);
bool terminate_leaf(Step& step, const ElementContext& context);
// For events that compensate.
bool terminate_compensating(Step& step, const ElementContext& context);
Result<PathEnd, Failure> allow_path(Step& step, const ElementContext& scope,
                                    const ElementContext& child);
Outcome allow_child(Step& step, const ElementContext& scope, const ElementContext& child);
void no_path(Step& step, const ElementContext& scope, const ElementContext& child, PathEnd end);
void no_child(Step& step, const ElementContext& scope);
}  // namespace shared

struct ElementBehavior {
  // Runs after ELEMENT_ACTIVATING, and again when an incident on the element is resolved: maps
  // inputs, subscribes, creates the job, and writes ELEMENT_ACTIVATED.
  Outcome (*activate)(Step& step, ElementContext& context);
  // Runs after ELEMENT_COMPLETING, and again when an incident on the element is resolved: maps
  // outputs and unsubscribes. The caller continues with ELEMENT_COMPLETED and the outgoing flows.
  Outcome (*complete)(Step& step, const ElementContext& context) = shared::complete_nothing;
  // Runs after ELEMENT_TERMINATING: releases jobs, subscriptions, incidents, children. Returns true
  // if the element need not wait for any of them.
  bool (*terminate)(Step& step, const ElementContext& context) = shared::terminate_leaf;

  // The following functions are for scopes. This runs before a child that has no outgoing flow is
  // completed, and may fail. Its result is passed to path_completed, because the child's variables
  // no longer exist by then.
  Result<PathEnd, Failure> (*before_path_completed)(
      Step& step, const ElementContext& scope, const ElementContext& child) = shared::allow_path;
  // Runs after such a child is gone.
  void (*path_completed)(Step& step, const ElementContext& scope, const ElementContext& child,
                         PathEnd end) = shared::no_path;
  // Runs after a child was terminated.
  void (*child_terminated)(Step& step, const ElementContext& scope) = shared::no_child;
  // Runs after a child's ELEMENT_ACTIVATING was written, and may fail.
  Outcome (*child_activating)(Step& step, const ElementContext& scope,
                              const ElementContext& child) = shared::allow_child;
  // Ends a completion in the element's own way, instead of ELEMENT_COMPLETED and flows; may fail.
  // Null for most elements.
  Outcome (*finish_completion)(Step& step, const ElementContext& context) = nullptr;
};

// Returns null for an element that this version cannot execute; deployment refuses those.
[[nodiscard]] const ElementBehavior* find_behavior(const bpmn::Element& element);
[[nodiscard]] const ElementBehavior& behavior_of(const bpmn::Element& element);

// Each is defined in the file of its name, except the scopes (scopes.cc) and the error and
// terminate end events (end_events.cc).
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
extern const ElementBehavior kEscalationEvent;    // throw and end events
extern const ElementBehavior kCompensationEvent;  // throw and end events
extern const ElementBehavior kTerminateEndEvent;
extern const ElementBehavior kCancelEndEvent;
extern const ElementBehavior kScriptTask;
extern const ElementBehavior kSignalThrowEvent;    // intermediate throw events and end events
extern const ElementBehavior kMultipleThrowEvent;  // throw and end events
extern const ElementBehavior kBusinessRuleTask;    // those that call a decision
extern const ElementBehavior kEventBasedGateway;
extern const ElementBehavior kInclusiveGateway;
extern const ElementBehavior kComplexGateway;
extern const ElementBehavior kLinkEvent;
extern const ElementBehavior kCallActivity;
extern const ElementBehavior kMultiInstanceBody;
extern const ElementBehavior kStandardLoopBody;

}  // namespace beeline::engine
