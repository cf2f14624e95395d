#pragma once

#include <absl/functional/any_invocable.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/ids.h"
#include "base/time.h"
#include "service/error.h"
#include "service/loop.h"
#include "stream/port.h"

namespace beeline::service {

// A command and the partition that it is for.
struct Request {
  stream::Command command;
  // Empty: any partition will do, each in turn.
  std::optional<PartitionId> partition;
};

// The event that answers a command. It is valid until the function that was given it returns.
using Answer = const record::RecordView*;

// `ended` is called once, perhaps before the function returns that was given it.
using Ended = absl::AnyInvocable<void(const Outcome<Answer>&)>;

// Sends commands to partitions and sees to it that each one's sender hears how it ended: with the
// event that answers it, or with an error when the command is rejected, no partition takes it, none
// answers in time, or the partition stops before it could.
//
// A process is known to all partitions soon after it was deployed, to partition 1 at once: where
// another one does not find the process to start, partition 1 is asked.
//
// A command that was taken runs to its end, whether or not its client still waits.
//
// Threading: send() from any thread. Answers are handled on the partition's thread, the rest on the
// loop's or the sender's: whoever hears the outcome must not block.
class CommandSender {
 public:
  CommandSender(stream::Partitions& partitions, std::shared_ptr<Loop> loop,
                std::size_t command_bytes_max)
      : partitions_(partitions), loop_(std::move(loop)), command_bytes_max_(command_bytes_max) {}

  void send(Request request, Milliseconds timeout, Ended ended);

 private:
  class Pending;

  // Tries each partition once, another one first each time. The error says why none took it.
  Outcome<void> submit_in_turn(const stream::Command& command,
                               const std::shared_ptr<Pending>& pending);

  stream::Partitions& partitions_;
  const std::shared_ptr<Loop> loop_;
  const std::size_t command_bytes_max_;
  std::atomic<std::uint32_t> turn_{0};
};

}  // namespace beeline::service
