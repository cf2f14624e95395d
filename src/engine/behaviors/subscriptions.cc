#include "engine/behaviors/subscriptions.h"

#include <ranges>
#include <vector>

#include "engine/behaviors/catch_kinds.h"

namespace beeline::engine {
namespace {

// Closes each subscription of the host for which `is_wanted(kind, key)` returns true.
template <typename IsWanted>
void close_if(Step& step, const ElementContext& host, const IsWanted& is_wanted) {
  for (const CatchKind& kind : catch_kinds() | std::views::reverse) {
    for (const Key key : kind.opened_by(step.state(), host.key)) {
      if (is_wanted(kind, key)) kind.close(step, key);
    }
  }
}

}  // namespace

Outcome subscribe(Step& step, const ElementContext& host) {
  if (host.element->events.empty()) return {};
  std::vector<PlannedCatch> planned;
  for (const CatchKind& kind : catch_kinds()) {
    for (const bpmn::ElementIndex index : host.element->events) {
      for (const bpmn::Element& event : host.element_at(index).definitions()) {
        if (!kind.is_kind_of(event)) continue;
        BEELINE_TRY(CatchPlan plan, kind.plan(step, host, event, planned));
        planned.push_back({&kind, &event, std::move(plan)});
      }
    }
  }
  for (const PlannedCatch& each : planned) each.kind->open(step, host, each);
  return {};
}

void unsubscribe(Step& step, const ElementContext& host) {
  if (host.element->events.empty()) return;
  close_if(step, host, [](const CatchKind&, Key) { return true; });
}

void close_subscription_of(Step& step, const ElementContext& host, const bpmn::Element& event) {
  close_if(step, host, [&](const CatchKind& kind, Key key) {
    return kind.event_id(step.state(), key) == event.id &&
           kind.definition_id(step.state(), key) == event.parts().definition_id;
  });
}

void close_event_subprocess_subscriptions(Step& step, const ElementContext& host) {
  close_if(step, host, [&](const CatchKind& kind, Key key) {
    const bpmn::Element* event = host.model().find(kind.event_id(step.state(), key));
    return event != nullptr && host.model().starts_event_subprocess(*event);
  });
}

}  // namespace beeline::engine
