#include "stream/partition.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "base/check.h"
#include "base/io_error.h"
#include "base/log.h"
#include "engine/counts.h"
#include "engine/load_relief.h"

namespace beeline::stream {
namespace {

// How many commands are taken from the queue, and how many due dates, before anything else gets a
// turn.
constexpr std::size_t kTurnCommands = 256;
constexpr std::size_t kTurnDue = 256;
// How long the thread sleeps at most, so that a clock that jumps is noticed.
constexpr Milliseconds kSleepMax{1000};
// Timers are checked this often while something waits for its time.
constexpr Milliseconds kTimerResolution{100};
constexpr Milliseconds kJobCountsInterval{1000};
// How often a full disk is asked for room, by the log and by a checkpoint.
constexpr Milliseconds kLogRoomInterval{200};
constexpr Milliseconds kCheckpointRoomInterval{1000};

// How much longer than its limit the queue may grow by commands that overload does not refuse.
constexpr std::size_t kExemptFactor = 8;
constexpr std::size_t kExemptBytesFactor = 2;

// A frame holds a command from outside, up to kBatchBytesMax of records, and the records of the
// command with which the batch ends; or a command from outside and its rejection.
constexpr std::size_t kOutsideBytesMax = std::size_t{64} << 20;  // twice message-size-max at most
static_assert(kOutsideBytesMax + engine::kBatchBytesMax + engine::kCommandBytesMax <=
              journal::kFrameBytesMax);
static_assert(3 * kOutsideBytesMax <= journal::kFrameBytesMax);

engine::EngineOptions engine_options(const PartitionOptions& options, Activity& activity) {
  engine::EngineOptions out;
  out.partition = options.id;
  out.partition_count = options.partition_count;
  out.batch_commands_max = options.batch_commands_max;
  out.batch_bytes_max = options.batch_bytes_max;
  out.command_bytes_max = options.command_bytes_max;
  out.reply_bytes_max = options.reply_bytes_max;
  out.instance_variables_max = options.instance_variables_max;
  out.time_zone = options.time_zone;
  out.message_sweep_interval = options.message_sweep_interval;
  out.resends = options.resends;
  out.before_command = options.before_command;
  out.observe_command = [&activity](const engine::PendingCommand& command) {
    activity.begin(command);
  };
  return out;
}

}  // namespace

Partition::Partition(PartitionOptions options, journal::LogStorage& log,
                     state::KeyValueStore& store, const Clock& clock)
    : options_(std::move(options)),
      log_(log),
      store_(store),
      clock_(clock),
      engine_(engine_options(options_, activity_)) {}

Partition::~Partition() {
  stop();
}

Partition::Recovery Partition::recover() {
  Recovery recovery;
  recovery.checkpoint = engine_.load(store_);
  if (log_.last_position() < recovery.checkpoint) {
    throw std::runtime_error(fmt::format(
        "partition {}: the checkpoint is at position {}, but the log ends at {}; the log has been "
        "lost or replaced. Restore both from the same backup, or run `beeline repair "
        "--accept-checkpoint`, which begins the log anew behind the checkpoint",
        options_.id.value(), recovery.checkpoint.value(), log_.last_position().value()));
  }
  const Position from{recovery.checkpoint.value() + 1};
  if (log_.last_position() >= from) {
    if (log_.first_position() > from) {
      throw std::runtime_error(fmt::format(
          "partition {}: the log begins at position {}, but the checkpoint ends at {}; restore "
          "both "
          "from the same backup",
          options_.id.value(), log_.first_position().value(), recovery.checkpoint.value()));
    }
    const auto reader = log_.read_from(from);
    while (const auto frame = reader->next()) {
      engine_.replay(frame->bytes);
      recovery.replayed_records += frame->last.value() - frame->first.value() + 1;
    }
  }
  checkpointer_ = std::make_unique<state::Checkpointer>(
      engine_.checkpoint_source(), store_, recovery.checkpoint, options_.checkpoint_writes,
      [this] { return log_.committed_position(); });
  last_checkpoint_ = recovery.checkpoint;
  last_checkpoint_at_ = clock_.now();
  // Requests of an earlier life may still be answered by instances that go on; their numbers must
  // not mean anything to this one. A request that the log knows has made the log longer, so the
  // numbers of each life begin behind; the clock would not do, since it may be set back.
  next_request_ = (static_cast<record::RequestId>(engine_.last_position().value()) << 20) + 1;
  stats_.replayed_records.store(recovery.replayed_records);
  stats_.checkpoint_position.store(recovery.checkpoint.value());
  stats_.committed_position.store(log_.committed_position().value());
  publish_stats();
  is_ready_.store(true);
  is_readable_.store(true);
  return recovery;
}

void Partition::start() {
  BEELINE_CHECK(checkpointer_ != nullptr, "recover() comes before start()");
  log_.start(*this);
  thread_ = std::thread([this] { run(); });
}

void Partition::stop() {
  if (!thread_.joinable()) return;
  is_ready_.store(false);
  is_readable_.store(false);
  {
    const std::lock_guard lock{mutex_};
    is_stopping_ = true;
  }
  work_arrived_.notify_all();
  thread_.join();
  if (!has_failed_.load()) log_.stop();
  drop_handlers();
}

// Whoever waits learns that no answer comes when its handler is destroyed. Handlers and reads are
// destroyed without the lock: they may ask for condition().
void Partition::drop_handlers() {
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

void Partition::set_failure_callback(std::function<void(const std::string&)> callback) {
  const std::lock_guard lock{mutex_};
  failure_callback_ = std::move(callback);
}

SubmitResult Partition::submit(Command command, ResponseHandler handler) {
  if (!is_ready_.load()) return SubmitResult::Stopped;
  if (is_disk_full()) {
    stats_.commands_refused.fetch_add(1);
    return SubmitResult::DiskFull;
  }
  {
    const std::lock_guard lock{mutex_};
    if (is_stopping_) return SubmitResult::Stopped;
    const bool is_exempt = engine::relieves_load(command.value_type, command.intent);
    const std::size_t limit =
        is_exempt ? options_.queue_max * kExemptFactor + 1024 : options_.queue_max;
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

SubmitResult Partition::read(ReadStep step, ReadHandler handler) {
  {
    const std::lock_guard lock{mutex_};
    if (!is_readable_.load() || is_stopping_) return SubmitResult::Stopped;
    if (reads_.size() >= options_.reads_max) return SubmitResult::QueueFull;
    reads_.push_back({std::move(step), std::move(handler)});
  }
  work_arrived_.notify_one();
  return SubmitResult::Accepted;
}

void Partition::receive(Command command) {
  if (!is_ready_.load() || is_disk_full()) return;
  {
    const std::lock_guard lock{mutex_};
    if (is_stopping_ || received_.size() >= options_.received_max ||
        !received_bytes_.admits(command, 1)) {
      stats_.commands_dropped.fetch_add(1);
      return;
    }
    received_bytes_.add(command);
    received_.push_back(std::move(command));
  }
  work_arrived_.notify_one();
}

void Partition::run() {
  try {
    while (true) {
      const bool worked = run_once();
      {
        const std::lock_guard lock{mutex_};
        // What is pending is on the log and goes on after the next start; what a full disk keeps
        // from being written was never acknowledged.
        const bool is_drained = queue_.empty() && received_.empty() && taken_.empty();
        if (is_stopping_ && (is_drained || is_log_full_.load())) break;
      }
      if (!worked) wait_for_work();
    }
    take_last_checkpoint();
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

void Partition::fail(const std::string& reason) {
  if (has_failed_.exchange(true)) return;
  is_ready_.store(false);
  is_readable_.store(false);
  log::error("partition {} stopped: {}", options_.id.value(), reason);
  std::function<void(const std::string&)> callback;
  {
    const std::lock_guard lock{mutex_};
    callback = failure_callback_;
    failure_ = reason;
  }
  drop_handlers();
  if (callback) callback(reason);
}

void Partition::wait_for_work() {
  const Timestamp now = clock_.now();
  Milliseconds sleep = kSleepMax;
  if (const auto due = engine_.next_due()) {
    sleep = std::clamp(*due - now, Milliseconds{1}, kTimerResolution);
  }
  if (!checkpointer_->is_idle()) sleep = Milliseconds{1};
  if (is_log_full_.load()) sleep = kLogRoomInterval;
  std::unique_lock lock{mutex_};
  work_arrived_.wait_for(lock, sleep, [&] {
    const bool has_commands = !queue_.empty() || !received_.empty();
    return is_stopping_ || !reads_.empty() || (has_commands && !is_log_full_.load());
  });
}

bool Partition::run_once() {
  activity_.turn();
  bool worked = false;
  if (look_for_room() && engine_.has_pending()) worked = process_pending() || worked;
  if (!is_log_full_.load()) worked = process_due() || worked;
  send_again();
  if (!is_log_full_.load()) worked = process_queue() || worked;
  if (is_log_full_.load()) refuse_waiting();
  worked = process_read() || worked;
  advance_checkpoint();
  publish_stats();
  return worked;
}

// Whether the log takes frames, as far as is known.
bool Partition::look_for_room() {
  if (!is_log_full_.load()) return true;
  if (!log_.has_room(refused_bytes_)) return false;
  set_log_full(false);
  return true;
}

// Those who wait for the answer to a command that was not processed yet are told now: the disk may
// stay full for longer than they wait. What nobody waits for stays in its queue.
void Partition::refuse_waiting() {
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

void Partition::set_log_full(bool is_full) {
  if (is_log_full_.exchange(is_full) == is_full) return;
  stats_.disk_full.store(is_disk_full() ? 1 : 0);
  if (is_full) {
    log::warn(
        "partition {}: the disk is full; commands are refused until there is room, nothing "
        "committed is lost",
        options_.id.value());
  } else {
    log::info("partition {}: there is room on the disk again", options_.id.value());
  }
}

void Partition::set_checkpoint_full(bool is_full) {
  if (is_checkpoint_full_.exchange(is_full) == is_full) return;
  stats_.disk_full.store(is_disk_full() ? 1 : 0);
  if (!is_full) {
    log::info("partition {}: the checkpoint found room on the disk", options_.id.value());
  }
}

Condition Partition::condition() const {
  if (has_failed_.load()) {
    const std::lock_guard lock{mutex_};
    return {Health::Dead, false, fmt::format("The partition has failed: {}", failure_)};
  }
  if (!is_ready_.load()) {
    return {Health::Unhealthy, false, "The partition is starting or stopping."};
  }
  if (is_disk_full()) {
    return {Health::Unhealthy, true,
            fmt::format("The disk is full: the {} finds no room. Commands are refused until there "
                        "is some; nothing committed is lost.",
                        is_log_full_.load() ? "log" : "checkpoint")};
  }
  const std::lock_guard lock{mutex_};
  if (!stall_.empty()) return {Health::Unhealthy, false, stall_};
  return {};
}

void Partition::set_stalled(std::string reason) {
  stats_.stalled.store(reason.empty() ? 0 : 1);
  const std::lock_guard lock{mutex_};
  if (stall_.empty() && !reason.empty()) stats_.stalls.fetch_add(1);
  stall_ = std::move(reason);
}

std::optional<Timestamp> Partition::next_wake() const {
  return engine_.next_due();
}

bool Partition::process_queue() {
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
    if (!process_one(command)) return worked;  // no room: see refuse_waiting
    taken_.pop_front();
    worked = true;
  }
  return worked;
}

bool Partition::process_due() {
  bool worked = false;
  for (const engine::DueCommand& due : engine_.due_commands(clock_.now(), kTurnDue)) {
    if (!process_one({due.value_type, due.intent, due.key, {}, 0, -1, {}})) return worked;
    worked = true;
  }
  return worked;
}

void Partition::send_again() {
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

void Partition::send_all(std::vector<engine::OutgoingCommand> commands) {
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

bool Partition::process_pending() {
  engine_.process_pending(clock_.now(), output_);
  return append_output();
}

// One turn of one read.
bool Partition::process_read() {
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
  if (committed >= engine_.last_position()) on_commit(committed);
  return true;
}

bool Partition::process_one(const engine::Engine::Command& command) {
  engine_.process(command, clock_.now(), output_);
  return append_output();
}

bool Partition::append_output() {
  if (output_.last < output_.first) {
    let_out_at_once();
    return true;
  }
  {
    // Before the log can commit it, so that on_commit finds it.
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
    return true;
  }
  {
    const std::lock_guard lock{mutex_};
    held_.pop_back();
  }
  engine_.rollback();
  BEELINE_CHECK(result == journal::AppendResult::Full,
                "a batch of {} bytes is larger than any log takes", output_.frame.size());
  refused_bytes_ = output_.frame.size();
  set_log_full(true);
  return false;
}

// A command that was pending and came to nothing has no records; what it lets out rests on what is
// on the log already.
void Partition::let_out_at_once() {
  engine_.commit();
  {
    const std::lock_guard lock{mutex_};
    held_.push_back({output_.last, std::chrono::steady_clock::now(), std::move(output_.responses),
                     std::move(output_.available_jobs), std::move(output_.sends), nullptr});
  }
  const Position committed = log_.committed_position();
  if (committed >= output_.last) on_commit(committed);
}

void Partition::on_commit(Position committed) {
  stats_.committed_position.store(committed.value());
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
      listener->on_job_available(options_.id, job.type, job.key);
    }
  }
  if (committed_callback_) committed_callback_(committed);
}

void Partition::on_failure(std::string_view reason) {
  fail(std::string{reason});
}

void Partition::advance_checkpoint() {
  if (!checkpointer_->is_idle()) {
    // What is stored must not be ahead of the log: wait for the commit, rows are kept meanwhile.
    if (log_.committed_position() < checkpoint_under_way_) return;
    if (!step_checkpoint([&] { checkpointer_->step(options_.checkpoint_rows); })) return;
    if (!checkpointer_->is_idle()) return;
    set_checkpoint_full(false);
    const Position durable = checkpointer_->durable_position();
    stats_.checkpoint_position.store(durable.value());
    stats_.checkpoint_millis.store(clock_.now().millis());
    last_checkpoint_ = durable;
  }
  const std::int64_t needed = std::min(last_checkpoint_.value(), exported_.load());
  log_.release_before(Position{needed + 1});
  const bool is_due = is_checkpoint_full_.load()
                          ? clock_.now() >= checkpoint_retry_at_
                          : clock_.now() - last_checkpoint_at_ >= options_.checkpoint_interval ||
                                engine_.last_position().value() - last_checkpoint_.value() >=
                                    options_.checkpoint_records;
  if (!is_due || engine_.last_position() == last_checkpoint_) return;
  start_checkpoint();
}

// Goes on with a checkpoint. False when its store has no room: then the checkpoint was given back,
// which is no loss, since the log still has what it would have stored.
bool Partition::step_checkpoint(const std::function<void()>& step) {
  try {
    step();
    return true;
  } catch (const IoError& error) {
    if (!is_out_of_room(error)) throw;
    checkpoint_retry_at_ = clock_.now() + kCheckpointRoomInterval;
    if (!is_checkpoint_full_.load()) {
      log::warn(
          "partition {}: the disk is full; commands are refused until there is room for a "
          "checkpoint, nothing committed is lost: {}",
          options_.id.value(), error.what());
    }
    set_checkpoint_full(true);
    return false;
  }
}

void Partition::begin_checkpoint() {
  BEELINE_CHECK(!thread_.joinable(), "the partition's thread takes its own checkpoints");
  start_checkpoint();
}

// A checkpoint holds nothing that the log has not committed, and stopping the log is no promise
// that it commits all it has: the disk may fail or be full. Without a last checkpoint the next
// start has more to replay, and nothing is lost.
void Partition::take_last_checkpoint() {
  log_.stop();
  const Position committed = log_.committed_position();
  const auto finish = [&] { return step_checkpoint([&] { checkpointer_->finish(); }); };
  if (!checkpointer_->is_idle() && checkpointer_->position() <= committed && !finish()) return;
  const Position last = engine_.last_position();
  if (!checkpointer_->is_idle() || last == checkpointer_->durable_position()) return;
  if (last > committed) {
    log::warn(
        "partition {}: no checkpoint is taken at the end, since the log has committed position {} "
        "of {}",
        options_.id.value(), committed.value(), last.value());
    return;
  }
  checkpointer_->start(last);
  (void)finish();
}

void Partition::start_checkpoint() {
  last_checkpoint_at_ = clock_.now();
  checkpoint_under_way_ = engine_.last_position();
  checkpointer_->start(checkpoint_under_way_);
}

void Partition::publish_stats() {
  stats_.last_position.store(engine_.last_position().value(), std::memory_order_relaxed);
  const engine::StateCounts counts = engine::count_state(engine_.state());
  stats_.incidents_open.store(counts.incidents_open, std::memory_order_relaxed);
  stats_.instances_active.store(counts.instances_active, std::memory_order_relaxed);
  const Timestamp now = clock_.now();
  if (now - job_counts_at_ < kJobCountsInterval) return;
  job_counts_at_ = now;
  JobCountsByType jobs = engine::count_jobs(engine_.state());
  const std::lock_guard lock{mutex_};
  job_counts_ = std::move(jobs);
}

JobCountsByType Partition::job_counts() const {
  const std::lock_guard lock{mutex_};
  return job_counts_;
}

}  // namespace beeline::stream
