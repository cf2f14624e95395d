#include "engine/engine.h"

#include <fmt/format.h>

#include <limits>

#include "base/check.h"
#include "engine/batch_errors.h"
#include "engine/behaviors/distribution.h"
#include "engine/behaviors/signal_broadcast.h"
#include "engine/failure.h"
#include "engine/processors/processors.h"
#include "record/frame.h"

namespace beeline::engine {
namespace {

using record::RecordType;
using record::RejectionType;

// A frame buffer that has grown larger than this is freed.
constexpr std::size_t kFrameRoomMax = std::size_t{4} << 20;

void clear(BatchOutput& output) {
  if (output.frame.capacity() > kFrameRoomMax) output.frame = {};
  output.frame.clear();
  output.responses.clear();
  output.sends.clear();
  output.available_jobs.clear();
  output.commands = 0;
  output.events = 0;
  output.rejections = 0;
}

// Returns when the next sweep for overdue messages is due: at the first multiple of the interval
// that is not before the earliest deadline. Overdue messages are never correlated, so nothing
// depends on the moment of their removal.
std::optional<Timestamp> next_sweep(const EngineState& state, Milliseconds interval) {
  const std::optional<Timestamp> deadline = state.messages().next_deadline();
  if (!deadline) return std::nullopt;
  const std::int64_t past = deadline->millis() % interval.count();
  return past == 0 ? *deadline : *deadline + (interval - Milliseconds{past});
}

bool is_broadcast_continuing(const record::Metadata& command) {
  return command.value_type == record::ValueType::Signal &&
         command.intent == static_cast<record::IntentNumber>(record::SignalIntent::Continue);
}

// Returns the position that the records of `command` name as their source. It is that of the first
// command of its chain in this batch, whose records begin at `first`. A batch may process several
// chains, and each must lead to the client that began it.
Position source_of(const record::Metadata& command, Position first) {
  const bool follows = command.position >= first && command.source_position.is_set();
  return follows ? command.source_position : command.position;
}

}  // namespace

Engine::Engine(EngineOptions options)
    : options_(std::move(options)),
      state_(std::make_unique<EngineState>(options_.partition, options_.partition_count)),
      pending_(std::make_unique<PendingCommands>()),
      pending_table_(std::make_unique<PendingTable>(state_->database(), *pending_)),
      resends_(options_.resends) {
  if (options_.time_zone == "UTC") return;  // UTC needs no time zone database
  zone_ = feel::TimeZone::find(options_.time_zone);
  BEELINE_CHECK(zone_ != nullptr, "there is no time zone '{}'", options_.time_zone);
}

Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

void Engine::process(const Command& command, Timestamp now, BatchOutput& output) {
  run(&command, now, output);
}

void Engine::process_pending(Timestamp now, BatchOutput& output) {
  BEELINE_CHECK(has_pending(), "nothing is pending");
  run(nullptr, now, output);
}

void Engine::run(const Command* command, Timestamp now, BatchOutput& output) {
  before_ = {last_position_, processed_};
  state_->database().begin_batch();
  Attempt attempt{command, now, options_.batch_commands_max, output};
  try {
    run_attempts(attempt);
  } catch (const BatchTooLarge& size) {
    take_back_attempt();
    run_fallback(attempt, [&](Step& step, const PendingCommand& initial) {
      give_up_on_size(step, initial, size);
    });
  } catch (const CommandRefused& refused) {
    take_back_attempt();
    run_fallback(attempt, [&](Step& step, const PendingCommand&) {
      step.reject(refused.type, refused.reason);
    });
  } catch (const ReceiverFailed& failed) {
    take_back_attempt();
    run_ban(attempt, failed);
  } catch (const std::exception& error) {
    // The exception is probably a bug. Reject the command and keep the partition running.
    const std::string reason = error.what();
    take_back_attempt();
    run_fallback(attempt, [&](Step& step, const PendingCommand& initial) {
      give_up_on_error(step, initial, reason);
    });
  }
}

// Runs the commands of the attempt. If a later command is too large, the attempt runs a second time
// without it. Undoing only that command would save the second run, but every row that two commands
// change would have to be kept twice, and too large commands are rare.
void Engine::run_attempts(Attempt& attempt) {
  try {
    return run_attempt(attempt);
  } catch (const BatchTooLarge&) {
    if (attempt.commands == 1) throw;
    take_back_attempt();
  } catch (const ReceiverFailed&) {
    if (attempt.commands == 1) throw;
    take_back_attempt();
  } catch (const std::exception&) {
    if (attempt.commands == 1) throw;
    const Key failed = process_instance_of(*state_, *attempt.current);
    take_back_attempt();
    if (is_answerable(attempt, failed)) throw;
  }
  attempt.commands_max = attempt.commands - 1;
  run_attempt(attempt);
}

// The first command of a batch answers for what follows from it, unless it serves many instances or
// the failure concerns another instance that was there before: then the batch ends before the
// command that failed, which answers for itself in the next one.
bool Engine::is_answerable(const Attempt& attempt, Key failed) const {
  PendingCommand outside;
  if (attempt.command != nullptr) {
    outside.metadata = record::Metadata{attempt.command->head};
    outside.value = attempt.command->value;
  }
  const PendingCommand& initial = attempt.command != nullptr ? outside : pending_->front();
  if (initial.metadata.value_type == record::ValueType::Signal ||
      initial.metadata.value_type == record::ValueType::ConditionalEvaluation) {
    return false;
  }
  if (!failed.is_set() || state_->element_instances().find(failed) == nullptr) return true;
  return process_instance_of(*state_, initial) == failed;
}

void Engine::run_attempt(Attempt& attempt) {
  Step step{*state_, attempt.output, *pending_, scratch_};
  begin_attempt(step, attempt);
  attempt.commands = 0;
  do {
    const PendingCommand& command = pending_->take_front();
    step.set_source(source_of(command.metadata, attempt.output.first));
    ++attempt.commands;
    attempt.current = &command;
    run_command(step, command);
    processed_ = command.metadata.position;
  } while (!pending_->empty() && !is_batch_full(step, attempt));
  attempt.output.commands = static_cast<std::int64_t>(attempt.commands);
  finish(step, attempt.output);
}

bool Engine::is_batch_full(const Step& step, const Attempt& attempt) const {
  return attempt.commands >= attempt.commands_max ||
         step.batch_bytes() > options_.batch_bytes_max ||
         step.batch_feel_steps() > kBatchFeelStepsMax;
}

void Engine::begin_attempt(Step& step, const Attempt& attempt) {
  clear(attempt.output);
  const Position first{last_position_.value() + 1};
  attempt.output.first = first;
  const std::size_t command_bytes_max = attempt.is_unlimited
                                            ? std::numeric_limits<std::size_t>::max() / 2
                                            : options_.command_bytes_max;
  step.begin(attempt.now, first, state_->key_counter(),
             {options_.batch_bytes_max, command_bytes_max, options_.reply_bytes_max,
              options_.instance_variables_max, options_.signal_receivers_max});
  step.set_zone(zone_);
  step.set_before_receiver(options_.before_receiver);
  if (attempt.command == nullptr) return;
  const Command& command = *attempt.command;
  record::Metadata metadata{command.head};
  metadata.position = first;
  metadata.timestamp = attempt.now;
  metadata.record_type = RecordType::Command;
  metadata.partition = options_.partition;
  metadata.request_id = command.request_id;
  step.write_command(metadata, command.value);
  pending_->push_back(metadata, command.value);
}

void Engine::take_back_attempt() {
  state_->database().rollback_batch();
  state_->database().begin_batch();
  pending_->roll_back();
  processed_ = before_.processed;
}

void Engine::run_fallback(Attempt attempt, const Fallback& fallback) {
  attempt.is_unlimited = true;  // a rejection repeats its command, however large the command is
  Step step{*state_, attempt.output, *pending_, scratch_};
  begin_attempt(step, attempt);
  const PendingCommand& initial = pending_->take_front();
  step.set_source(initial.metadata.position);
  step.set_command(initial);
  fallback(step, initial);
  if (is_broadcast_continuing(initial.metadata)) abandon_broadcast(step, initial.metadata.key);
  // A command that failed here would fail again on redelivery, so acknowledge it.
  if (is_distributed(initial.metadata) &&
      !state_->distributions().is_received(initial.metadata.key)) {
    acknowledge_distributed(step, initial.metadata);
  }
  processed_ = initial.metadata.position;
  attempt.output.commands = 1;
  finish(step, attempt.output);
}

// The command stays on the log without a result, and is the first of the next batch.
void Engine::run_ban(Attempt attempt, const ReceiverFailed& failed) {
  attempt.is_unlimited = true;
  Step step{*state_, attempt.output, *pending_, scratch_};
  begin_attempt(step, attempt);
  const PendingCommand& command = pending_->front();
  step.set_source(command.metadata.position);
  step.set_command(command);
  ban_instance(step, failed.process_instance, command.metadata.position, failed.error);
  finish(step, attempt.output);
}

void Engine::finish(Step& step, BatchOutput& output) {
  if (step.key_counter() != state_->key_counter()) state_->set_key_counter(step.key_counter());
  last_position_ = Position{step.next_position().value() - 1};
  output.last = last_position_;
  step.finish(processed_);
}

void Engine::run_command(Step& step, const PendingCommand& command) {
  const record::Metadata& metadata = command.metadata;
  step.set_command(command);
  if (options_.observe_command) options_.observe_command(command);
  if (options_.before_command) options_.before_command(metadata);
  if (!is_distributed(metadata)) return process_command(step, command);
  if (state_->distributions().is_received(metadata.key)) return refuse_repeated(step, metadata);
  process_command(step, command);
  if (!step.is_acknowledged_later()) acknowledge_distributed(step, metadata);
}

void Engine::process_command(Step& step, const PendingCommand& command) {
  const record::Metadata& metadata = command.metadata;
  if (state_->has_banned() && is_refused_when_banned(metadata)) {
    const Key instance = process_instance_of(*state_, command);
    if (instance.is_set() && state_->is_banned(instance)) {
      return step.reject(
          RejectionType::InvalidState,
          fmt::format("Expected to process command for process instance with key '{}', but the "
                      "process instance is banned due to previous errors. It can only be canceled",
                      instance.value()));
    }
  }
  const Processor processor = find_processor(metadata.value_type, metadata.intent);
  if (processor == nullptr) {
    return step.reject(
        RejectionType::InvalidArgument,
        fmt::format("Expected a command that this version of beeline can process, but got {}",
                    record::text_name(metadata)));
  }
  processor(step, command);
}

void Engine::commit() {
  // Settle first, because settling reads names that the rows hold.
  pending_->settle(last_position_ != before_.last_position);
  state_->database().commit_batch();
}

void Engine::rollback() {
  state_->database().rollback_batch();
  pending_->roll_back();
  last_position_ = before_.last_position;
  processed_ = before_.processed;
}

Position Engine::load(const state::KeyValueStore& store) {
  const Position position = state_->database().load(store);
  last_position_ = position;
  pending_->settle(true);
  processed_ =
      pending_->empty() ? position : Position{pending_->front().metadata.position.value() - 1};
  return position;
}

void Engine::replay(std::string_view bytes) {
  const auto frame = record::parse_frame(bytes);
  BEELINE_CHECK(frame.has_value(), "a frame of {} bytes is too short to be one", bytes.size());
  state_->database().begin_batch();
  std::int64_t counter = state_->key_counter();
  record::RecordReader reader{frame->records};
  while (const auto record = reader.next()) {
    const record::Metadata& metadata = record->metadata;
    BEELINE_CHECK(metadata.position.value() == last_position_.value() + 1,
                  "the record after position {} has position {}", last_position_.value(),
                  metadata.position.value());
    last_position_ = metadata.position;
    if (metadata.key.is_set() && partition_of(metadata.key) == options_.partition &&
        metadata.record_type != RecordType::CommandRejection) {
      // A command from outside may name a key that was never given out, so it does not count.
      if (metadata.record_type == RecordType::Event || metadata.source_position.is_set()) {
        counter = std::max(counter, counter_of(metadata.key));
      }
    }
    switch (metadata.record_type) {
      case RecordType::Event:
        apply_event(*state_, *record);
        break;
      case RecordType::Command: {
        record::Metadata command = metadata;
        // The client that waited for an answer is gone.
        command.request_id = 0;
        pending_->push_back(command, record->value);
        break;
      }
      case RecordType::CommandRejection:
        break;
    }
  }
  BEELINE_CHECK(!reader.malformed(), "the frame after position {} does not hold records",
                last_position_.value());
  processed_ = frame->processed;
  while (!pending_->empty() && pending_->front().metadata.position <= processed_) {
    (void)pending_->take_front();
  }
  pending_->settle(true);
  // Appliers may have counted keys that are only in the value of their event, so do not lower the
  // counter.
  if (counter > state_->key_counter()) state_->set_key_counter(counter);
  state_->database().commit_batch();
}

std::vector<record::CommandHead> Engine::due_commands(Timestamp now, std::size_t limit) {
  std::vector<record::CommandHead> due = due_.take(*state_, now, limit);
  const std::optional<Timestamp> sweep = next_sweep(*state_, options_.message_sweep_interval);
  if (sweep && *sweep <= now && due.size() < limit) {
    due.push_back(
        record::make_head<record::MessageBatchRecord>(record::MessageBatchIntent::Expire, Key{}));
  }
  return due;
}

std::optional<Timestamp> Engine::next_due() const {
  std::optional<Timestamp> next;
  for (const auto& due : {due_.next(*state_), next_sweep(*state_, options_.message_sweep_interval),
                          resends_.next_due(*state_)}) {
    if (due && (!next || *due < *next)) next = due;
  }
  return next;
}

}  // namespace beeline::engine
