#include "engine/state/jobs.h"

#include <algorithm>
#include <optional>

namespace beeline::engine {
namespace {

bool can_be_handed_out(const JobRow& row) {
  return row.state == JobState::Activatable && !row.is_too_large;
}
bool waits_for_deadline(const JobRow& row) {
  return row.state == JobState::Activated && row.deadline.millis() >= 0;
}
bool waits_for_backoff(const JobRow& row) {
  return row.state == JobState::Failed && row.recurring_time.millis() >= 0;
}

std::vector<Key> due_before(const absl::btree_set<std::pair<Timestamp, Key>>& entries,
                            Timestamp now, std::size_t limit) {
  std::vector<Key> keys;
  for (const auto& [due, key] : entries) {
    if (due > now || keys.size() >= limit) break;
    keys.push_back(key);
  }
  return keys;
}

}  // namespace

Jobs::Jobs(state::Database& database) : rows_(database) {
  rows_.observe([this](const Key& key, const JobRow* before, const JobRow* after) {
    on_change(key, before, after);
  });
}

Jobs::~Jobs() = default;

void Jobs::on_change(Key key, const JobRow* before, const JobRow* after) {
  // The tenant and the type of a job never change.
  const JobRow& row = after != nullptr ? *after : *before;
  const record::JobGroupView name{row.tenant_id, row.type};
  if (last_group_ == nullptr || !record::JobGroupEqual{}(last_group_->first, name)) {
    last_group_ = &*by_group_.try_emplace(name).first;
  }
  Group& group = last_group_->second;
  if (before != nullptr) unindex(key, *before, group);
  if (after != nullptr) index(key, *after, group);
  if (group.counts == Counts{} && empty_group_ != last_group_) keep_empty(*last_group_);
}

void Jobs::keep_empty(ByGroup::value_type& group) {
  if (empty_group_ != nullptr && empty_group_->second.counts == Counts{}) {
    by_group_.erase(by_group_.find(empty_group_->first));
  }
  empty_group_ = &group;
}

void Jobs::index(Key key, const JobRow& row, Group& group) {
  if (can_be_handed_out(row)) group.activatable.insert({row.priority, key});
  if (waits_for_deadline(row)) deadlines_.insert({row.deadline, key});
  if (waits_for_backoff(row)) backoffs_.insert({row.recurring_time, key});
  group.counts.of(row.state) += 1;
}

void Jobs::unindex(Key key, const JobRow& row, Group& group) {
  if (can_be_handed_out(row)) group.activatable.erase({row.priority, key});
  if (waits_for_deadline(row)) deadlines_.erase({row.deadline, key});
  if (waits_for_backoff(row)) backoffs_.erase({row.recurring_time, key});
  group.counts.of(row.state) -= 1;
}

absl::flat_hash_map<std::string, Jobs::Counts> Jobs::counts() const {
  absl::flat_hash_map<std::string, Counts> counts;
  for (const auto& [name, group] : by_group_) {
    if (group.counts != Counts{}) counts[name.type] += group.counts;
  }
  return counts;
}

std::vector<Key> Jobs::timed_out(Timestamp now, std::size_t limit) const {
  return due_before(deadlines_, now, limit);
}

std::vector<Key> Jobs::backed_off(Timestamp now, std::size_t limit) const {
  return due_before(backoffs_, now, limit);
}

std::optional<Timestamp> Jobs::next_due() const {
  std::optional<Timestamp> due;
  if (!deadlines_.empty()) due = deadlines_.begin()->first;
  if (!backoffs_.empty() && (!due || backoffs_.begin()->first < *due)) {
    due = backoffs_.begin()->first;
  }
  return due;
}

void Jobs::insert(Key key, JobRow&& row) {
  rows_.insert(key, std::move(row));
}

void Jobs::erase(Key key) {
  rows_.erase(key);
}

}  // namespace beeline::engine
