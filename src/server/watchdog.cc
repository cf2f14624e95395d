#include "server/watchdog.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/log.h"

namespace beeline::server {
namespace {

constexpr std::chrono::milliseconds kLookIntervalMax{1'000};
constexpr int kLooksPerInterval = 4;

}  // namespace

Watchdog::Watchdog(stream::PartitionSet& partitions, Milliseconds interval,
                   std::function<void()> on_look)
    : partitions_(partitions),
      interval_(interval),
      on_look_(std::move(on_look)),
      watched_(static_cast<std::size_t>(partitions.count())) {}

Watchdog::~Watchdog() {
  stop();
}

void Watchdog::start() {
  thread_ = std::thread([this] { run(); });
}

void Watchdog::stop() {
  if (!thread_.joinable()) return;
  {
    const MutexLock lock{mutex_};
    is_stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Watchdog::run() {
  MutexLock lock{mutex_};
  while (!is_stopping_) {
    lock.unlock();
    look(SteadyClock::now());
    lock.lock();
    const auto next =
        SteadyClock::now() + std::min(interval_ / kLooksPerInterval, kLookIntervalMax);
    while (!is_stopping_ && wake_.wait_until(lock, next)) continue;
  }
}

void Watchdog::look(SteadyClock::time_point now) {
  std::int32_t number = 0;
  for (Watched& watched : watched_) look_at(PartitionId{++number}, watched, now);
  if (on_look_) on_look_();
}

void Watchdog::look_at(PartitionId id, Watched& watched, SteadyClock::time_point now) {
  const stream::PartitionStats& stats = partitions_.stats(id);
  const auto still = watched.thread.unchanged(partitions_.activity(id).count(), now);
  const std::int64_t committed = stats.committed_position.load();
  // While nothing waits to be committed, the log has nothing to do.
  const bool has_uncommitted = stats.last_position.load() > committed;
  if (!has_uncommitted) watched.commits = {};
  const auto uncommitted =
      has_uncommitted ? watched.commits.unchanged(committed, now) : std::chrono::milliseconds{0};
  std::string reason;
  if (still >= interval_) {
    reason = fmt::format("It has been busy for {} ms with {}.", still.count(),
                         partitions_.activity(id).text());
  } else if (uncommitted >= interval_ && stats.disk_full.load() == 0) {
    reason = fmt::format(
        "Its log has not committed anything for {} ms, though position {} waits to be committed: "
        "the disk does not answer.",
        uncommitted.count(), stats.last_position.load());
  }
  const bool is_stalled = !reason.empty();
  if (is_stalled && !watched.is_stalled) {
    log::error("partition {} makes no progress. {}", id.value(), reason);
  } else if (!is_stalled && watched.is_stalled) {
    log::info("partition {} makes progress again", id.value());
  }
  if (is_stalled || watched.is_stalled) partitions_.set_stalled(id, std::move(reason));
  watched.is_stalled = is_stalled;
}

std::chrono::milliseconds Watchdog::Progress::unchanged(std::int64_t value,
                                                        SteadyClock::time_point now) {
  if (value != seen) {
    seen = value;
    since = now;
  }
  return std::chrono::duration_cast<std::chrono::milliseconds>(now - since);
}

}  // namespace beeline::server
