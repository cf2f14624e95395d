#include "engine/behaviors/conditions.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/check.h"
#include "engine/behaviors/element_context.h"
#include "engine/behaviors/expressions.h"
#include "engine/behaviors/triggers.h"

namespace beeline::engine {
namespace {

using record::ConditionalSubscriptionIntent;
using record::ConditionalSubscriptionRecord;

// A scope has a lower key than the scopes within it, so this order has outer scopes first.
struct Candidate {
  Key scope;
  Key subscription;
  auto operator<=>(const Candidate&) const = default;
};

// True if a scope is wanted, from `scope` outwards within the process instance.
template <typename IsWanted>
bool any_scope_around(const Step& step, Key scope, const IsWanted& is_wanted) {
  while (scope.is_set()) {
    if (is_wanted(scope)) return true;
    scope = row_of(step, scope).flow_scope_key;
  }
  return false;
}

bool wants_event(const ConditionalSubscriptionRecord& subscription, const VariableChange& change) {
  const std::vector<std::string>& events = subscription.variable_events;
  return events.empty() ||
         std::ranges::find(events, change.is_new ? "create" : "update") != events.end();
}

// Searches for the subscriptions that the change of a variable concerns: those in the scope of the
// variable and in the scopes within it.
class Search {
 public:
  Search(const Step& step, const ConditionReaders& readers) : step_(step), readers_(readers) {}

  [[nodiscard]] std::vector<Candidate> candidates(std::span<const VariableChange> changes) {
    for (const VariableChange& change : changes) {
      if (const ConditionReaders::Set* set = readers_.of(change.name)) {
        if (change.scope != scope_) enter(change.scope);
        if (is_small_) {
          add_of_scopes(change, *set);
        } else {
          add_within(change, *set);
        }
      }
      add_within(change, readers_.of_any());
    }
    return std::move(candidates_);
  }

 private:
  // An instance may have thousands of siblings with conditions on a variable that each of them has.
  // So if there are few scopes within the changed one, they are asked one by one; otherwise all
  // readers of the variable are asked whether they are within it.
  static constexpr std::size_t kScopesMax = 8;

  void enter(Key scope) {
    scope_ = scope;
    scopes_ = {scope};
    for (std::size_t n = 0; n < scopes_.size() && scopes_.size() <= kScopesMax; ++n) {
      step_.state().element_instances().for_each_child(scopes_[n], ChildKey{},
                                                       [&](Key child, const ElementInstanceRow&) {
                                                         scopes_.push_back(child);
                                                         return scopes_.size() <= kScopesMax;
                                                       });
    }
    is_small_ = scopes_.size() <= kScopesMax;
  }

  void add_of_scopes(const VariableChange& change, const ConditionReaders::Set& readers) {
    for (const Key scope : scopes_) {
      for (auto it = readers.lower_bound({scope, Key{}}); it != readers.end(); ++it) {
        if (it->first != scope) break;
        add(change, {it->first, it->second});
      }
    }
  }

  void add_within(const VariableChange& change, const ConditionReaders::Set& readers) {
    // The scopes within one have higher keys.
    for (auto it = readers.lower_bound({change.scope, Key{}}); it != readers.end(); ++it) {
      const bool is_within =
          any_scope_around(step_, it->first, [&](Key around) { return around == change.scope; });
      if (is_within) add(change, {it->first, it->second});
    }
  }

  void add(const VariableChange& change, Candidate candidate) {
    const auto& row = step_.state().conditional_subscriptions().get(candidate.subscription);
    if (wants_event(row.record, change)) candidates_.push_back(candidate);
  }

  const Step& step_;
  const ConditionReaders& readers_;
  Key scope_;                // the scope that was entered last
  std::vector<Key> scopes_;  // it and the scopes within it, if `is_small_`
  bool is_small_ = false;
  std::vector<Candidate> candidates_;
};

// Decides conditions one after the other within one command.
class Decider {
 public:
  enum class From : std::uint8_t {
    Change,   // of a variable
    Opening,  // of the subscription: its host is not active yet
    Command   // that has nothing else to do
  };

  Decider(Step& step, From from) : step_(step), from_(from) {}

