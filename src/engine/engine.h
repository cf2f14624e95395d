#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "engine/due_commands.h"
#include "engine/options.h"
#include "engine/pending_commands.h"
#include "engine/pending_table.h"
#include "engine/resends.h"
#include "engine/state/engine_state.h"
#include "engine/step.h"
#include "record/record.h"

namespace beeline::engine {

// A batch ends with the command whose expressions bring it beyond this many steps. The limit is a
// small part of the budget of one command (feel::Budget), so a batch takes little longer than the
// worst command.
inline constexpr std::int64_t kBatchFeelStepsMax = feel::Budget::kSteps / 8;

// The deterministic core of a partition: (state, command, now) -> records. It has no clock, no I/O,
// no threads; the loop around it provides commands and time, and writes the output.
//
//     BatchOutput output;
//     engine.process(command, now, output);   // or process_pending(now, output)
//     ... append output.frame to the log ...
//     engine.commit();                        // or rollback(), when the log would not take it
//
// Commands are processed in the order of the log. A batch takes them from the front of that order
// until nothing is left or the batch is full (is_batch_full); the commands that are left are
// pending and are processed first in the next batch. So a process that runs in circles takes turns
// with all others. A batch is never undone because it is full: it ends between two commands. The
// batch is undone only for a command that cannot be processed itself (a bug, or more than
// command_bytes_max).
//
// Threading: belongs to the partition's thread.
class Engine {
 public:
  explicit Engine(EngineOptions options);
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  // A command from outside.
  struct Command {
    record::CommandHeadView head;
    std::string_view value;
    record::RequestId request_id = 0;
  };

  // Puts one command on the log and processes a batch, into one frame. `output` is cleared first.
  void process(const Command& command, Timestamp now, BatchOutput& output);
  // Processes a batch of pending commands; there must be some.
  void process_pending(Timestamp now, BatchOutput& output);
  // True if commands are on the log that were not processed yet.
  [[nodiscard]] bool has_pending() const { return !pending_->empty(); }

  // Makes the last batch final, or undoes it.
  void commit();
  void rollback();

  // Applies a frame from the log. Frames come in order, from the position the state is at.
  void replay(std::string_view frame);
  // Loads the checkpoint in `store`, including pending commands, and returns its position; 0 if the
  // store has no checkpoint. The engine must not have processed or replayed anything. Throws
  // state::StoreError if this version cannot read the contents of the store.
  Position load(const state::KeyValueStore& store);
  // Returns the tables from which checkpoints are taken; see state::Checkpointer.
  [[nodiscard]] state::Database& checkpoint_source() { return state_->database(); }

  // Returns at most `limit` commands that are due at `now`. They have no values.
  [[nodiscard]] std::vector<record::CommandHead> due_commands(Timestamp now, std::size_t limit);
  // Takes back commands that the last due_commands() returned and that were not processed; they are
  // due at once.
  void put_back_due(std::span<const record::CommandHead> commands) { due_.put_back(commands); }
  // Returns commands to other partitions that were not acknowledged in time and are sent again.
  // They depend on committed state: no batch may be in progress.
  [[nodiscard]] std::vector<OutgoingCommand> due_sends(Timestamp now) {
    return resends_.due(*state_, now);
  }
  // Returns when the next entry will be due; nothing if no entry waits.
  [[nodiscard]] std::optional<Timestamp> next_due() const;

  [[nodiscard]] Position last_position() const { return last_position_; }
  [[nodiscard]] const EngineState& state() const { return *state_; }

 private:
  // The beginning of a batch: the command from outside, if there is one, and the time.
  struct Attempt {
    const Command* command = nullptr;
    Timestamp now;
    std::size_t commands_max = 0;
    BatchOutput& output;
    bool is_unlimited = false;
    std::size_t commands = 0;                 // commands begun so far
    const PendingCommand* current = nullptr;  // the last of them
  };
  // Runs in place of a command that cannot be processed.
  using Fallback = std::function<void(Step& step, const PendingCommand& initial)>;

  void run(const Command* command, Timestamp now, BatchOutput& output);
  // Processes the batch. Throws if a command cannot be processed; `attempt` counts the commands up
  // to that one.
  void run_attempt(Attempt& attempt);
  // Like run_attempt, but a batch whose second or later command is too large, or fails for reasons
  // of its own, ends before that one.
  void run_attempts(Attempt& attempt);
  // True if the first command of a batch is given up when a later one, which concerns the process
  // instance `failed`, meets a bug.
  [[nodiscard]] bool is_answerable(const Attempt& attempt, Key failed) const;
  // True if the batch ends with the command that was just processed.
  [[nodiscard]] bool is_batch_full(const Step& step, const Attempt& attempt) const;
  void run_fallback(Attempt attempt, const Fallback& fallback);
  // Bans the instance of a receiver that cannot be served.
  void run_ban(Attempt attempt, const ReceiverFailed& failed);
  void begin_attempt(Step& step, const Attempt& attempt);
  void take_back_attempt();
  void finish(Step& step, BatchOutput& output);
  void run_command(Step& step, const PendingCommand& command);
  void process_command(Step& step, const PendingCommand& command);

  EngineOptions options_;
  bpmn::Zone zone_ = nullptr;
  std::unique_ptr<EngineState> state_;
  Position last_position_{0};
  Position processed_{0};
  // Allocated separately, since the database points to the table, and the engine can be moved.
  std::unique_ptr<PendingCommands> pending_;
  std::unique_ptr<PendingTable> pending_table_;
  Resends resends_;
  DueCommands due_;
  Step::Scratch scratch_;

  // The values before the current batch, for rollback(). The database and the pending commands keep
  // their own.
  struct Before {
    Position last_position{0};
    Position processed{0};
  };
  Before before_;
};

}  // namespace beeline::engine
