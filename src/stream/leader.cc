#include "stream/leader.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/check.h"
#include "engine/load_relief.h"

namespace beeline::stream {
namespace {

// How many commands are taken from the queue, and how many due dates, before anything else gets a
// turn.
constexpr std::size_t kTurnCommands = 256;
constexpr std::size_t kTurnDue = 256;
// How often a full disk is asked for room by the log.
constexpr Milliseconds kLogRoomInterval{200};

// How much longer than its limit the queue may grow by commands that overload does not refuse.
constexpr std::size_t kExemptFactor = 8;
constexpr std::size_t kExemptBytesFactor = 2;

// A frame holds a command from outside, up to kBatchBytesMax of records, and the records of the
// command with which the batch ends; or a command from outside and its rejection.
constexpr std::size_t kOutsideBytesMax = std::size_t{64} << 20;  // twice message-size-max at most
static_assert(kOutsideBytesMax + engine::kBatchBytesMax + engine::kCommandBytesMax <=
              journal::kFrameBytesMax);
static_assert(3 * kOutsideBytesMax <= journal::kFrameBytesMax);

}  // namespace

Leader::Leader(const Surroundings& surroundings)
    : around_(surroundings),
      log_(surroundings.log),
      engine_(surroundings.engine),
      clock_(surroundings.clock),
      stats_(surroundings.stats) {}

void Leader::open() {
  const std::lock_guard lock{mutex_};
  if (has_ended_ || is_stopping_) return;
  obstacle_ = Obstacle::None;
  // Requests of an earlier life may still be answered by instances that go on; their numbers must
  // not mean anything to this one. A request that the log knows has made the log longer, so the
  // numbers of each life begin behind; the clock would not do, since it may be set back.
  next_request_ = (static_cast<record::RequestId>(engine_.last_position().value()) << 20) + 1;
  is_open_.store(true);
}

void Leader::step_down() {
  // Destroyed without the lock: handlers may ask for the partition's condition.
  std::deque<Held> held;
  std::deque<Queued> queue;
  std::deque<Command> received;
  {
    const std::lock_guard lock{mutex_};
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
  const std::lock_guard lock{mutex_};
  has_ended_ = true;
  is_open_.store(false);
}

void Leader::begin_stop() {
  {
    const std::lock_guard lock{mutex_};
    is_stopping_ = true;
    is_open_.store(false);
  }
  work_arrived_.notify_all();
}

bool Leader::is_done() const {
  const std::lock_guard lock{mutex_};
  // What is pending is on the log and goes on after the next start; what a full disk keeps from
  // being written was never acknowledged.
  const bool is_drained = queue_.empty() && received_.empty() && taken_.empty();
  return is_stopping_ && (is_drained || around_.room.is_log_full());
}

// Whoever waits learns that no answer comes when its handler is destroyed. Handlers and reads are
// destroyed without the lock: they may ask for condition().
void Leader::drop_handlers() {
  absl::flat_hash_map<record::RequestId, ResponseHandler> handlers;
  decltype(reads_) reads;
  std::vector<Held> held_reads;
  const std::lock_guard lock{mutex_};
  handlers.swap(handlers_);
  reads.swap(reads_);
  const auto first_read = std::stable_partition(
      held_.begin(), held_.end(), [](const Held& held) { return held.read == nullptr; });
  std::move(first_read, held_.end(), std::back_inserter(held_reads));
  held_.erase(first_read, held_.end());
}

SubmitResult Leader::submit(Command command, ResponseHandler handler) {
  if (!is_open_.load()) return SubmitResult::Stopped;
  if (around_.room.is_full()) {
    stats_.commands_refused.fetch_add(1);
    return SubmitResult::DiskFull;
  }
  {
    const std::lock_guard lock{mutex_};
    if (!is_open_.load()) return SubmitResult::Stopped;
    const bool is_exempt = engine::relieves_load(command.value_type, command.intent);
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
    Queued queued{std::move(command), 0};
    if (handler) {
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
    const std::lock_guard lock{mutex_};
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
    const std::lock_guard lock{mutex_};
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
    const std::lock_guard lock{mutex_};
    is_woken_ = true;
  }
  work_arrived_.notify_one();
}

void Leader::wait(Milliseconds sleep_max) {
  const bool is_blocked = obstacle_ != Obstacle::None;
  if (is_blocked) sleep_max = kLogRoomInterval;
  std::unique_lock lock{mutex_};
  work_arrived_.wait_for(lock, sleep_max, [&] {
    const bool has_commands = !queue_.empty() || !received_.empty();
    return is_woken_ || is_stopping_ || !reads_.empty() || (has_commands && !is_blocked);
  });
  is_woken_ = false;
}

bool Leader::turn() {
  bool worked = false;
  const bool was_busy = obstacle_ == Obstacle::Busy;
  const bool has_room = look_for_room();
  // A busy log may take one frame a turn. Then the queue and the pending commands take turns in
  // going first: otherwise a process that never waits would keep everybody else out.
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

// Whether the log takes frames, as far as is known.
bool Leader::look_for_room() {
  if (obstacle_ == Obstacle::None) return true;
  if (obstacle_ == Obstacle::NotLeader || !log_.has_room(refused_bytes_)) return false;
  obstacle_ = Obstacle::None;
  around_.room.set_log_full(false);
  return true;
}

// Those who wait for the answer to a command that was not processed yet are told now: the disk may
// stay full for longer than they wait. What nobody waits for stays in its queue.
void Leader::refuse_waiting() {
  std::vector<ResponseHandler> refused;
  {
    const std::lock_guard lock{mutex_};
    for (std::deque<Queued>* queue : {&taken_, &queue_}) {
      std::erase_if(*queue, [&](const Queued& queued) {
        if (queued.request == 0) return false;
        if (queue == &queue_) queue_bytes_.remove(queued.command);
        if (const auto it = handlers_.find(queued.request); it != handlers_.end()) {
          refused.push_back(std::move(it->second));
          handlers_.erase(it);
        }
        return true;
      });
    }
    queue_bytes_ = {};
    for (const Queued& queued : queue_) queue_bytes_.add(queued.command);
    stats_.queue_depth.store(static_cast<std::int64_t>(queue_.size()));
  }
  stats_.commands_refused.fetch_add(static_cast<std::int64_t>(refused.size()));
  // The handlers end here, while condition() says that the disk is full.
}

bool Leader::process_queue() {
  if (taken_.empty()) {
    const std::lock_guard lock{mutex_};
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
      taken_.push_back({std::move(received_.front()), 0});
      received_.pop_front();
    }
    stats_.queue_depth.store(static_cast<std::int64_t>(queue_.size()));
  }
  bool worked = false;
  while (!taken_.empty()) {
    const Queued& queued = taken_.front();
    const engine::Engine::Command command{
        queued.command.value_type,     queued.command.intent, queued.command.key,
        queued.command.value,          queued.request,        queued.command.operation_reference,
        queued.command.min_pending_key};
    if (!process_one(command)) return worked;  // see turn() for what becomes of it
    taken_.pop_front();
    worked = true;
  }
  return worked;
}

bool Leader::process_due() {
  bool worked = false;
  for (const engine::DueCommand& due : engine_.due_commands(clock_.now(), kTurnDue)) {
    if (!process_one({due.value_type, due.intent, due.key, {}, 0, -1, {}})) return worked;
    worked = true;
  }
  return worked;
}

void Leader::send_again() {
  std::vector<engine::OutgoingCommand> commands = engine_.due_sends(clock_.now());
  if (commands.empty()) return;
  {
    // They rest on all that was processed, so they leave with the last of what is not committed.
    const std::lock_guard lock{mutex_};
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
    Command command{.value_type = each.value_type,
                    .intent = each.intent,
                    .key = each.key,
                    .value = std::move(each.value),
                    .operation_reference = -1,
                    .min_pending_key = each.min_pending_key};
    transport_->send(each.to, std::move(command));
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
    const std::lock_guard lock{mutex_};
    if (reads_.empty()) return false;
    read = std::move(reads_.front());
    reads_.pop_front();
  }
  const bool is_done = read->step(engine_.state());
  {
    const std::lock_guard lock{mutex_};
    if (!is_done) {
      reads_.push_back(*std::move(read));
      return true;
    }
    // What it saw rests on all that was processed.
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
    // Before the log can commit it, so that let_out finds it.
    const std::lock_guard lock{mutex_};
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
    const std::lock_guard lock{mutex_};
    held_.pop_back();
  }
  engine_.rollback();
  BEELINE_CHECK(result != journal::AppendResult::TooLarge,
                "a batch of {} bytes is larger than any log takes", output_.frame.size());
  refused_bytes_ = output_.frame.size();
  obstacle_ = result == journal::AppendResult::Full   ? Obstacle::DiskFull
              : result == journal::AppendResult::Busy ? Obstacle::Busy
                                                      : Obstacle::NotLeader;
  if (obstacle_ == Obstacle::DiskFull) around_.room.set_log_full(true);
  return false;
}

// A command that was pending and came to nothing has no records; what it lets out rests on what is
// on the log already.
void Leader::let_out_at_once() {
  engine_.commit();
  {
    const std::lock_guard lock{mutex_};
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
    const std::lock_guard lock{mutex_};
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
      listener->on_job_available(around_.options.id, job.type, job.key);
    }
  }
}

}  // namespace beeline::stream
