#include "engine/behaviors/start_subscriptions.h"

#include <optional>
#include <vector>

namespace beeline::engine {
namespace {

Result<std::vector<PlannedCatch>, Failure> plan_starts(const Step& step, const CatchKind& kind,
                                                       const bpmn::Process& model,
                                                       Takeover takeover) {
  std::vector<PlannedCatch> planned;
  for (const bpmn::ElementIndex index : model.root().start_events) {
    for (const bpmn::Element& event : model.element(index).definitions()) {
      if (!kind.is_kind_of(event)) continue;
      BEELINE_TRY(std::optional<CatchPlan> plan, kind.plan_start(step, event, takeover));
      if (plan) planned.push_back({&kind, &event, *std::move(plan)});
    }
  }
  return planned;
}

}  // namespace

Outcome replace_starts(Step& step, StartsOn where, const Definition* closed,
                       const Definition* opened, Takeover takeover) {
  for (const CatchKind& kind : catch_kinds()) {
    if (kind.starts_on != where) continue;
    std::vector<PlannedCatch> planned;
    if (opened != nullptr) {
      BEELINE_TRY(planned, plan_starts(step, kind, *opened->model, takeover));
    }
    if (closed != nullptr) {
      for (const Key key : kind.starts_of(step.state(), closed->key)) kind.close_start(step, key);
    }
    for (const PlannedCatch& each : planned) kind.open_start(step, *opened, each);
  }
  return {};
}

}  // namespace beeline::engine
