#include "feel/fold.h"

#include <algorithm>
#include <array>

#include "feel/builtins.h"
#include "feel/evaluator.h"

namespace beeline::feel {

namespace {

constexpr std::int64_t kStepsMax = 1'000;
constexpr std::int64_t kBytesMax = 64 * 1024;

bool can_fold(const Program& program, const Node& node) {
  const bool constant_children =
      std::all_of(node.children.begin(), node.children.end(), [&](NodeId child) {
        const Node& operand = program.node(child);
        return operand.kind == NodeKind::Constant && operand.names.empty();
      });
  if (!constant_children) return false;
  constexpr std::array<NodeKind, 8> kFoldable = {
      NodeKind::Chain,   NodeKind::Power, NodeKind::Negate, NodeKind::Compare,
      NodeKind::Between, NodeKind::List,  NodeKind::Range,  NodeKind::Comparison};
  return std::find(kFoldable.begin(), kFoldable.end(), node.kind) != kFoldable.end();
}

// Only the calendar's constructors are worth folding, and no variable has such a name.
bool can_fold_call(const Program& program, const Node& node) {
  if (node.kind != NodeKind::Call || !node.labels.empty() || node.children.size() != 1)
    return false;
  const std::string& name = node.names.front();
  if (name != "date" && name != "time" && name != "date and time" && name != "duration") {
    return false;
  }
  const Node& argument = program.node(node.children[0]);
  return argument.kind == NodeKind::Constant && argument.constant.is(Kind::String);
}

}  // namespace

void fold_constants(Program& program) {
  Limits limits;
  limits.steps = kStepsMax;
  limits.live_bytes = kBytesMax;
  EvalState state(limits, Instant{}, nullptr);
  for (NodeId id = 0; id < program.nodes.size(); ++id) {
    Node& node = program.nodes[id];
    if (!can_fold(program, node) && !can_fold_call(program, node)) continue;
    try {
      Value value = Evaluator(program, state).eval(id, nullptr);
      const bool warned = state.warning_count() > 0;
      (void)state.take_warnings();
      if (warned || value.is_null()) continue;
      node.kind = NodeKind::Constant;
      node.constant = std::move(value);
      node.names.clear();
      node.children.clear();
      node.operators.clear();
    } catch (const EvaluationFailure&) {
      return;  // the budget is used up; nodes that are not folded are evaluated every time
    }
  }
}

}  // namespace beeline::feel
