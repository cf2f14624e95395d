#include "stream/replica.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/check.h"
#include "base/io_error.h"
#include "base/log.h"

namespace beeline::stream {
namespace {

// How often a checkpoint looks for room on a full disk.
constexpr Milliseconds kCheckpointRoomInterval{1000};

// Returns the engine's options, with which the engine reports to `activity` what it is busy with.
engine::EngineOptions engine_options(const Surroundings& around) {
  engine::EngineOptions options = around.options.engine;
  options.observe_command = [&activity = around.activity](const engine::PendingCommand& command) {
    activity.begin(command);
  };
  return options;
}

}  // namespace

Replica::Replica(const Surroundings& surroundings)
    : around_(surroundings), log_(surroundings.log), engine_(engine_options(around_)) {}

Replica::Recovery Replica::recover() {
  load();
  const std::int64_t replayed_before = around_.stats.replayed_records.load();
  while (follow(std::numeric_limits<std::size_t>::max())) {
  }
  around_.stats.committed_position.store(log_.committed_position().value());
  return {last_checkpoint_, around_.stats.replayed_records.load() - replayed_before};
}

void Replica::load() {
  const Position checkpoint = engine_.load(around_.store);
  if (log_.last_position() < checkpoint) {
    throw std::runtime_error(fmt::format(
        "partition {}: the checkpoint is at position {}, but the log ends at {}; the log has been "
        "lost or replaced. Restore both from the same backup, or run `beeline repair "
        "--accept-checkpoint`, which continues the log after the checkpoint",
        around_.options.id().value(), checkpoint.value(), log_.last_position().value()));
  }
  checkpointer_ = std::make_unique<state::Checkpointer>(
      engine_.checkpoint_source(), around_.store, checkpoint, around_.options.checkpoint_writes,
      [this] { return log_.committed_position(); });
  last_checkpoint_ = checkpoint;
  last_checkpoint_at_ = around_.clock.now();
  around_.stats.checkpoint_position.store(checkpoint.value());
}

bool Replica::follow(std::size_t frames_max) {
  if (log_.committed_position() <= engine_.last_position()) return false;
  if (reader_ == nullptr) open_reader();
  std::size_t frames = 0;
  std::int64_t records = 0;
  for (; frames < frames_max; ++frames) {
    const auto frame = reader_->next();
    if (!frame) break;
    engine_.replay(frame->bytes);
    records += frame->last.value() - frame->first.value() + 1;
    if (around_.options.after_frame) around_.options.after_frame(engine_);
  }
  around_.stats.replayed_records.fetch_add(records);
  return frames > 0;
}

void Replica::open_reader() {
  const Position from{engine_.last_position().value() + 1};
  if (log_.first_position() > from) {
    throw std::runtime_error(fmt::format(
        "partition {}: the log begins at position {}, but the checkpoint ends at {}; restore both "
        "from the same backup",
        around_.options.id().value(), log_.first_position().value(), last_checkpoint_.value()));
  }
  reader_ = log_.read_from(from);
}

void Replica::begin_to_lead() {
  reader_.reset();
  BEELINE_CHECK(engine_.last_position() == log_.last_position(),
                "the copy is at position {}, but the log that it is to lead ends at {}",
                engine_.last_position().value(), log_.last_position().value());
}

// A checkpoint that is being captured is dropped with the state; one that is being written is
// waited for.
void Replica::drop_to_checkpoint() {
  reader_.reset();
  checkpointer_.reset();
  engine_ = engine::Engine{engine_options(around_)};
  load();
}

void Replica::advance_checkpoint(Position exported) {
  const PartitionOptions& options = around_.options;
  if (!checkpointer_->is_idle()) {
    // A stored checkpoint must not be ahead of the log: wait for the commit and keep the rows
    // meanwhile.
    if (log_.committed_position() < checkpoint_under_way_) return;
    if (!step_checkpoint([&] { checkpointer_->step(options.checkpoint_rows); })) return;
    if (!checkpointer_->is_idle()) return;
    around_.room.set_checkpoint_full(false);
    const Position durable = checkpointer_->durable_position();
    around_.stats.checkpoint_position.store(durable.value());
    around_.stats.checkpoint_millis.store(around_.clock.now().millis());
    last_checkpoint_ = durable;
  }
  const std::int64_t needed = std::min(last_checkpoint_.value(), exported.value());
  log_.release_before(Position{needed + 1});
  const Timestamp now = around_.clock.now();
  const bool is_due = around_.room.is_checkpoint_full()
                          ? now >= checkpoint_retry_at_
                          : now - last_checkpoint_at_ >= options.checkpoint_interval ||
                                engine_.last_position().value() - last_checkpoint_.value() >=
                                    options.checkpoint_records;
  if (!is_due || engine_.last_position() == last_checkpoint_) return;
  begin_checkpoint();
}

// Continues a checkpoint. Returns false if its store has no room: then the checkpoint was given
// back to the tables. Nothing is lost, since the log still has the records.
bool Replica::step_checkpoint(const std::function<void()>& step) {
  try {
    step();
    return true;
  } catch (const IoError& error) {
    if (!is_out_of_room(error)) throw;
    checkpoint_retry_at_ = around_.clock.now() + kCheckpointRoomInterval;
    around_.room.set_checkpoint_full(true, error.what());
    return false;
  }
}

void Replica::begin_checkpoint() {
  last_checkpoint_at_ = around_.clock.now();
  checkpoint_under_way_ = engine_.last_position();
  checkpointer_->start(checkpoint_under_way_);
}

// A checkpoint contains nothing that the log has not committed, and stopping the log does not
// guarantee that it commits everything: the disk may fail or be full. Without a last checkpoint the
// next start has more to replay, but nothing is lost.
void Replica::take_last_checkpoint() {
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
        around_.options.id().value(), committed.value(), last.value());
    return;
  }
  checkpointer_->start(last);
  (void)finish();
}

}  // namespace beeline::stream
