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
#include "service/principal.h"
#include "stream/port.h"

namespace beeline::service {

// A command and its target partition.
struct Request {
  stream::Command command;
  // Empty for any partition; then the partitions take turns.
  std::optional<PartitionId> partition;
};

// The event that answers a command. It is valid until the function that received it returns.
using Answer = const record::RecordView*;

// `ended` is called once, perhaps before the function that received it returns.
using Ended = absl::AnyInvocable<void(const Outcome<Answer>&)>;

// Sends commands to partitions and ensures that the sender of each learns how it ended: with the
// event that answers it, or with an error if the command is rejected, if no partition accepts it,
// if no answer comes in time, or if the partition stops before it could answer.
//
// Partition 1 knows a process as soon as it is deployed, the other partitions soon after. So if
// another partition does not find the process to start, the command is sent to partition 1.
//
// An accepted command is carried out even if its client no longer waits.
//
// Threading: send() from any thread. Answers are handled on the partition's thread, other outcomes
// on the loop's or the sender's: `ended` must not block.
class CommandSender {
 public:
  CommandSender(stream::Partitions& partitions, std::shared_ptr<Loop> loop,
                std::size_t command_bytes_max)
      : partitions_(partitions), loop_(std::move(loop)), command_bytes_max_(command_bytes_max) {}

  void send(const Principal& principal, Request request, Milliseconds timeout, Ended ended);

 private:
  class Pending;

  // Tries each partition once, beginning with another one each time. The error explains why no
  // partition accepted the command.
  Outcome<void> submit_in_turn(const stream::Command& command,
                               const std::shared_ptr<Pending>& pending);

  stream::Partitions& partitions_;
  const std::shared_ptr<Loop> loop_;
  const std::size_t command_bytes_max_;
  std::atomic<std::uint32_t> turn_{0};
};

}  // namespace beeline::service
