#include "engine/behaviors/mappings.h"
#include "engine/behaviors/runtime_instructions.h"
#include "engine/behaviors/transitions.h"
#include "engine/elements/element_behavior.h"

// Link events. A throw event continues at the catch event of the same name, without a flow (spec:
// elements/events 7).
namespace beeline::engine {
namespace {

Outcome activate_link(Step& step, ElementContext& context) {
  write_activated(step, context);
  go_on_to_complete(step, context);
  return {};
}

Outcome complete_link(Step& step, const ElementContext& context) {
  return apply_outputs(step, context);
}

Outcome finish_link(Step& step, const ElementContext& context) {
  const bpmn::Link& link = *context.element->parts().link;
  const ElementContext scope = scope_context(step, context);
  write_completed(step, context);
  if (ends_instance(step, context)) return {};
  if (link.catch_event.is_set()) {
    go_on_to_activate(step, scope, context.element_at(link.catch_event), Key{});
  } else if (context.element->outgoing.empty()) {
    behavior_of(*scope.element).path_completed(step, scope, context, PathEnd::OneOfMany);
  } else {
    take_all_flows(step, context);
  }
  return {};
}

}  // namespace

const ElementBehavior kLinkEvent = {
    .activate = activate_link, .complete = complete_link, .finish_completion = finish_link};

}  // namespace beeline::engine
