#include "gateway/command_sender.h"

#include <utility>

namespace beeline::gateway {

// A command that waits for its answer. Whichever comes first ends the call: the answer, the timeout
// or the handler's destruction, which is how a partition says that it will not answer.
class CommandSender::Pending {
 public:
  Pending(std::shared_ptr<Loop> loop, std::shared_ptr<Call> call, Respond respond)
      : loop_(std::move(loop)), call_(std::move(call)), respond_(respond) {}

  // Before the command is submitted, so that an answer always finds the timer to cancel.
  static void start_timer(const std::shared_ptr<Pending>& self, Milliseconds timeout) {
    self->timer_ = self->loop_->schedule(self->loop_->now() + timeout, [self, timeout] {
      if (!self->ended_.exchange(true)) self->call_->finish(timed_out(timeout));
    });
  }

  void answer(const record::RecordView& record) {
    if (ended_.exchange(true)) return;
    loop_->cancel(timer_);
    respond_(record, *call_);
  }

  void end(Status status) {
    if (ended_.exchange(true)) return;
    loop_->cancel(timer_);
    call_->finish(std::move(status));
  }

  // A handler is destroyed both by a partition that refuses the command and by one that stops; only
  // the second is the end. While submit() runs the two look alike, so it is told apart after.
  enum class Handler { Submitting, Held, Dropped };
  void handler_dropped(PartitionId partition) {
    if (handler_.exchange(Handler::Dropped) == Handler::Held) end(partition_inactive(partition));
  }
  void submitting() { handler_ = Handler::Submitting; }
  void submitted(PartitionId partition) {
    Handler expected = Handler::Submitting;
    if (!handler_.compare_exchange_strong(expected, Handler::Held)) {
      end(partition_inactive(partition));
    }
  }

 private:
  const std::shared_ptr<Loop> loop_;
  const std::shared_ptr<Call> call_;
  const Respond respond_;
  Loop::TimerId timer_;
  std::atomic<bool> ended_{false};
  std::atomic<Handler> handler_{Handler::Submitting};
};

void CommandSender::send(Request request, Milliseconds timeout, std::shared_ptr<Call> call,
                         Respond respond) {
  if (request.command.value.size() > command_bytes_max_) {
    call->finish(invalid_argument("Request size is above configured maxMessageSize."));
    return;
  }
  if (request.partition && request.partition->value() > partitions_.count()) {
    call->finish(partition_unknown(*request.partition));
    return;
  }
  const auto pending = std::make_shared<Pending>(loop_, std::move(call), respond);
  Pending::start_timer(pending, timeout);
  Status status =
      request.partition
          ? status_of_submit(submit(*request.partition, std::move(request.command), pending),
                             *request.partition)
          : submit_in_turn(request.command, pending);
  if (!status.is_ok()) pending->end(std::move(status));
}

stream::SubmitResult CommandSender::submit(PartitionId partition, stream::Command command,
                                           const std::shared_ptr<Pending>& pending) {
  struct DropNotice {
    std::shared_ptr<Pending> pending;
    PartitionId partition;
    DropNotice(std::shared_ptr<Pending> p, PartitionId id) : pending(std::move(p)), partition(id) {}
    DropNotice(DropNotice&& other) noexcept = default;
    DropNotice& operator=(DropNotice&&) = delete;
    ~DropNotice() {
      if (pending != nullptr) pending->handler_dropped(partition);
    }
  };
  pending->submitting();
  const stream::SubmitResult result = partitions_.partition(partition).submit(
      std::move(command),
      [notice = DropNotice(pending, partition)](const record::RecordView& record) {
        notice.pending->answer(record);
      });
  if (result == stream::SubmitResult::Accepted) pending->submitted(partition);
  return result;
}

Status CommandSender::submit_in_turn(const stream::Command& command,
                                     const std::shared_ptr<Pending>& pending) {
  const auto count = static_cast<std::uint32_t>(partitions_.count());
  const std::uint32_t first = turn_.fetch_add(1, std::memory_order_relaxed);
  bool queue_full = false;
  Status status = all_inactive();
  for (std::uint32_t i = 0; i < count; ++i) {
    const PartitionId partition{static_cast<std::int32_t>((first + i) % count) + 1};
    const stream::SubmitResult result = submit(partition, command, pending);
    if (result == stream::SubmitResult::Accepted) return ok();
    if (result == stream::SubmitResult::QueueFull) queue_full = true;
    if (result == stream::SubmitResult::DiskFull) status = disk_full(partition);
  }
  // The most hopeful reason: a full queue empties by itself, a full disk does not.
  return queue_full ? all_overloaded() : status;
}

}  // namespace beeline::gateway
