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

// A batch ends with the command that brings its records beyond kBatchBytesMax. One command may
// write at most kCommandBytesMax.
inline constexpr std::size_t kBatchBytesMax = std::size_t{1} << 20;
inline constexpr std::size_t kCommandBytesMax = std::size_t{128} << 20;

struct ResendOptions {
  Milliseconds tick{5'000};  // the time between two searches for pending commands
  Milliseconds first{10'000};
  Milliseconds max{300'000};
  // If true, distributed commands are sent once and not again. Operators set it while a partition
  // cannot be reached, so that it does not get the same commands over and over.
  bool distributions_paused = false;
};

struct EngineOptions {
  PartitionId partition{1};
  std::int32_t partition_count = 1;
  // A batch ends after this many commands, or with the command that brings its records beyond this
  // many bytes (a command from outside is not counted). The next batch processes the remaining
  // commands.
  std::size_t batch_commands_max = 100;
  std::size_t batch_bytes_max = kBatchBytesMax;
  // The bytes of records that one command may write. A command that would write more is not
  // processed; see give_up_on_size.
  std::size_t command_bytes_max = kCommandBytesMax;
  // The largest total size of the jobs in one reply.
  std::size_t reply_bytes_max = kMessageBytesMax;
  // The largest total size of the variables of one process instance, names and values. A client's
  // command that would exceed it is rejected; an element that would exceed it gets an incident.
  std::size_t instance_variables_max = std::size_t{32} << 20;
  // The receivers of a signal that one step serves. A signal with more continues in further steps.
  std::size_t signal_receivers_max = 500;
  // The name of the time zone in which timers step through the calendar.
  std::string time_zone = "UTC";
  // The time between two searches for overdue messages.
  Milliseconds message_sweep_interval{60'000};
  ResendOptions resends = {};
  // For tests: called with the metadata of each command before it is processed. It may throw
  // InvariantError to simulate a bug.
  std::function<void(const record::Metadata&)> before_command;
  // For tests: called before a signal is delivered to an element instance. It may throw
  // InvariantError to simulate a bug.
  std::function<void(Key element_instance)> before_receiver = {};
  // Called with each command before it is processed, so that another thread can see what the engine
  // is busy with. It must be cheap and must not change anything.
  std::function<void(const PendingCommand&)> observe_command = {};
};

}  // namespace beeline::engine
