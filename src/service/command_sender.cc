#include "service/command_sender.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace beeline::service {
namespace {

// The partition that carries out deployments first.
constexpr PartitionId kFirstPartition{1};

}  // namespace

// A command that waits for its answer. It ends with the first of these: the answer, the timeout, or
// the destruction of the handler, by which a partition signals that it will not answer.
class CommandSender::Pending {
 public:
  Pending(stream::Partitions& partitions, std::shared_ptr<Loop> loop, Principal principal,
          Ended ended)
      : partitions_(partitions),
        loop_(std::move(loop)),
        principal_(std::move(principal)),
        on_end_(std::move(ended)) {}

  // Call it before the command is submitted: if another partition answers NOT_FOUND, the command is
  // repeated on partition 1.
  void repeat_on_first_partition(stream::Command command) { repeat_ = std::move(command); }

  enum class Handler { Submitting, Held, Dropped };
  static stream::SubmitResult submit(const std::shared_ptr<Pending>& self,
                                     std::atomic<Handler>& handler, PartitionId partition,
                                     stream::Command command);
  static stream::SubmitResult submit(const std::shared_ptr<Pending>& self, PartitionId partition,
                                     stream::Command command) {
    return submit(self, self->handler_, partition, std::move(command));
  }

  // Call it before the command is submitted, so an answer always finds the timer to cancel.
  static void start_timer(const std::shared_ptr<Pending>& self, Milliseconds timeout) {
    self->timer_ = self->loop_->schedule(self->loop_->now() + timeout, [self, timeout] {
      if (!self->ended_.exchange(true)) self->tell(failure(timed_out(timeout)));
    });
  }

  static void answer(const std::shared_ptr<Pending>& self, PartitionId from,
                     const record::RecordView& record) {
    if (self->repeat_ && from != kFirstPartition &&
        record.metadata.rejection_type == record::RejectionType::NotFound) {
      stream::Command command = std::move(*self->repeat_);
      self->repeat_.reset();
      // If the repetition is not accepted, the first answer counts.
      if (submit(self, self->repeated_handler_, kFirstPartition, std::move(command)) ==
          stream::SubmitResult::Accepted) {
        return;
      }
    }
    if (self->ended_.exchange(true)) return;
    self->loop_->cancel(self->timer_);
    if (record.metadata.record_type == record::RecordType::CommandRejection) {
      self->tell(failure(error_of_rejection(record.metadata)));
    } else {
      self->tell(&record);
    }
  }

  void end(Error error) {
    if (ended_.exchange(true)) return;
    loop_->cancel(timer_);
    tell(failure(std::move(error)));
  }

  // Both a partition that refuses the command and one that stops destroy the handler; only the
  // latter ends the command. While submit() runs, the two cannot be distinguished, so this is
  // decided afterwards.
  void handler_dropped(std::atomic<Handler>& handler, PartitionId partition) {
    if (handler.exchange(Handler::Dropped) == Handler::Held) end(why_dropped(partition));
  }
  void submitted(std::atomic<Handler>& handler, PartitionId partition) {
    Handler expected = Handler::Submitting;
    if (!handler.compare_exchange_strong(expected, Handler::Held)) end(why_dropped(partition));
  }

 private:
  // A partition drops an accepted command when it stops, and when it finds the disk full.
  [[nodiscard]] Error why_dropped(PartitionId partition) const {
    return partitions_.partition(partition).condition().is_disk_full
               ? disk_full(partition)
               : partition_inactive(partition);
  }

  // Called by the code that set `ended_`. It releases the caller's function, because this object
  // may live until its timer is due.
  void tell(const Outcome<Answer>& outcome) { std::exchange(on_end_, nullptr)(outcome); }

  stream::Partitions& partitions_;
  const std::shared_ptr<Loop> loop_;
  const Principal principal_;
  Ended on_end_;
  std::optional<stream::Command> repeat_;
  Loop::TimerId timer_;
  std::atomic<bool> ended_{false};
  // The handlers of the command and of its repetition. The repetition may run before the thread
  // that submitted the command returns.
  std::atomic<Handler> handler_{Handler::Submitting};
  std::atomic<Handler> repeated_handler_{Handler::Submitting};
};

