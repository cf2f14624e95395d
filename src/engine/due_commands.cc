#include "engine/due_commands.h"

#include <algorithm>

namespace beeline::engine {
namespace {

// While something rests, how often the rest is looked at.
constexpr Milliseconds kLook{100};

template <typename Intent>
void add(const std::vector<Key>& keys, record::ValueType type, Intent intent,
         std::vector<DueCommand>& to) {
  for (const Key key : keys) to.push_back({type, static_cast<record::IntentNumber>(intent), key});
}

std::vector<DueCommand> all_due(const EngineState& state, Timestamp now, std::size_t limit) {
  using record::ValueType;
  std::vector<DueCommand> due;
  add(state.timers().due(now, limit), ValueType::Timer, record::TimerIntent::Trigger, due);
  add(state.jobs().timed_out(now, limit), ValueType::Job, record::JobIntent::TimeOut, due);
  add(state.jobs().backed_off(now, limit), ValueType::Job, record::JobIntent::RecurAfterBackoff,
      due);
  add(state.distributions().overdue_answers(now, limit), ValueType::CommandDistribution,
      record::CommandDistributionIntent::TimeOut, due);
  return due;
}

}  // namespace

std::vector<DueCommand> DueCommands::take(const EngineState& state, Timestamp now,
                                          std::size_t limit) {
  std::vector<DueCommand> taken;
  absl::btree_map<Key, Timestamp> resting;
  is_more_due_ = false;
  for (const DueCommand& due : all_due(state, now, limit + offered_.size() + resting_.size())) {
    const auto rest = resting_.find(due.key);
    if (rest != resting_.end() && rest->second > now) {
      resting.emplace(due.key, rest->second);
    } else if (rest == resting_.end() && offered_.contains(due.key)) {
      resting.emplace(due.key, now + kRest);
    } else if (taken.size() < limit) {
      taken.push_back(due);
    } else {
      is_more_due_ = true;
    }
  }
  offered_.clear();
  for (const DueCommand& due : taken) offered_.insert(due.key);
  resting_ = std::move(resting);
  taken_at_ = now;
  return taken;
}

std::optional<Timestamp> DueCommands::next(const EngineState& state) const {
  std::optional<Timestamp> next;
  for (const auto& due :
       {state.timers().next_due(), state.jobs().next_due(), state.distributions().next_due()}) {
    if (due && (!next || *due < *next)) next = due;
  }
  // What is due before that was offered and rests.
  if (next && !resting_.empty() && !is_more_due_) next = std::max(*next, taken_at_ + kLook);
  return next;
}

}  // namespace beeline::engine
