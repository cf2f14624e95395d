#pragma once

#include <absl/functional/any_invocable.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "gateway/call.h"
#include "gateway/loop.h"
#include "gateway/requests.h"
#include "gateway/responses.h"
#include "stream/port.h"

namespace beeline::gateway {

// How a command ended: with the event or rejection that answers it, which is good as long as it is
// being told, or with a status that says why there is none.
using Outcome = Result<const record::RecordView*, Status>;

// Sends commands to partitions and sees to it that each one's sender hears how it ended: with its
// answer, or with a status when no partition takes the command, none answers in time, or the
// partition stops before it could.
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

  // `ended` is called once, perhaps before this returns.
  using Ended = absl::AnyInvocable<void(const Outcome&)>;
  void send(Request request, Milliseconds timeout, Ended ended);
  // The same for a gRPC call, which is finished by `respond` or with the status.
  void send(Request request, Milliseconds timeout, std::shared_ptr<Call> call, Respond respond);

 private:
  class Pending;

  // Tries each partition once, another one first each time.
  Status submit_in_turn(const stream::Command& command, const std::shared_ptr<Pending>& pending);

  stream::Partitions& partitions_;
  const std::shared_ptr<Loop> loop_;
  const std::size_t command_bytes_max_;
  std::atomic<std::uint32_t> turn_{0};
};

}  // namespace beeline::gateway