void CommandSender::send(const Principal& principal, Request request, Milliseconds timeout,
                         Ended ended) {
  if (request.command.value.size() > command_bytes_max_) {
    ended(failure(Error{
        ErrorKind::TooLarge,
        fmt::format("Request size is above configured maxMessageSize. The command has {} bytes, "
                    "and at most {} are allowed (twice message-size-max).",
                    request.command.value.size(), command_bytes_max_)}));
    return;
  }
  if (request.partition && request.partition->value() > partitions_.count()) {
    ended(failure(partition_unknown(*request.partition)));
    return;
  }
  const auto pending = std::make_shared<Pending>(partitions_, loop_, principal, std::move(ended));
  Pending::start_timer(pending, timeout);
  if (!request.partition) {
    if (auto submitted = submit_in_turn(request.command, pending); !submitted) {
      pending->end(std::move(submitted.error()));
    }
    return;
  }
  const stream::SubmitResult result =
      Pending::submit(pending, *request.partition, std::move(request.command));
  if (result != stream::SubmitResult::Accepted) {
    pending->end(error_of_submit(result, *request.partition));
  }
}

stream::SubmitResult CommandSender::Pending::submit(const std::shared_ptr<Pending>& self,
                                                    std::atomic<Handler>& handler,
                                                    PartitionId partition,
                                                    stream::Command command) {
  struct DropNotice {
    std::shared_ptr<Pending> pending;
    std::atomic<Handler>& handler;  // a member of `pending`
    PartitionId partition;
    DropNotice(std::shared_ptr<Pending> p, std::atomic<Handler>& h, PartitionId id)
        : pending(std::move(p)), handler(h), partition(id) {}
    DropNotice(DropNotice&& other) noexcept = default;
    DropNotice& operator=(DropNotice&&) = delete;
    ~DropNotice() {
      if (pending != nullptr) pending->handler_dropped(handler, partition);
    }
  };
  handler = Handler::Submitting;
  const stream::SubmitResult result = self->partitions_.partition(partition).submit(
      self->principal_, std::move(command),
      [notice = DropNotice(self, handler, partition)](const record::RecordView& record) mutable {
        // From here on the command is answered, and the destruction of the handler means nothing.
        const std::shared_ptr<Pending> answered = std::move(notice.pending);
        answer(answered, notice.partition, record);
      });
  if (result == stream::SubmitResult::Accepted) self->submitted(handler, partition);
  return result;
}

Outcome<void> CommandSender::submit_in_turn(const stream::Command& command,
                                            const std::shared_ptr<Pending>& pending) {
  const auto count = static_cast<std::uint32_t>(partitions_.count());
  const std::uint32_t first = turn_.fetch_add(1, std::memory_order_relaxed);
  // These are the commands for any partition that are rejected as NOT_FOUND where their process is
  // not known yet.
  const bool names_process =
      command.head.value_type == record::ValueType::ProcessInstanceCreation ||
      command.head.value_type == record::ValueType::ConditionalEvaluation;
  if (count > 1 && names_process) {
    pending->repeat_on_first_partition(command);
  }
  std::optional<Error> overloaded;
  Error error = all_inactive();
  for (std::uint32_t i = 0; i < count; ++i) {
    const PartitionId partition{static_cast<std::int32_t>((first + i) % count) + 1};
    const stream::SubmitResult result = Pending::submit(pending, partition, command);
    if (result == stream::SubmitResult::Accepted) return {};
    if (result == stream::SubmitResult::QueueFull ||
        result == stream::SubmitResult::QueueBytesFull) {
      overloaded = error_of_submit(result, partition);
    }
    if (result == stream::SubmitResult::DiskFull) error = disk_full(partition);
  }
  // Returns the most hopeful reason: a full queue empties by itself, a full disk does not.
  return failure(overloaded ? all_overloaded(*overloaded) : std::move(error));
}

}  // namespace beeline::service
