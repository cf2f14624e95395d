#include "engine/state/distributions.h"

#include <algorithm>

namespace beeline::engine {

Distributions::Distributions(state::Database& database)
    : commands_(database), targets_(database), received_(database), floors_(database) {
  state::keep_index(
      commands_, by_answer_date_,
      [](Key key, const DistributionRow& row) -> std::optional<std::pair<Timestamp, Key>> {
        if (row.awaited_by == 0) return std::nullopt;
        return std::pair{row.answer_by, key};
      });
  state::keep_index(targets_, all_targets_, [](const Target& target, const DistributionTargetRow&) {
    return std::optional{target};
  });
  state::keep_index(
      targets_, sent_,
      [](const Target& target, const DistributionTargetRow& row) -> std::optional<Target> {
        if (!row.is_sent) return std::nullopt;
        return target;
      });
  state::keep_index(targets_, by_target_, [](const Target& target, const DistributionTargetRow&) {
    return std::optional{std::pair{target.second, target.first}};
  });
  state::keep_index(targets_, queues_,
                    [](const Target& target, const DistributionTargetRow& row)
                        -> std::optional<std::tuple<std::string, PartitionId, Key>> {
                      if (row.queue.empty()) return std::nullopt;
                      return std::tuple{row.queue, target.second, target.first};
                    });
  state::keep_index(received_, received_order_,
                    [](Key key, const ReceivedDistributionRow&) { return std::optional{key}; });
}

Distributions::~Distributions() = default;

bool Distributions::has_targets(Key key) const {
  const auto it = all_targets_.from({key, PartitionId{}});
  return it != all_targets_.end() && it->first == key;
}

std::optional<Key> Distributions::first_in_queue(std::string_view queue, PartitionId target) const {
  const auto it = queues_.from({std::string{queue}, target, Key{}});
  if (it == queues_.end() || std::get<0>(*it) != queue || std::get<1>(*it) != target) {
    return std::nullopt;
  }
  return std::get<2>(*it);
}

std::optional<Key> Distributions::min_pending(PartitionId target) const {
  const auto it = by_target_.from({target, Key{}});
  if (it == by_target_.end() || it->first != target) return std::nullopt;
  return it->second;
}

std::vector<Key> Distributions::overdue_answers(Timestamp now, std::size_t limit) const {
  std::vector<Key> keys;
  for (const auto& [due, key] : by_answer_date_) {
    if (due > now || keys.size() >= limit) break;
    keys.push_back(key);
  }
  return keys;
}

std::optional<Timestamp> Distributions::next_due() const {
  if (by_answer_date_.empty()) return std::nullopt;
  return by_answer_date_.begin()->first;
}

void Distributions::start(Key key, DistributionRow row) {
  commands_.insert(key, std::move(row));
}

void Distributions::enqueue(Key key, PartitionId target, std::string_view queue) {
  targets_.insert({key, target}, {false, std::string{queue}});
}

void Distributions::mark_sent(Key key, PartitionId target) {
  targets_.update_or_insert({key, target}, [](DistributionTargetRow& row) { row.is_sent = true; });
}

void Distributions::acknowledge(Key key, PartitionId target, std::int64_t result) {
  targets_.erase({key, target});
  if (result != 0) commands_.update(key, [&](DistributionRow& row) { row.result += result; });
}

void Distributions::finish(Key key) {
  commands_.erase(key);
}

void Distributions::forget_answer(Key key) {
  commands_.update(key, [](DistributionRow& row) {
    row.awaited_by = 0;
    row.answer_by = Timestamp{-1};
  });
}

Key Distributions::floor_of(PartitionId origin) const {
  const DistributionFloorRow* row = floors_.find(origin);
  return row != nullptr ? row->key : Key{};
}

bool Distributions::is_received(Key key) const {
  return key < floor_of(partition_of(key)) || received_.contains(key);
}

std::int64_t Distributions::received_result(Key key) const {
  const ReceivedDistributionRow* row = received_.find(key);
  return row != nullptr ? row->result : 0;
}

void Distributions::receive(Key key, MinPendingKey min_pending, std::int64_t result) {
  const PartitionId origin = partition_of(key);
  received_.insert(key, {result});
  const Key floor = std::max(floor_of(origin), Key{min_pending});
  if (floor != floor_of(origin)) floors_.put(origin, {floor});
  while (true) {
    const auto oldest = received_order_.from(make_key(origin, 0));
    if (oldest == received_order_.end() || !(*oldest < floor)) return;
    received_.erase(Key{*oldest});
  }
}

}  // namespace beeline::engine
