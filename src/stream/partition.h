#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "base/time.h"
#include "engine/engine.h"
#include "journal/log_storage.h"
#include "state/key_value_store.h"
#include "stream/activity.h"
#include "stream/disk_room.h"
#include "stream/leader.h"
#include "stream/partition_options.h"
#include "stream/port.h"
#include "stream/replica.h"
#include "stream/stats.h"
#include "stream/transport.h"

namespace beeline::stream {

// One partition from the view of a server: the copy of its state (Replica), the work of the leading
// copy (Leader), and the thread that drives both.
//
//     submit, receive, read ──▶ Leader ──process──▶ Replica: engine ──▶ checkpoints
//                                 │                    ▲
//                                 └──append──▶ log ────┘ replay
//                                 ▲             │
//                                 └──let_out────┘ on_commit
//
// A partition leads if its log leads, and otherwise follows: it replays the frames that another
// copy appends, takes checkpoints of its own, and refuses commands and reads. A follower that is
// elected replays the rest of the log and leads. A deposed leader drops the handlers of its
// callers, whose commands may or may not have been carried out, goes back to its last checkpoint
// and follows. The log of a single server always leads.
//
//     recover() ──▶ Following ──elected, caught up──▶ Leading
//                       ▲                                │
//                       └──────deposed: step_down()──────┘
//
// Lifecycle: construct, recover(), start(), stop(). Without start(), run_once() does what the
// thread would, on the calling thread: tests and the simulator use that.
//
// Failure: a log that fails, and anything that is thrown on the partition's thread, stops the
// partition for good; condition() returns the reason, and the failure callback is called. A full
// disk is not a failure. While the log or the checkpoint finds no room, commands are refused (see
// Leader), and the partition continues by itself when there is room.
//
// Threading: submit, receive, condition, stats and the like from any thread; all other functions
// from the thread that owns the partition. No lock is held while commands are processed or handlers
// run.
class Partition final : public PartitionPort, private journal::LogListener {
 public:
  // All references must outlive this object.
  Partition(PartitionOptions options, journal::LogStorage& log, state::KeyValueStore& store,
            const Clock& clock);
  ~Partition() override;

  // Loads the checkpoint and replays the log after it. Throws if they do not match.
  using Recovery = Replica::Recovery;
  Recovery recover();
  void start();
  // Processes the queued commands, takes a checkpoint, stops. Does nothing if it was not started.
  void stop();
  // `callback` is called once, on a thread of the partition, when the partition cannot continue
  // because its log failed.
  void set_failure_callback(std::function<void(const std::string&)> callback);

  // Processes what is available now, as much as one turn allows. Returns false if there was nothing
  // to do.
  bool run_once();
  // Without start(): releases what the log has committed, which the log's thread does otherwise.
  void let_out() { on_commit(log_.committed_position()); }
  // Returns the latest time at which there will be something to do if nothing arrives before;
  // nothing means never.
  [[nodiscard]] std::optional<Timestamp> next_wake() const;
  // Returns how long the thread sleeps if it has nothing to do and nothing arrives.
  [[nodiscard]] Milliseconds sleep_time() const;
  // Begins a checkpoint of the present state at once, regardless of the interval; run_once()
  // completes it. Call it only without start(), and when no checkpoint is in progress.
  void begin_checkpoint();
  // True if this copy accepts commands. Any thread may call it.
  [[nodiscard]] bool is_leading() const { return leader_.is_open(); }
  [[nodiscard]] bool is_checkpointing() const { return replica_.is_checkpointing(); }

  [[nodiscard]] PartitionId id() const override { return options_.id(); }
  [[nodiscard]] SubmitResult submit(const record::Principal& principal, Command command,
                                    ResponseHandler handler) override {
    return leader_.submit(principal, std::move(command), std::move(handler));
  }
  [[nodiscard]] SubmitResult submit_internal(Command command) override {
    return leader_.submit_internal(std::move(command));
  }
  [[nodiscard]] SubmitResult read(ReadStep step, ReadHandler handler) override {
    return leader_.read(std::move(step), std::move(handler));
  }
  [[nodiscard]] Condition condition() const override;
  // For monitoring the partition: see Watchdog in src/server.
  [[nodiscard]] const Activity& activity() const { return activity_; }
  // The watchdog reports that the partition makes no progress, and why; an empty reason means that
  // it makes progress again.
  void set_stalled(std::string reason);

  // The listener must outlive the partition's threads.
  void set_job_listener(JobListener* listener) { leader_.set_job_listener(listener); }
  // Sets the transport for commands to other partitions; without one they are dropped. It must
  // outlive the partition's threads. Call it before start().
  void set_transport(Transport* transport) { leader_.set_transport(transport); }
  // Accepts a command of another partition. It may be dropped silently, because its sender sends it
  // again.
  void receive(Command command) { leader_.receive(std::move(command)); }
  // `callback` is called when everything up to a position is committed, after the answers have
  // left. It is called on the thread that commits, so it must not block. Call it before start().
  void on_committed(std::function<void(Position)> callback) {
    committed_callback_ = std::move(callback);
  }
  // All exporters have exported everything up to here: the log may delete it.
  void set_exported(Position position) { exported_.store(position.value()); }

  [[nodiscard]] const PartitionStats& stats() const { return stats_; }
  [[nodiscard]] JobCountsByType job_counts() const;
  // Call it only while the partition is not running.
  [[nodiscard]] const engine::Engine& engine() const { return replica_.engine(); }

 private:
  void run();
  // One turn of a leader, and one of a follower. They return false if there was nothing to do.
  bool lead_once();
  bool follow_once();
  void lead();
  void step_down();
  void fail(const std::string& reason);
  void publish_stats();

  // LogListener
  void on_commit(Position committed) override;
  void on_failure(std::string_view reason) override;
  void on_elected(journal::Epoch epoch) override;
  void on_deposed(journal::Epoch epoch) override;
  void on_room() override { leader_.wake(); }

  const PartitionOptions options_;
  journal::LogStorage& log_;
  const Clock& clock_;
  PartitionStats stats_;
  Activity activity_;
  DiskRoom room_;
  Replica replica_;
  Leader leader_;
  Timestamp job_counts_at_;

  std::function<void(Position)> committed_callback_;  // unchanged from start() on
  std::atomic<bool> is_following_{false};
  std::atomic<bool> has_failed_{false};
  std::atomic<std::int64_t> exported_{std::numeric_limits<std::int64_t>::max()};

  mutable Mutex mutex_;
  JobCountsByType job_counts_ BEELINE_GUARDED_BY(mutex_);
  std::function<void(const std::string&)> failure_callback_ BEELINE_GUARDED_BY(mutex_);
  std::string failure_ BEELINE_GUARDED_BY(mutex_);  // why it has failed
  std::string stall_
      BEELINE_GUARDED_BY(mutex_);  // why it makes no progress, according to the watchdog

  std::thread thread_;
};

}  // namespace beeline::stream
