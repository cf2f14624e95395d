#include "stream/partition.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/log.h"
#include "engine/counts.h"

namespace beeline::stream {
namespace {

// The longest sleep of the thread, so it notices a clock that jumps.
constexpr Milliseconds kSleepMax{1000};
// Timers are checked this often while something is due later.
constexpr Milliseconds kTimerResolution{100};
constexpr Milliseconds kJobCountsInterval{1000};
// The number of frames that a follower replays before other work gets a turn.
constexpr std::size_t kTurnFrames = 256;

}  // namespace

Partition::Partition(PartitionOptions options, journal::LogStorage& log,
                     state::KeyValueStore& store, const Clock& clock)
    : options_(std::move(options)),
      log_(log),
      clock_(clock),
      room_(options_.id(), stats_),
      replica_({options_, log_, store, clock_, room_, stats_, activity_}),
      leader_({options_, log_, store, clock_, room_, stats_, activity_}, replica_.engine()) {}

Partition::~Partition() {
  stop();
}

Partition::Recovery Partition::recover() {
  const Recovery recovery = replica_.recover();
  publish_stats();
  is_following_.store(true);
  if (log_.role() == journal::LogRole::Leading) lead();
  return recovery;
}

void Partition::start() {
  BEELINE_CHECK(replica_.is_recovered(), "recover() comes before start()");
  log_.start(*this);
  thread_ = std::thread([this] { run(); });
}

void Partition::stop() {
  if (!thread_.joinable()) return;
  leader_.begin_stop();
  thread_.join();
  // This is done after a failure as well: the threads of the log call this partition as long as
  // they run.
  log_.stop();
  leader_.drop_handlers();
}

void Partition::set_failure_callback(std::function<void(const std::string&)> callback) {
  const MutexLock lock{mutex_};
  failure_callback_ = std::move(callback);
}

void Partition::run() {
  try {
    while (true) {
      const bool worked = run_once();
      if (leader_.is_done()) break;
      if (!worked) leader_.wait(sleep_time());
    }
    replica_.take_last_checkpoint();
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

void Partition::fail(const std::string& reason) {
  if (has_failed_.exchange(true)) return;
  leader_.end();
  log::error("partition {} stopped: {}", options_.id().value(), reason);
  std::function<void(const std::string&)> callback;
  {
    const MutexLock lock{mutex_};
    callback = failure_callback_;
    failure_ = reason;
  }
  leader_.drop_handlers();
  if (callback) callback(reason);
}

Milliseconds Partition::sleep_time() const {
  if (is_checkpointing()) return Milliseconds{1};
  const auto due = next_wake();
  return due ? std::clamp(*due - clock_.now(), Milliseconds{1}, kTimerResolution) : kSleepMax;
}

bool Partition::run_once() {
  activity_.turn();
  const bool worked = is_following_.load(std::memory_order_relaxed) ? follow_once() : lead_once();
  replica_.advance_checkpoint(Position{exported_.load()});
  publish_stats();
  return worked;
}

bool Partition::lead_once() {
  if (log_.role() == journal::LogRole::Leading) {
    const bool worked = leader_.turn();
    if (!leader_.is_deposed()) return worked;
  }
  step_down();
  return true;
}

bool Partition::follow_once() {
  // The role is read before the frames: once this copy is elected, nobody else appends, so a log
  // that is then read to its end is read completely.
  const journal::LogRole role = log_.role();
  if (role == journal::LogRole::Deposed) log_.follow();  // elected and deposed between two turns
  if (replica_.follow(kTurnFrames)) return true;
  if (role != journal::LogRole::Leading) return false;
  lead();
  return true;
}

void Partition::lead() {
  replica_.begin_to_lead();
  is_following_.store(false);
  leader_.open();
}

void Partition::step_down() {
  log::info(
      "partition {}: another copy leads now; this one goes back to its checkpoint and follows",
      options_.id().value());
  is_following_.store(true);
  leader_.step_down();
  log_.follow();
  replica_.drop_to_checkpoint();
}

std::optional<Timestamp> Partition::next_wake() const {
  if (is_following_.load()) return std::nullopt;
  return replica_.engine().next_due();
}

void Partition::begin_checkpoint() {
  BEELINE_CHECK(!thread_.joinable(), "the partition's thread takes its own checkpoints");
  replica_.begin_checkpoint();
}

void Partition::on_commit(Position committed) {
  stats_.committed_position.store(committed.value());
  leader_.let_out(committed);
  if (is_following_.load(std::memory_order_relaxed)) leader_.wake();
  if (committed_callback_) committed_callback_(committed);
}

void Partition::on_elected(journal::Epoch epoch) {
  log::info("partition {}: this copy was elected to lead in epoch {}", options_.id().value(),
            epoch.value());
  leader_.wake();
}

void Partition::on_deposed(journal::Epoch epoch) {
  log::info("partition {}: this copy was deposed, by the leader of epoch {}", options_.id().value(),
            epoch.value());
  leader_.wake();
}

void Partition::on_failure(std::string_view reason) {
  fail(std::string{reason});
}

Condition Partition::condition() const {
  if (has_failed_.load()) {
    const MutexLock lock{mutex_};
    return {Health::Dead, false, fmt::format("The partition has failed: {}", failure_)};
  }
  if (!leader_.is_open()) {
    if (is_following_.load()) {
      return {Health::Unhealthy, false, "Another copy leads the partition; this one follows."};
    }
    return {Health::Unhealthy, false, "The partition is starting or stopping."};
  }
  if (room_.is_full()) {
    return {Health::Unhealthy, true,
            fmt::format("The disk is full: the {} finds no room. Commands are refused until there "
                        "is room; nothing committed is lost.",
                        room_.is_log_full() ? "log" : "checkpoint")};
  }
  const MutexLock lock{mutex_};
  if (!stall_.empty()) return {Health::Unhealthy, false, stall_};
  return {};
}

void Partition::set_stalled(std::string reason) {
  stats_.stalled.store(reason.empty() ? 0 : 1);
  const MutexLock lock{mutex_};
  if (stall_.empty() && !reason.empty()) stats_.stalls.fetch_add(1);
  stall_ = std::move(reason);
}

void Partition::publish_stats() {
  const engine::Engine& engine = replica_.engine();
  stats_.last_position.store(engine.last_position().value(), std::memory_order_relaxed);
  const engine::StateCounts counts = engine::count_state(engine.state());
  stats_.incidents_open.store(counts.incidents_open, std::memory_order_relaxed);
  stats_.instances_active.store(counts.instances_active, std::memory_order_relaxed);
  const Timestamp now = clock_.now();
  if (now - job_counts_at_ < kJobCountsInterval) return;
  job_counts_at_ = now;
  JobCountsByType jobs = engine::count_jobs(engine.state());
  const MutexLock lock{mutex_};
  job_counts_ = std::move(jobs);
}

JobCountsByType Partition::job_counts() const {
  const MutexLock lock{mutex_};
  return job_counts_;
}

}  // namespace beeline::stream
