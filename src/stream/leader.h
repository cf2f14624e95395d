#pragma once

#include <absl/container/flat_hash_map.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <vector>

#include "base/time.h"
#include "engine/engine.h"
#include "journal/log_storage.h"
#include "stream/disk_room.h"
#include "stream/partition_options.h"
#include "stream/port.h"
#include "stream/stats.h"
#include "stream/transport.h"

namespace beeline::stream {

// The part of a partition that only the leading copy has: commands come in through bounded queues,
// are processed and appended to the log, and answers leave once the log has committed them.
//
//     submit ───▶ queue ──▶ process ──▶ append ──▶ (log: commit) ──▶ let_out: answers, jobs,
//     receive ──▶           ▲                                            commands to others
//                due dates, pending commands
//
// Lifecycle: it takes commands and reads from open() to step_down(), and again when the copy leads
// again; after end() it takes nothing any more. turn() does the work, and wait() sleeps until there
// is more. The destruction of its handler tells a caller that no answer comes; the command may have
// been carried out.
//
// A full disk is no failure. While the log has no room, commands that somebody waits for are
// refused, also those already in the queue. Commands that nobody waits for stay, and so does
// everything that is pending or due. While the log is busy, commands stay in the queue and nobody
// is refused until the queue is full.
//
// Threading: submit, read, receive, let_out, wake, end, begin_stop and drop_handlers may be called
// from any thread, the rest from the partition's thread. `mutex_` guards the queues and everything
// that waits for commits; it is never held while commands are processed or handlers run.
class Leader {
 public:
  // What a leader works with. All of it must outlive the leader.
  struct Surroundings {
    const PartitionOptions& options;
    journal::LogStorage& log;
    engine::Engine& engine;
    const Clock& clock;
    DiskRoom& room;
    PartitionStats& stats;
  };
  explicit Leader(const Surroundings& surroundings);

  // From now on commands and reads are taken, and turn() may be called: the engine is at the end of
  // the log, which this copy leads. Does nothing after end() or begin_stop().
  void open();
  // This copy leads no more. Forgets everything that was taken and not let out, and takes nothing
  // until open() is called again.
  void step_down();
  [[nodiscard]] bool is_open() const { return is_open_.load(); }
  // From now on nothing is taken any more.
  void end();
  // As end(), and is_done() tells when the commands that were taken are processed.
  void begin_stop();
  [[nodiscard]] bool is_done() const;
  // Destroys the handlers of all who wait for an answer, which is how they learn that none comes.
  void drop_handlers();

  // See PartitionPort.
  [[nodiscard]] SubmitResult submit(Command command, ResponseHandler handler);
  [[nodiscard]] SubmitResult read(ReadStep step, ReadHandler handler);
  // A command of another partition. It is dropped when too many wait.
  void receive(Command command);
  void set_job_listener(JobListener* listener) { job_listener_.store(listener); }
  // Before the partition starts; see Partition::set_transport.
  void set_transport(Transport* transport) { transport_ = transport; }

  // Processes as much as one turn takes. False when there was nothing to do.
  bool turn();
  // Whether the log has refused a frame because another copy leads: step_down() must follow.
  [[nodiscard]] bool is_deposed() const { return obstacle_ == Obstacle::NotLeader; }
  // Everything up to `committed` is committed: lets out the answers that waited for that.
  void let_out(Position committed);
  // Sleeps until there is something for turn(), or wake() is called, or `sleep_max` has passed.
  void wait(Milliseconds sleep_max);
  void wake();

 private:
  struct Queued {
    Command command;
    record::RequestId request = 0;
  };
  // How many bytes the commands of a queue have.
  class QueueBytes {
   public:
    // Whether a queue of at most `factor` times kQueueBytesMax has room for it.
    [[nodiscard]] bool admits(const Command& command, std::size_t factor) const {
      return bytes_ == 0 || bytes_ + size_of(command) <= kQueueBytesMax * factor;
    }
    void add(const Command& command) { bytes_ += size_of(command); }
    void remove(const Command& command) { bytes_ -= size_of(command); }

   private:
    static std::size_t size_of(const Command& command) {
      return sizeof(Command) + command.value.size();
    }
    std::size_t bytes_ = 0;
  };
  // Everything that a batch lets out once it is committed.
  struct Held {
    Position last;
    std::chrono::steady_clock::time_point processed_at;
    std::vector<engine::Response> responses;
    std::vector<engine::AvailableJob> available_jobs;
    std::vector<engine::OutgoingCommand> sends;
    ReadHandler read = nullptr;  // alone: a read that is done is held like a batch
  };
  struct Read {
    ReadStep step;
    ReadHandler handler;
  };
  // Why the log takes no frames now.
  enum class Obstacle { None, DiskFull, Busy, NotLeader };

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

  const Surroundings around_;
  journal::LogStorage& log_;
  engine::Engine& engine_;
  const Clock& clock_;
  PartitionStats& stats_;

  // Of the partition's thread:
  engine::BatchOutput output_;
  std::deque<Queued> taken_;  // from the queues, not yet processed
  Obstacle obstacle_ = Obstacle::None;
  bool is_queue_first_ = false;     // after a busy turn
  std::size_t refused_bytes_ = 0;   // of the frame that the log had no room for
  Transport* transport_ = nullptr;  // unchanged from the partition's start on

  std::atomic<bool> is_open_{false};
  std::atomic<JobListener*> job_listener_{nullptr};

  mutable std::mutex mutex_;
  std::condition_variable work_arrived_;
  // Guarded by mutex_:
  std::deque<Queued> queue_;
  QueueBytes queue_bytes_;
  std::deque<Command> received_;
  QueueBytes received_bytes_;
  std::deque<Held> held_;
  std::deque<Read> reads_;  // each gets a turn, one after the other
  absl::flat_hash_map<record::RequestId, ResponseHandler> handlers_;
  record::RequestId next_request_ = 1;
  bool is_woken_ = false;
  bool has_ended_ = false;
  bool is_stopping_ = false;
};

}  // namespace beeline::stream
