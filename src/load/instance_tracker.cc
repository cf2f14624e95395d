#include "load/instance_tracker.h"

namespace beeline::load {

std::optional<InstanceTracker::Finished> InstanceTracker::created(std::int64_t key, Instant start,
                                                                  Instant now) {
  if (jobs_ == 0) return Finished{start, now};
  Shard& shard = shard_of(key);
  const MutexLock lock{shard.mutex};
  Entry& entry = shard.entries[key];
  entry.start = start;
  entry.last_event = now;
  return take_if_finished(shard, key, entry);
}

std::optional<InstanceTracker::Finished> InstanceTracker::job_completed(std::int64_t key,
                                                                        Instant now) {
  Shard& shard = shard_of(key);
  const MutexLock lock{shard.mutex};
  Entry& entry = shard.entries[key];
  ++entry.jobs_completed;
  entry.last_event = now;
  return take_if_finished(shard, key, entry);
}

std::optional<InstanceTracker::Finished> InstanceTracker::take_if_finished(
    Shard& shard, std::int64_t key, const Entry& entry) const {
  if (!entry.start || entry.jobs_completed < jobs_) return std::nullopt;
  const Finished result{*entry.start, entry.last_event};
  shard.entries.erase(key);
  return result;
}

}  // namespace beeline::load
