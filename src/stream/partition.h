#pragma once

#include <absl/container/flat_hash_map.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/time.h"
#include "engine/engine.h"
#include "journal/log_storage.h"
#include "state/checkpointer.h"
#include "state/key_value_store.h"
#include "stream/activity.h"
#include "stream/port.h"
#include "stream/stats.h"
#include "stream/transport.h"

namespace beeline::stream {

struct PartitionOptions {
  PartitionId id{1};
  std::int32_t partition_count = 1;
  // How many commands may wait; more are refused.
  std::size_t queue_max = 10'000;
  // How many commands of other partitions may wait; more are dropped, and are sent again.
  std::size_t received_max = 10'000;
  // How many reads may wait; more are refused.
  std::size_t reads_max = 64;
  std::size_t batch_commands_max = 100;
  std::size_t batch_bytes_max = engine::kBatchBytesMax;
  std::size_t command_bytes_max = engine::kCommandBytesMax;
  std::size_t reply_bytes_max = std::size_t{4} << 20;
  std::size_t instance_variables_max = std::size_t{32} << 20;
  // See engine::EngineOptions.
  std::string time_zone = "UTC";
  Milliseconds message_sweep_interval{60'000};
  engine::ResendOptions resends = {};
  // A checkpoint is begun when so much has happened since the last.
  Milliseconds checkpoint_interval{5 * 60 * 1000};
  std::int64_t checkpoint_records = 2'000'000;
  // How many rows a checkpoint takes between two batches.
  std::size_t checkpoint_rows = 500;
  state::Checkpointer::Writes checkpoint_writes = state::Checkpointer::Writes::InBackground;
  // For tests; see engine::EngineOptions.
  std::function<void(const record::Metadata&)> before_command;
};

// One partition at work: commands come in through a bounded queue, one thread processes them and
// appends what comes out to the log, and answers leave once the log has committed them.
//
//     submit ───▶ queue ──▶ process ──▶ append ──▶ (log: commit) ──▶ on_commit: answers, jobs,
//     receive ──▶           ▲                                            commands to others
//                due dates, pending commands
//
// Lifecycle: construct, recover(), start(), stop(). Without start(), run_once() does what the
// thread would, on the calling thread: tests and the simulator use that.
//
// A full disk is no failure. While the log has no room, the commands that somebody waits for are
// refused, those already in the queue too; what nobody waits for stays, and so does all that is
// pending or due. While the checkpoint has no room it is tried again every second, and commands are
// refused as well, since the log would only grow. In both cases the partition goes on by itself
// when there is room.
//
// Threading: submit, receive, condition, stats and the like from any thread; the rest from the one
// that owns the partition. `mutex_` guards the queue and what waits for commits; it is never held
// while commands are processed or handlers run.
class Partition final : public PartitionPort, private journal::LogListener {
 public:
  // All references must outlive this.
  Partition(PartitionOptions options, journal::LogStorage& log, state::KeyValueStore& store,
            const Clock& clock);
  ~Partition() override;

  // Loads the checkpoint and replays the log behind it. Throws when they do not fit together.
  struct Recovery {
    Position checkpoint{0};
    std::int64_t replayed_records = 0;
  };
  Recovery recover();
  void start();
  // Processes what is queued, takes a checkpoint, stops. Does nothing when not started.
  void stop();
  // `callback` is called once, on a thread of the partition, when the partition cannot go on
  // because its log failed.
  void set_failure_callback(std::function<void(const std::string&)> callback);

  // Processes what is there now, as much as one turn takes. False when there was nothing to do.
  bool run_once();
  // Without start(): lets out what the log has committed, which its thread would do otherwise.
  void let_out() { on_commit(log_.committed_position()); }
  // When there will be something to do at the latest, if nothing comes in before; nothing: never.
  [[nodiscard]] std::optional<Timestamp> next_wake() const;
  // Begins a checkpoint of the state as it is, whatever the interval; turns of run_once finish it.
  // Only without start(), and when none is under way.
  void begin_checkpoint();
  [[nodiscard]] bool is_checkpointing() const { return !checkpointer_->is_idle(); }

