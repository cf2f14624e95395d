#include "engine/due_commands.h"

#include <algorithm>

#include "record/values.h"

namespace beeline::engine {
namespace {

// How often `next` wakes the loop while commands rest.
constexpr Milliseconds kLook{100};

template <typename T>
void add(const std::vector<Key>& keys, typename T::Intent intent,
         std::vector<record::CommandHead>& to) {
  for (const Key key : keys) to.push_back(record::make_head<T>(intent, key));
}

std::vector<record::CommandHead> all_due(const EngineState& state, Timestamp now,
                                         std::size_t limit) {
  std::vector<record::CommandHead> due;
  add<record::TimerRecord>(state.timers().due(now, limit), record::TimerIntent::Trigger, due);
  add<record::JobRecord>(state.jobs().timed_out(now, limit), record::JobIntent::TimeOut, due);
  add<record::JobRecord>(state.jobs().backed_off(now, limit), record::JobIntent::RecurAfterBackoff,
                         due);
  add<record::CommandDistributionRecord>(state.distributions().overdue_answers(now, limit),
                                         record::CommandDistributionIntent::TimeOut, due);
  return due;
}

}  // namespace

std::vector<record::CommandHead> DueCommands::take(const EngineState& state, Timestamp now,
                                                   std::size_t limit) {
  std::vector<record::CommandHead> taken;
  absl::btree_map<Key, Timestamp> resting;
  is_more_due_ = false;
  for (const record::CommandHead& due :
       all_due(state, now, limit + offered_.size() + resting_.size())) {
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
  for (const record::CommandHead& due : taken) offered_.insert(due.key);
  resting_ = std::move(resting);
  taken_at_ = now;
  return taken;
}

void DueCommands::put_back(std::span<const record::CommandHead> commands) {
  for (const record::CommandHead& command : commands) offered_.erase(command.key);
  is_more_due_ = true;
}

std::optional<Timestamp> DueCommands::next(const EngineState& state) const {
  std::optional<Timestamp> next;
  for (const auto& due :
       {state.timers().next_due(), state.jobs().next_due(), state.distributions().next_due()}) {
    if (due && (!next || *due < *next)) next = due;
  }
  // Every command that is due before that time was offered and rests.
  if (next && !resting_.empty() && !is_more_due_) next = std::max(*next, taken_at_ + kLook);
  return next;
}

}  // namespace beeline::engine
