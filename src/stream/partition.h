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
  std::size_t batch_commands_max = 100;
  std::size_t batch_bytes_max = std::size_t{4} << 20;
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
// Threading: submit, receive, is_ready, stats and the like from any thread; the rest from the one
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
  // Called once, on a thread of the partition, when it cannot go on: the log failed.
  void on_failure(std::function<void(const std::string&)> callback);

  // Processes what is there now, as much as one turn takes. False when there was nothing to do.
  bool run_once();
  // Without start(): lets out what the log has committed, which its thread would do otherwise.
  void let_out() { on_commit(log_.committed_position()); }
  // When there will be something to do at the latest, if nothing comes in before; nothing: never.
  [[nodiscard]] std::optional<Timestamp> next_wake() const;
  // Begins a checkpoint of the state as it is, whatever the interval; turns of run_once finish it.
  // Only without start(), when none is under way and nothing is pending.
  void begin_checkpoint();
  [[nodiscard]] bool is_checkpointing() const { return !checkpointer_->is_idle(); }

  [[nodiscard]] PartitionId id() const override { return options_.id; }
  [[nodiscard]] SubmitResult submit(Command command, ResponseHandler handler) override;
  [[nodiscard]] bool is_ready() const override { return is_ready_.load(); }

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
  [[nodiscard]] engine::Engine& engine() { return engine_; }

 private:
  struct Queued {
    Command command;
    record::RequestId request = 0;
  };
  // What a batch lets out once it is committed.
  struct Held {
    Position last;
    std::chrono::steady_clock::time_point processed_at;
    std::vector<engine::Response> responses;
    std::vector<engine::AvailableJob> available_jobs;
    std::vector<engine::OutgoingCommand> sends;
  };

  void run();
  void fail(const std::string& reason);
  bool process_queue();
  bool process_due();
  void send_again();
  void send_all(std::vector<engine::OutgoingCommand> commands);
  bool process_pending();
  bool process_one(const engine::Engine::Command& command);
  [[nodiscard]] bool append_output();
  void let_out_at_once();
  void advance_checkpoint();
  void start_checkpoint();
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

  mutable std::mutex mutex_;
  std::condition_variable work_arrived_;
  std::deque<Queued> queue_;
  std::deque<Command> received_;
  std::deque<Held> held_;
  absl::flat_hash_map<record::RequestId, ResponseHandler> handlers_;
  record::RequestId next_request_ = 1;
  bool is_stopping_ = false;
  JobCountsByType job_counts_;
  Timestamp job_counts_at_;
  std::function<void(const std::string&)> failure_callback_;

  std::function<void(Position)> committed_callback_;  // unchanged from start() on
  Transport* transport_ = nullptr;                    // unchanged from start() on
  std::deque<Queued> taken_;                          // from the queues, not yet processed
  std::atomic<bool> is_ready_{false};
  std::atomic<bool> is_disk_full_{false};
  std::atomic<bool> has_failed_{false};
  std::atomic<JobListener*> job_listener_{nullptr};
  std::atomic<std::int64_t> exported_{std::numeric_limits<std::int64_t>::max()};
  PartitionStats stats_;
  std::thread thread_;
};

}  // namespace beeline::stream
