#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "base/ids.h"
#include "base/limits.h"
#include "base/time.h"

namespace beeline::record {
struct Metadata;
}

namespace beeline::engine {

struct PendingCommand;

// A batch ends with the command that brings its records beyond the first; one command may write the
// second at most.
inline constexpr std::size_t kBatchBytesMax = std::size_t{1} << 20;
inline constexpr std::size_t kCommandBytesMax = std::size_t{128} << 20;

struct ResendOptions {
  Milliseconds tick{5'000};  // from one look at what is pending to the next
  Milliseconds first{10'000};
  Milliseconds max{300'000};
  // Distributed commands go out once and are not sent again: for whoever has to keep partitions
  // that cannot be reached from being asked all the time.
  bool distributions_paused = false;
};

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
  std::size_t reply_bytes_max = kMessageBytesMax;
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

}  // namespace beeline::engine
