#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "engine/due_commands.h"
#include "engine/pending_commands.h"
#include "engine/pending_table.h"
#include "engine/resends.h"
#include "engine/state/engine_state.h"
#include "engine/step.h"
#include "record/record.h"

namespace beeline::engine {

// A batch ends with the command that brings its records beyond the first; one command may write the
// second at most.
inline constexpr std::size_t kBatchBytesMax = std::size_t{1} << 20;
inline constexpr std::size_t kCommandBytesMax = std::size_t{128} << 20;

// A batch ends with the command whose expressions bring it beyond so many steps. It is a small part
// of what one command may use (feel::Budget), so that a batch takes little longer than the worst
// command does.
inline constexpr std::int64_t kBatchFeelStepsMax = feel::Budget::kSteps / 8;

struct EngineOptions {
  PartitionId partition{1};
  std::int32_t partition_count = 1;
  // A batch ends after so many commands, and after the command with which its records have grown
  // beyond so many bytes (a command from outside is not counted). The commands that are left are
  // processed by the next batch.
  std::size_t batch_commands_max = 100;
  std::size_t batch_bytes_max = kBatchBytesMax;
  // How many bytes of records one command may write. A command that would write more is not
  // processed: see give_up_on_size.
  std::size_t command_bytes_max = kCommandBytesMax;
  // How large the jobs of one reply may be together.
  std::size_t reply_bytes_max = std::size_t{4} << 20;
  // How many bytes the variables of one process instance may have together, names and values. A
  // client's command beyond that is rejected, an element that would write more has an incident.
  std::size_t instance_variables_max = std::size_t{32} << 20;
  // The zone in which timers step through the calendar, by its name.
  std::string time_zone = "UTC";
  // How often overdue messages are looked for.
  Milliseconds message_sweep_interval{60'000};
  ResendOptions resends = {};
  // Called before each command is processed, with its metadata; may throw InvariantError to play a
  // bug. For tests.
  std::function<void(const record::Metadata&)> before_command;
  // Is told of each command before it is processed, so that somebody on another thread can see what
  // the engine is busy with. It must be cheap, and changes nothing.
  std::function<void(const PendingCommand&)> observe_command = {};
};

// The deterministic core of a partition: (state, command, now) -> records. It has no clock, no I/O,
// no threads; the loop around it gives it commands and time, and writes what comes out.
//
//     BatchOutput output;
//     engine.process(command, now, output);   // or process_pending(now, output)
//     ... append output.frame to the log ...
//     engine.commit();                        // or rollback(), when the log would not take it
//
// Commands are processed in the order in which they stand on the log. A batch takes them from the
// front of that order until nothing is left or the batch is full (is_batch_full); the commands that
// are left are pending and go first in the next batch. So a process that runs in circles takes its
// turns with everybody else. A batch is never taken back because it is full: it ends between two
// commands. Only a command that cannot be processed itself (a bug, or more than command_bytes_max)
// takes the batch back.
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
    record::ValueType value_type = record::ValueType::Job;
    record::IntentNumber intent = 0;
    Key key;
    std::string_view value;
    record::RequestId request_id = 0;
    std::int64_t operation_reference = -1;
    Key min_pending_key{};  // of a command that another partition distributes
  };

  // Puts one command on the log and processes a batch, into one frame. `output` is cleared first.
  void process(const Command& command, Timestamp now, BatchOutput& output);
  // Processes a batch of what is pending; there must be something.
  void process_pending(Timestamp now, BatchOutput& output);
  // Commands that were written to the log and not yet processed.
  [[nodiscard]] bool has_pending() const { return !pending_->empty(); }

  // Makes the last batch final, or takes it back.
  void commit();
  void rollback();

  // Applies a frame from the log. Frames come in order, from the position the state is at.
  void replay(std::string_view frame);
  // Loads the checkpoint in `store`, pending commands included, and returns its position; 0 when
  // the store has none. Only for an engine that has processed and replayed nothing. Throws
  // state::StoreError when the store holds something that this version cannot read.
  Position load(const state::KeyValueStore& store);
  // The tables that checkpoints are taken of; see state::Checkpointer.
  [[nodiscard]] state::Database& checkpoint_source() { return state_->database(); }

  // What is due at `now`, as commands to be processed; at most `limit`.
  [[nodiscard]] std::vector<DueCommand> due_commands(Timestamp now, std::size_t limit);
  // Commands to other partitions that were not acknowledged in time and go out once more. They rest
  // on what is committed: a batch must not be under way.
  [[nodiscard]] std::vector<OutgoingCommand> due_sends(Timestamp now) {
    return resends_.due(*state_, now);
  }
  // When something will be due next; nothing when nothing waits.
  [[nodiscard]] std::optional<Timestamp> next_due() const;

  [[nodiscard]] Position last_position() const { return last_position_; }
  [[nodiscard]] const EngineState& state() const { return *state_; }

 private:
  // What a batch begins with: the command from outside, if there is one, and the time.
  struct Attempt {
    const Command* command = nullptr;
    Timestamp now;
    std::size_t commands_max = 0;
    BatchOutput& output;
    bool is_unlimited = false;
    std::size_t commands = 0;  // that were begun
  };
  // What is done instead of a command that cannot be processed.
  using Fallback = std::function<void(Step& step, const PendingCommand& initial)>;

  void run(const Command* command, Timestamp now, BatchOutput& output);
  // Processes the batch. Throws whatever keeps a command from being processed; `attempt` counts the
  // commands up to that one.
  void run_attempt(Attempt& attempt);
  // As run_attempt, but a batch whose second or later command is too large ends before that one.
  void run_attempts(Attempt& attempt);
  // Whether the batch ends with the command that was just processed.
  [[nodiscard]] bool is_batch_full(const Step& step, const Attempt& attempt) const;
  void run_fallback(Attempt attempt, const Fallback& fallback);
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
  // Apart, since the database points to the table, and the engine can be moved.
  std::unique_ptr<PendingCommands> pending_;
  std::unique_ptr<PendingTable> pending_table_;
  Resends resends_;
  DueCommands due_;
  Step::Scratch scratch_;

  // How things were before the batch that is not yet final; the database and the pending commands
  // know it themselves.
  struct Before {
    Position last_position{0};
    Position processed{0};
  };
  Before before_;
};

}  // namespace beeline::engine
