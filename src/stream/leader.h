#pragma once

#include <absl/container/flat_hash_map.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <vector>

#include "base/mutex.h"
#include "base/time.h"
#include "engine/engine.h"
#include "journal/log_storage.h"
#include "stream/port.h"
#include "stream/stats.h"
#include "stream/surroundings.h"
#include "stream/transport.h"

namespace beeline::stream {

// The part of a partition that only the leading copy uses: commands arrive through bounded queues,
// are processed and appended to the log, and answers leave after the log has committed them.
//
//     submit ───▶ queue ──▶ process ──▶ append ──▶ (log: commit) ──▶ let_out: answers, jobs,
//     receive ──▶           ▲                                            commands to others
//                due dates, pending commands
//
// Lifecycle: it accepts commands and reads from open() to step_down(), and again when the copy
// leads again; after end() it accepts nothing any more. turn() does the work, and wait() sleeps
// until there is more. The destruction of a handler tells its caller that no answer will come; the
// command may have been carried out.
//
// A full disk is not a failure. While the log has no room, commands whose caller waits for an
// answer are refused, including those in the queue. Commands without a waiting caller stay, and so
// does everything that is pending or due. While the log is busy, commands stay in the queue and are
// refused only when the queue is full.
//
// Threading: submit, submit_internal, read, receive, let_out, wake, end, begin_stop and
// drop_handlers may be called from any thread, the rest from the partition's thread. `mutex_`
// guards the queues and everything that waits for commits; it is never held while commands are
// processed or handlers run.
class Leader {
 public:
  // `engine` is that of the copy, and must outlive the leader.
  Leader(const Surroundings& surroundings, engine::Engine& engine);

  // From now on commands and reads are accepted, and turn() may be called: the engine is at the end
  // of the log, which this copy leads. Does nothing after end() or begin_stop().
  void open();
  // This copy no longer leads. Drops everything that was accepted and not released, and accepts
  // nothing until open() is called again.
  void step_down();
  [[nodiscard]] bool is_open() const { return is_open_.load(); }
  // From now on nothing is accepted any more.
  void end();
  // Like end(), and drops commands that were taken but not processed, if their senders notice: a
  // client gets no answer, and another partition sends its command again. The remaining commands,
  // such as jobs that are given back, are still processed; is_done() returns true after that.
  void begin_stop();
  [[nodiscard]] bool is_done() const;
  // Destroys the handlers of all waiting callers, which signals that no answer will come.
  void drop_handlers();

  // See PartitionPort.
  [[nodiscard]] SubmitResult submit(const record::Principal& principal, Command command,
                                    ResponseHandler handler);
  [[nodiscard]] SubmitResult submit_internal(Command command);
  [[nodiscard]] SubmitResult read(ReadStep step, ReadHandler handler);
  // Accepts a command of another partition. It is dropped if too many wait.
  void receive(Command command);
  void set_job_listener(JobListener* listener) { job_listener_.store(listener); }
  // Call it before the partition starts; see Partition::set_transport.
  void set_transport(Transport* transport) { transport_ = transport; }

  // Processes as much as one turn allows. Returns false if there was nothing to do.
  bool turn();
  // True if the log has refused a frame because another copy leads: step_down() must follow.
  [[nodiscard]] bool is_deposed() const { return obstacle_ == Obstacle::NotLeader; }
  // Everything up to `committed` is committed: releases the answers that waited for that.
  void let_out(Position committed);
  // Sleeps until turn() has something to do, wake() is called, or `sleep_max` has passed.
  void wait(Milliseconds sleep_max);
  void wake();

 private:
  struct Queued {
    Command command;
    record::RequestId request = 0;
    bool is_missed = false;  // its sender notices when it is not processed
  };
  // The total size of the commands in a queue.
  class QueueBytes {
   public:
    // True if a queue of at most `factor` times kQueueBytesMax has room for the command.
    [[nodiscard]] bool admits(const Command& command, std::size_t factor) const {
      return bytes_ == 0 || bytes_ + size_of(command) <= kQueueBytesMax * factor;
    }
    void add(const Command& command) { bytes_ += size_of(command); }
    void remove(const Command& command) { bytes_ -= size_of(command); }

   private:
    static std::size_t size_of(const Command& command) {
      return sizeof(Command) + command.head.principal.bytes.size() + command.value.size();
    }
    std::size_t bytes_ = 0;
  };
  // Everything that a batch releases when it is committed.
  struct Held {
    Position last;
    std::chrono::steady_clock::time_point processed_at;
    std::vector<engine::Response> responses;
    std::vector<engine::AvailableJob> available_jobs;
    std::vector<engine::OutgoingCommand> sends;
    ReadHandler read = nullptr;  // alone: a finished read is held like a batch
  };
  struct Read {
    ReadStep step;
    ReadHandler handler;
  };
  // Why the log accepts no frames now.
  enum class Obstacle { None, DiskFull, Busy, NotLeader };

  [[nodiscard]] SubmitResult enqueue(Command command, ResponseHandler handler);
  bool process_queue();
  bool process_due();
  void send_again();
  void send_all(std::vector<engine::OutgoingCommand> commands);
  bool process_pending();
  bool process_read();
  bool process_one(const engine::Engine::Command& command);
  [[nodiscard]] bool append_output();
  void let_out_at_once();
  [[nodiscard]] bool look_for_room();
  void refuse_waiting();
  // Takes those commands out of the queue that somebody waits for, and their handlers.
  void take_waiting(std::deque<Queued>& queue, std::vector<ResponseHandler>& handlers)
      BEELINE_REQUIRES(mutex_);
  [[nodiscard]] bool has_work(bool is_blocked) const BEELINE_REQUIRES(mutex_);

  const Surroundings around_;
  journal::LogStorage& log_;
  engine::Engine& engine_;
  const Clock& clock_;
  PartitionStats& stats_;

  // These belong to the partition's thread:
  engine::BatchOutput output_;
  std::deque<Queued> taken_;  // from the queues, not yet processed
  Obstacle obstacle_ = Obstacle::None;
  bool is_queue_first_ = false;     // after a busy turn
  std::size_t refused_bytes_ = 0;   // size of the frame for which the log had no room
  Transport* transport_ = nullptr;  // unchanged from the partition's start on

  std::atomic<bool> is_open_{false};
  std::atomic<JobListener*> job_listener_{nullptr};

  mutable Mutex mutex_;
  CondVar work_arrived_;
  std::deque<Queued> queue_ BEELINE_GUARDED_BY(mutex_);
  QueueBytes queue_bytes_ BEELINE_GUARDED_BY(mutex_);
  std::deque<Command> received_ BEELINE_GUARDED_BY(mutex_);
  QueueBytes received_bytes_ BEELINE_GUARDED_BY(mutex_);
  std::deque<Held> held_ BEELINE_GUARDED_BY(mutex_);
  std::deque<Read> reads_ BEELINE_GUARDED_BY(mutex_);  // each gets a turn, one after the other
  absl::flat_hash_map<record::RequestId, ResponseHandler> handlers_ BEELINE_GUARDED_BY(mutex_);
  record::RequestId next_request_ BEELINE_GUARDED_BY(mutex_) = 1;
  bool is_woken_ BEELINE_GUARDED_BY(mutex_) = false;
  bool has_ended_ BEELINE_GUARDED_BY(mutex_) = false;
  bool is_stopping_ BEELINE_GUARDED_BY(mutex_) = false;
};

}  // namespace beeline::stream