  [[nodiscard]] PartitionId id() const override { return options_.id; }
  [[nodiscard]] SubmitResult submit(Command command, ResponseHandler handler) override;
  [[nodiscard]] SubmitResult read(ReadStep step, ReadHandler handler) override;
  [[nodiscard]] Condition condition() const override;
  // For whoever watches the partition: see Watchdog in src/server.
  [[nodiscard]] const Activity& activity() const { return activity_; }
  // The watchdog has seen that the partition stands still, and why; an empty reason: it moves
  // again.
  void set_stalled(std::string reason);

  // The listener must outlive the partition's threads.
  void set_job_listener(JobListener* listener) { job_listener_.store(listener); }
  // Where commands to other partitions go; without one they are dropped. It must outlive the
  // partition's threads. Before start().
  void set_transport(Transport* transport) { transport_ = transport; }
  // A command of another partition. It may be dropped without a word: whoever sent it sends it
  // again.
  void receive(Command command);
  // `callback` hears that everything up to a position is committed, after the answers have left. It
  // is called on the thread that commits: it must not block. Before start().
  void on_committed(std::function<void(Position)> callback) {
    committed_callback_ = std::move(callback);
  }
  // Everything up to here has been exported by everyone who exports: the log may forget it.
  void set_exported(Position position) { exported_.store(position.value()); }

  [[nodiscard]] const PartitionStats& stats() const { return stats_; }
  [[nodiscard]] JobCountsByType job_counts() const;
  // Only while the partition is not running.
  [[nodiscard]] const engine::Engine& engine() const { return engine_; }

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
  // What a batch lets out once it is committed.
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

  void run();
  void fail(const std::string& reason);
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
  void drop_handlers();
  void advance_checkpoint();
  void start_checkpoint();
  [[nodiscard]] bool step_checkpoint(const std::function<void()>& step);
  void set_log_full(bool is_full);
  void set_checkpoint_full(bool is_full);
  [[nodiscard]] bool is_disk_full() const {
    return is_log_full_.load() || is_checkpoint_full_.load();
  }
  void take_last_checkpoint();
  void publish_stats();
  void wait_for_work();

  // LogListener
  void on_commit(Position committed) override;
  void on_failure(std::string_view reason) override;

  PartitionOptions options_;
  journal::LogStorage& log_;
  state::KeyValueStore& store_;
  const Clock& clock_;
  engine::Engine engine_;
  engine::BatchOutput output_;
  std::unique_ptr<state::Checkpointer> checkpointer_;
  Timestamp last_checkpoint_at_;
  Position last_checkpoint_{0};
  Position checkpoint_under_way_{0};
  Timestamp checkpoint_retry_at_;  // while is_checkpoint_full_
  std::size_t refused_bytes_ = 0;  // of the frame that the log had no room for

  mutable std::mutex mutex_;
  std::condition_variable work_arrived_;
  std::deque<Queued> queue_;
  QueueBytes queue_bytes_;
  std::deque<Command> received_;
  QueueBytes received_bytes_;
  std::deque<Held> held_;
  std::deque<Read> reads_;  // each gets a turn, one after the other
  absl::flat_hash_map<record::RequestId, ResponseHandler> handlers_;
  record::RequestId next_request_ = 1;
  bool is_stopping_ = false;
  JobCountsByType job_counts_;
  Timestamp job_counts_at_;
  std::function<void(const std::string&)> failure_callback_;
  std::string failure_;  // why it has failed
  std::string stall_;    // why it stands still, if the watchdog says so

  std::function<void(Position)> committed_callback_;  // unchanged from start() on
  Transport* transport_ = nullptr;                    // unchanged from start() on
  std::deque<Queued> taken_;                          // from the queues, not yet processed
  std::atomic<bool> is_ready_{false};
  std::atomic<bool> is_readable_{false};  // from recovery until the partition stops or fails
  std::atomic<bool> is_log_full_{false};
  std::atomic<bool> is_checkpoint_full_{false};
  std::atomic<bool> has_failed_{false};
  std::atomic<JobListener*> job_listener_{nullptr};
  std::atomic<std::int64_t> exported_{std::numeric_limits<std::int64_t>::max()};
  PartitionStats stats_;
  Activity activity_;
  std::thread thread_;
};

}  // namespace beeline::stream
