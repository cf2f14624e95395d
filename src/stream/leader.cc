#include "stream/leader.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "base/check.h"
#include "engine/load_relief.h"

namespace beeline::stream {
namespace {

// The number of commands from the queue, and of due commands, that are processed before other work
// gets a turn.
constexpr std::size_t kTurnCommands = 256;
constexpr std::size_t kTurnDue = 256;
// The longest time for due commands before other work gets a turn: a timer leads to expressions,
// and 256 batches of the longest would keep clients waiting for a minute.
constexpr Milliseconds kTurnDueTime{20};
// How often the log looks for room on a full disk.
constexpr Milliseconds kLogRoomInterval{200};

// How far beyond its limit the queue may grow by commands that are exempt from overload.
constexpr std::size_t kExemptFactor = 8;
constexpr std::size_t kExemptBytesFactor = 2;

// A frame contains a command from outside, up to kBatchBytesMax of records, and the records of the
// command with which the batch ends; or a command from outside and its rejection.
constexpr std::size_t kOutsideBytesMax = std::size_t{64} << 20;  // twice message-size-max at most
static_assert(kOutsideBytesMax + engine::kBatchBytesMax + engine::kCommandBytesMax <=
              journal::kFrameBytesMax);
static_assert(3 * kOutsideBytesMax <= journal::kFrameBytesMax);

}  // namespace

Leader::Leader(const Surroundings& surroundings, engine::Engine& engine)
    : around_(surroundings),
      log_(surroundings.log),
      engine_(engine),
      clock_(surroundings.clock),
      stats_(surroundings.stats) {}

void Leader::open() {
  const MutexLock lock{mutex_};
  if (has_ended_ || is_stopping_) return;
  obstacle_ = Obstacle::None;
  // Instances that continue may still answer requests of an earlier run; their numbers must mean
  // nothing in this one. A request on the log has made the log longer, so the numbers of each run
  // begin after all earlier ones. The clock cannot be used, since it may be set back.
  next_request_ = (static_cast<record::RequestId>(engine_.last_position().value()) << 20) + 1;
  is_open_.store(true);
}

void Leader::step_down() {
  // These are destroyed without the lock, because handlers may call condition().
  std::deque<Held> held;
  std::deque<Queued> queue;
  std::deque<Command> received;
  {
    const MutexLock lock{mutex_};
    is_open_.store(false);
    held.swap(held_);
    queue.swap(queue_);
    received.swap(received_);
    queue_bytes_ = {};
    received_bytes_ = {};
    stats_.queue_depth.store(0);
  }
  taken_.clear();
  around_.room.set_log_full(false);
  drop_handlers();
}

void Leader::end() {
  const MutexLock lock{mutex_};
  has_ended_ = true;
  is_open_.store(false);
}

void Leader::begin_stop() {
  {
    const MutexLock lock{mutex_};
    is_stopping_ = true;
    is_open_.store(false);
  }
  work_arrived_.notify_all();
}

bool Leader::is_done() const {
  const MutexLock lock{mutex_};
  // Pending commands are on the log and continue after the next start; commands that a full disk
  // prevents from being written were never acknowledged.
  const bool is_drained = queue_.empty() && received_.empty() && taken_.empty();
  return is_stopping_ && (is_drained || around_.room.is_log_full());
}

// A caller learns that no answer will come when its handler is destroyed. Handlers and reads are
// destroyed without the lock, because they may call condition().
void Leader::drop_handlers() {
  absl::flat_hash_map<record::RequestId, ResponseHandler> handlers;
  std::deque<Read> reads;
  std::vector<Held> held_reads;
  const MutexLock lock{mutex_};
  handlers.swap(handlers_);
  reads.swap(reads_);
  const auto first_read = std::stable_partition(
      held_.begin(), held_.end(), [](const Held& held) { return held.read == nullptr; });
  std::move(first_read, held_.end(), std::back_inserter(held_reads));
  held_.erase(first_read, held_.end());
}

SubmitResult Leader::submit(const record::Principal& principal, Command command,
                            ResponseHandler handler) {
  BEELINE_CHECK(principal.kind != record::PrincipalKind::Internal,
                "a client's command is internal: {} {}", record::name_of(command.head.value_type),
                command.head.intent);
  command.head.principal = record::encoded(principal);
  return enqueue(std::move(command), std::move(handler));
}

SubmitResult Leader::submit_internal(Command command) {
  return enqueue(std::move(command), nullptr);
}

SubmitResult Leader::enqueue(Command command, ResponseHandler handler) {
  if (!is_open_.load()) return SubmitResult::Stopped;
  if (around_.room.is_full()) {
    stats_.commands_refused.fetch_add(1);
    return SubmitResult::DiskFull;
  }
  {
    const MutexLock lock{mutex_};
    if (!is_open_.load()) return SubmitResult::Stopped;
    const bool is_exempt = engine::relieves_load(command.head.view());
    const std::size_t limit =
        is_exempt ? around_.options.queue_max * kExemptFactor + 1024 : around_.options.queue_max;
    if (queue_.size() >= limit) {
      stats_.commands_refused.fetch_add(1);
      return SubmitResult::QueueFull;
    }
    if (!queue_bytes_.admits(command, is_exempt ? kExemptBytesFactor : 1)) {
      stats_.commands_refused.fetch_add(1);
      return SubmitResult::QueueBytesFull;
    }
    queue_bytes_.add(command);
    Queued queued{std::move(command)};
    if (handler) {
      queued.is_missed = true;
      queued.request = next_request_++;
      handlers_.emplace(queued.request, std::move(handler));
    }
    queue_.push_back(std::move(queued));
    stats_.queue_depth.store(static_cast<std::int64_t>(queue_.size()));
  }
  work_arrived_.notify_one();
  return SubmitResult::Accepted;
}

SubmitResult Leader::read(ReadStep step, ReadHandler handler) {
  {
    const MutexLock lock{mutex_};
    if (!is_open_.load()) return SubmitResult::Stopped;
    if (reads_.size() >= around_.options.reads_max) return SubmitResult::QueueFull;
    reads_.push_back({std::move(step), std::move(handler)});
  }
  work_arrived_.notify_one();
  return SubmitResult::Accepted;
}

void Leader::receive(Command command) {
  if (!is_open_.load() || around_.room.is_full()) return;
  {
    const MutexLock lock{mutex_};
    if (!is_open_.load() || received_.size() >= around_.options.received_max ||
        !received_bytes_.admits(command, 1)) {
      stats_.commands_dropped.fetch_add(1);
      return;
    }
    received_bytes_.add(command);
    received_.push_back(std::move(command));
  }
  work_arrived_.notify_one();
}

void Leader::wake() {
  {
    const MutexLock lock{mutex_};
    is_woken_ = true;
  }
  work_arrived_.notify_one();
}

void Leader::wait(Milliseconds sleep_max) {
  const bool is_blocked = obstacle_ != Obstacle::None;
  if (is_blocked) sleep_max = kLogRoomInterval;
  MutexLock lock{mutex_};
  const auto wake_at = std::chrono::steady_clock::now() + sleep_max;
  while (!has_work(is_blocked) && work_arrived_.wait_until(lock, wake_at)) continue;
  is_woken_ = false;
}

bool Leader::has_work(bool is_blocked) const {
  const bool has_commands = !queue_.empty() || !received_.empty();
  return is_woken_ || is_stopping_ || !reads_.empty() || (has_commands && !is_blocked);
}

bool Leader::turn() {
  bool worked = false;
  const bool was_busy = obstacle_ == Obstacle::Busy;
  const bool has_room = look_for_room();
  // A busy log may accept one frame per turn. Then the queue and the pending commands alternate in
  // going first; otherwise a process that never waits would block all other work.
  if (was_busy && has_room) {
    is_queue_first_ = !is_queue_first_;
    if (is_queue_first_) worked = process_queue();
  }
  if (obstacle_ == Obstacle::None && engine_.has_pending()) worked = process_pending() || worked;
  if (obstacle_ == Obstacle::None) worked = process_due() || worked;
  send_again();
  if (obstacle_ == Obstacle::None) worked = process_queue() || worked;
  if (obstacle_ == Obstacle::DiskFull) refuse_waiting();
  return process_read() || worked;
}

// True if the log accepts frames, as far as is known.
bool Leader::look_for_room() {
  if (obstacle_ == Obstacle::None) return true;
  if (obstacle_ == Obstacle::NotLeader || !log_.has_room(refused_bytes_)) return false;
  obstacle_ = Obstacle::None;
  around_.room.set_log_full(false);
  return true;
}

// Callers whose command was not processed yet are refused now, because the disk may stay full for
// longer than they wait. Commands without a waiting caller stay in their queue.
void Leader::refuse_waiting() {
  std::vector<ResponseHandler> refused;
  {
    const MutexLock lock{mutex_};
    take_waiting(taken_, refused);
    take_waiting(queue_, refused);
    queue_bytes_ = {};
    for (const Queued& queued : queue_) queue_bytes_.add(queued.command);
    stats_.queue_depth.store(static_cast<std::int64_t>(queue_.size()));
  }
  stats_.commands_refused.fetch_add(static_cast<std::int64_t>(refused.size()));
  // The handlers are destroyed here, while condition() reports that the disk is full.
}

void Leader::take_waiting(std::deque<Queued>& queue, std::vector<ResponseHandler>& handlers) {
  std::deque<Queued> others;
  for (Queued& queued : queue) {
    if (queued.request == 0) {
      others.push_back(std::move(queued));
      continue;
    }
    const auto it = handlers_.find(queued.request);
    if (it == handlers_.end()) continue;
    handlers.push_back(std::move(it->second));
    handlers_.erase(it);
  }
  queue.swap(others);
}

bool Leader::process_queue() {
  if (taken_.empty()) {
    const MutexLock lock{mutex_};
    if (queue_.size() <= kTurnCommands) {
      taken_.swap(queue_);
      queue_bytes_ = {};
    } else {
      for (std::size_t i = 0; i < kTurnCommands; ++i) {
        queue_bytes_.remove(queue_.front().command);
        taken_.push_back(std::move(queue_.front()));
        queue_.pop_front();
      }
    }
    for (std::size_t i = 0; i < kTurnCommands && !received_.empty(); ++i) {
      received_bytes_.remove(received_.front());
      taken_.push_back({.command = std::move(received_.front()), .is_missed = true});
      received_.pop_front();
    }
    stats_.queue_depth.store(static_cast<std::int64_t>(queue_.size()));
  }
  bool worked = false;
  while (!taken_.empty()) {
    const Queued& queued = taken_.front();
    if (queued.is_missed && !is_open_.load()) {  // see begin_stop()
      taken_.pop_front();
      continue;
    }
    // turn() decides what to do with a command that the log does not take.
    if (!process_one({queued.command.head.view(), queued.command.value, queued.request})) {
      return worked;
    }
    taken_.pop_front();
    worked = true;
  }
  return worked;
}

bool Leader::process_due() {
  const Timestamp began = clock_.now();
  const std::vector<record::CommandHead> all = engine_.due_commands(began, kTurnDue);
  std::size_t done = 0;
  while (done < all.size() && (done == 0 || clock_.now() - began < kTurnDueTime)) {
    if (!process_one({all[done].view(), {}})) break;
    ++done;
  }
  if (done < all.size()) engine_.put_back_due(std::span(all).subspan(done));
  return done > 0;
}

void Leader::send_again() {
  std::vector<engine::OutgoingCommand> commands = engine_.due_sends(clock_.now());
  if (commands.empty()) return;
  {
    // They depend on everything that was processed, so they leave with the last uncommitted batch.
    const MutexLock lock{mutex_};
    if (!held_.empty()) {
      std::ranges::move(commands, std::back_inserter(held_.back().sends));
      return;
    }
  }
  send_all(std::move(commands));
}

void Leader::send_all(std::vector<engine::OutgoingCommand> commands) {
  if (transport_ == nullptr) return;
  for (engine::OutgoingCommand& each : commands) {
    transport_->send(each.to, {std::move(each.head), std::move(each.value)});
  }
}

bool Leader::process_pending() {
  engine_.process_pending(clock_.now(), output_);
  return append_output();
}

// One turn of one read.
bool Leader::process_read() {
  std::optional<Read> read;
  {
    const MutexLock lock{mutex_};
    if (reads_.empty()) return false;
    read = std::move(reads_.front());
    reads_.pop_front();
  }
  const bool is_done = read->step(engine_.state());
  {
    const MutexLock lock{mutex_};
    if (!is_done) {
      reads_.push_back(*std::move(read));
      return true;
    }
    // The read depends on everything that was processed.
    held_.push_back({.last = engine_.last_position(),
                     .processed_at = std::chrono::steady_clock::now(),
                     .responses = {},
                     .available_jobs = {},
                     .sends = {},
                     .read = std::move(read->handler)});
  }
  const Position committed = log_.committed_position();
  if (committed >= engine_.last_position()) let_out(committed);
  return true;
}

bool Leader::process_one(const engine::Engine::Command& command) {
  engine_.process(command, clock_.now(), output_);
  return append_output();
}

bool Leader::append_output() {
  if (output_.last < output_.first) {
    let_out_at_once();
    return true;
  }
  {
    // This happens before the log can commit the batch, so let_out finds it.
    const MutexLock lock{mutex_};
    held_.push_back({output_.last, std::chrono::steady_clock::now(), std::move(output_.responses),
                     std::move(output_.available_jobs), std::move(output_.sends), nullptr});
  }
  const journal::AppendResult result = log_.append(output_.first, output_.last, output_.frame);
  if (result == journal::AppendResult::Accepted) {
    engine_.commit();
    stats_.commands_processed.fetch_add(output_.commands);
    stats_.events_written.fetch_add(output_.events);
    stats_.commands_rejected.fetch_add(output_.rejections);
    stats_.records_written.fetch_add(output_.last.value() - output_.first.value() + 1);
    if (around_.options.after_frame) around_.options.after_frame(engine_);
    return true;
  }
  {
    const MutexLock lock{mutex_};
    held_.pop_back();
  }
  engine_.rollback();
  BEELINE_CHECK(result != journal::AppendResult::TooLarge,
                "a batch of {} bytes is larger than any log accepts", output_.frame.size());
  refused_bytes_ = output_.frame.size();
  obstacle_ = result == journal::AppendResult::Full   ? Obstacle::DiskFull
              : result == journal::AppendResult::Busy ? Obstacle::Busy
                                                      : Obstacle::NotLeader;
  if (obstacle_ == Obstacle::DiskFull) around_.room.set_log_full(true);
  return false;
}

// A pending command without effect has no records; what it releases depends only on records that
// are on the log already.
void Leader::let_out_at_once() {
  engine_.commit();
  {
    const MutexLock lock{mutex_};
    held_.push_back({output_.last, std::chrono::steady_clock::now(), std::move(output_.responses),
                     std::move(output_.available_jobs), std::move(output_.sends), nullptr});
  }
  const Position committed = log_.committed_position();
  if (committed >= output_.last) let_out(committed);
}

void Leader::let_out(Position committed) {
  std::vector<Held> out;
  std::vector<std::pair<ResponseHandler, engine::Response>> answers;
  {
    const MutexLock lock{mutex_};
    while (!held_.empty() && held_.front().last <= committed) {
      out.push_back(std::move(held_.front()));
      held_.pop_front();
      for (engine::Response& response : out.back().responses) {
        const auto it = handlers_.find(response.request);
        if (it == handlers_.end()) continue;
        answers.emplace_back(std::move(it->second), std::move(response));
        handlers_.erase(it);
      }
    }
  }
  const auto now = std::chrono::steady_clock::now();
  for (auto& [handler, response] : answers) handler(response.record.view());
  JobListener* listener = job_listener_.load();
  for (Held& held : out) {
    send_all(std::move(held.sends));
    if (held.read) {
      held.read(held.last);
      continue;
    }
    stats_.commit_latency.add(
        std::chrono::duration_cast<std::chrono::microseconds>(now - held.processed_at));
    if (listener == nullptr) continue;
    for (const engine::AvailableJob& job : held.available_jobs) {
      listener->on_job_available(around_.options.id(), job.group, job.key);
    }
  }
}

}  // namespace beeline::stream