  // Triggers the events whose conditions hold. Those for which there is no time left are left to a
  // command of their own.
  void decide(std::span<const Key> candidates) {
    for (std::size_t n = 0; n < candidates.size(); ++n) {
      if (!try_to_decide(candidates[n])) return leave(candidates.subspan(n));
      has_begun_ = true;
    }
  }

 private:
  // Returns false if the condition has to wait for another command.
  bool try_to_decide(Key key) {
    if (has_begun_ && step_.bytes_left() == 0) return false;
    const ConditionalSubscriptionRow* row = step_.state().conditional_subscriptions().find(key);
    if (row == nullptr) return true;  // closed since the variable changed
    const ConditionalSubscriptionRecord& subscription = row->record;
    if (is_interrupted(subscription.scope_key)) return true;
    const ElementContext host = context_of(step_, subscription.element_instance_key);
    const bpmn::Element& event =
        catch_event_of(host, subscription.element_id, subscription.event_definition_id);
    if (from_ != From::Opening && !can_trigger(step_, host, event)) return true;
    const std::optional<bool> holds = evaluate(event, subscription.scope_key);
    if (!holds) return false;
    if (!*holds) return true;
    step_.command(ConditionalSubscriptionIntent::Trigger, key, subscription);
    if (subscription.interrupting) interrupted_.insert(subscription.scope_key);
    return true;
  }

  [[nodiscard]] bool is_interrupted(Key scope) const {
    return !interrupted_.empty() && any_scope_around(step_, scope, [&](Key around) {
      return interrupted_.contains(around);
    });
  }

  // Returns nothing if the conditions have used their share of the command's budget.
  std::optional<bool> evaluate(const bpmn::Element& event, Key scope) {
    // The first condition of a command that has nothing else to do may use all of the budget.
    const bool may_use_all = from_ == From::Command && !has_begun_;
    const std::int64_t share = may_use_all ? step_.feel_budget().left() : step_.condition_steps();
    if (share <= 0) return std::nullopt;
    feel::Budget budget{share};
    const std::optional<bool> holds =
        evaluate_condition(step_, event.parts().conditional->condition,
                           ScopeVariables{step_.state().variables(), scope}, budget);
    step_.feel_budget().spend(std::min(budget.used(), share));
    if (!may_use_all) step_.spend_condition_steps(budget.used());
    if (budget.is_used_up() && !may_use_all) return std::nullopt;
    return holds.value_or(false);
  }

  // Appends the command that goes on with the conditions that are left.
  void leave(std::span<const Key> candidates) {
    ConditionalSubscriptionRecord value;
    for (const Key key : candidates) {
      const ConditionalSubscriptionRow* row = step_.state().conditional_subscriptions().find(key);
      if (row == nullptr || is_interrupted(row->record.scope_key)) continue;
      if (value.candidates.empty()) {
        value.element_id = row->record.element_id;
        value.process_instance_key = row->record.process_instance_key;
        value.tenant_id = row->record.tenant_id;
      }
      value.candidates.push_back(key);
    }
    if (value.candidates.empty()) return;
    step_.command(ConditionalSubscriptionIntent::Evaluate, value.candidates.front(), value);
  }

  Step& step_;
  From from_;
  bool has_begun_ = false;
  absl::flat_hash_set<Key> interrupted_;  // the scopes that an event of this command interrupts
};

}  // namespace

void try_conditions(Step& step, Key process_instance, std::span<const VariableChange> changes) {
  const ConditionReaders* readers =
      step.state().conditional_subscriptions().readers_in(process_instance);
  if (readers == nullptr) return;
  std::vector<Candidate> candidates = Search{step, *readers}.candidates(changes);
  if (candidates.empty()) return;
  std::ranges::sort(candidates);
  const auto repeated = std::ranges::unique(candidates);
  candidates.erase(repeated.begin(), repeated.end());
  std::vector<Key> keys;
  keys.reserve(candidates.size());
  for (const Candidate& each : candidates) keys.push_back(each.subscription);
  Decider{step, Decider::From::Change}.decide(keys);
}

void try_condition(Step& step, Key subscription) {
  Decider{step, Decider::From::Opening}.decide({&subscription, 1});
}

void continue_conditions(Step& step, const std::vector<Key>& candidates) {
  Decider{step, Decider::From::Command}.decide(candidates);
}

}  // namespace beeline::engine
