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
#include "engine/resends.h"
#include "engine/state/engine_state.h"
#include "engine/step.h"
#include "record/record.h"

namespace beeline::engine {

struct EngineOptions {
  PartitionId partition{1};
  std::int32_t partition_count = 1;
  // How many commands one batch processes; what follows beyond that is left for the next batch.
  std::size_t batch_commands_max = 100;
  // How large the records of one batch may be, a command from outside not counted.
  std::size_t batch_bytes_max = std::size_t{4} << 20;
  // The zone in which timers step through the calendar, by its name.
  std::string time_zone = "UTC";
  // How often overdue messages are looked for.
  Milliseconds message_sweep_interval{60'000};
  ResendOptions resends = {};
  // Called before each command is processed, with its metadata; may throw InvariantError to play a
  // bug. For tests.
  std::function<void(const record::Metadata&)> before_command;
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
// front of that order until nothing is left or its budget is spent; what is left is pending, and
// goes first in the next batch. So a process that runs in circles takes its turns with everybody
// else.
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
  [[nodiscard]] bool has_pending() const { return !pending_.empty(); }

  // Makes the last batch final, or takes it back.
  void commit();
  void rollback();

  // Applies a frame from the log. Frames come in order, from the position the state is at.
  void replay(std::string_view frame);
  // The state was loaded from a checkpoint at this position, when nothing was pending.
  void recover_at(Position position);

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
  [[nodiscard]] EngineState& state() { return *state_; }

 private:
  // What a batch begins with: the command from outside, if there is one, and the time.
  struct Attempt {
    const Command* command = nullptr;
    Timestamp now;
    std::size_t commands_max = 0;
    BatchOutput& output;
    bool is_unlimited = false;
  };
  // What is done instead of a command that cannot be processed.
  using Fallback = std::function<void(Step& step, const PendingCommand& initial)>;

  void run(const Command* command, Timestamp now, BatchOutput& output);
  // The number of commands after which the batch was too large, or 0 when it is done.
  std::size_t run_batch(Step& step, const Attempt& attempt);
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
  PendingCommands pending_;
  Resends resends_;
  DueCommands due_;
  Step::Scratch scratch_;

  // How things were before the batch that is not yet final.
  struct Before {
    std::vector<PendingCommand> pending;
    Position last_position{0};
    Position processed{0};
  };
  Before before_;
};

}  // namespace beeline::engine
