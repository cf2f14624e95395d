#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/ids.h"
#include "base/mutex.h"
#include "base/time.h"
#include "exporter/exporter.h"
#include "exporter/plan.h"
#include "exporter/position_file.h"
#include "journal/log_storage.h"

namespace beeline::exporter {

struct RunnerOptions {
  // Flushing and storing the position cost two syncs. They wait until this much time has passed
  // since the first unflushed record, or this many records have accumulated.
  Milliseconds flush_interval{1000};
  std::int64_t flush_records_max = 50'000;
  // The wait after a failure; each further wait is twice as long, up to backoff_max.
  Milliseconds backoff_first{100};
  Milliseconds backoff_max{30'000};
  // The wait after the disk had no room. It is short, because there may be room again at any
  // moment.
  Milliseconds backoff_room{1'000};
  // How often a resting exporter checks whether this copy leads.
  Milliseconds role_interval{200};
  // How long an exporter that is behind may continue after begin_stop(). It exports the rest after
  // the next start.
  Milliseconds stop_max{5'000};
};

// The status of an exporter for other threads.
struct RunnerStatus {
  std::string name;
  Position acknowledged{0};  // everything up to here is durable, and stored over a restart
  Position committed{0};     // the committed position of the log
  std::int64_t records_exported = 0;
  std::int64_t failures = 0;
  bool failing = false;    // true while it waits for the next attempt after a failure
  std::string last_error;  // empty if there was none

  [[nodiscard]] std::int64_t lag() const { return committed.value() - acknowledged.value(); }
};

// Drives one exporter over the log of one partition, on a thread of its own, so an exporter that
// fails or is slow delays neither the partition nor another exporter.
//
// Invariant: the exporter gets a record only after every record before it, and the stored position
// grows only after flush has returned. So no failure can make it skip records; at most the records
// after the last stored position are repeated. If the log has no records for some positions, the
// exporter gets the gap.
//
// An exporter that runs beside the leader rests while another copy leads. Records that it had not
// flushed by then are exported again, there or here: when this copy leads again, the exporter is
// opened anew at its stored position. While it rests, the log keeps the records that the exporter
// has not acknowledged.
//
// Threading: notify_commit, begin_stop and status may be called from any thread; start and stop
// from one.
class ExporterRunner {
 public:
  // `log` must outlive this object. Nothing happens before start().
  ExporterRunner(std::string name, Placement placement, std::unique_ptr<Exporter> exporter,
                 PositionFile position_file, journal::LogStorage& log, RunnerOptions options);
  ~ExporterRunner();
  ExporterRunner(const ExporterRunner&) = delete;
  ExporterRunner& operator=(const ExporterRunner&) = delete;

  // `callback` is called on the runner's thread when acknowledged() has grown. Call it before
  // start().
  void on_acknowledged(std::function<void()> callback) { on_acknowledged_ = std::move(callback); }
  void start();
  // From now on the exporter has RunnerOptions::stop_max to export and flush the committed records,
  // once and without retrying.
  void begin_stop();
  // Begins to stop if that was not done, and waits for the thread to end.
  void stop();
  // Notifies the exporter that there may be more to read. Does not block.
  void notify_commit();
  [[nodiscard]] RunnerStatus status() const;
  // This exporter no longer needs the log up to here.
  [[nodiscard]] Position acknowledged() const {
    return Position{acknowledged_.load(std::memory_order_acquire)};
  }

 private:
  using SteadyClock = std::chrono::steady_clock;

  void run();
  // Returns the epoch in which the exporter belongs to this copy; nothing while it belongs to
  // another one.
  [[nodiscard]] std::optional<journal::Epoch> turn() const;
  void rest();
  void open();
  void start_position();
  // Throws if `position`, which comes from `source`, is beyond the end of the log.
  void check_position(Position position, std::string_view source) const;
  // Exports what is committed; returns at its end, or when the time to stop is over.
  void export_committed();
  [[nodiscard]] bool is_too_late() const;
  void export_frame(const journal::Frame& frame);
  void export_gap_before(const record::Metadata& next);
  void flush();
  void acknowledge(Position position);
  void after_failure(const char* reason, Milliseconds backoff_max);
  void wait_for_work();

  const std::string name_;
  const Placement placement_;
  const std::unique_ptr<Exporter> exporter_;
  PositionFile position_file_;
  journal::LogStorage& log_;
  const RunnerOptions options_;
  std::function<void()> on_acknowledged_;
  std::thread thread_;

  // These belong to the runner's thread.
  std::optional<journal::Epoch> turn_;            // as of this round
  std::unique_ptr<journal::FrameReader> reader_;  // null: must be opened first
  bool position_known_ = false;
  Position exported_{0};
  std::int64_t unflushed_records_ = 0;
  SteadyClock::time_point unflushed_since_;
  Milliseconds backoff_{0};

  std::atomic<std::int64_t> acknowledged_{0};
  std::atomic<std::int64_t> records_exported_{0};

  mutable Mutex mutex_;
  CondVar wake_;
  bool work_ BEELINE_GUARDED_BY(mutex_) = false;
  bool stopping_ BEELINE_GUARDED_BY(mutex_) = false;
  SteadyClock::time_point stop_by_ BEELINE_GUARDED_BY(mutex_);  // when stopping_
  std::int64_t failures_ BEELINE_GUARDED_BY(mutex_) = 0;
  bool failing_ BEELINE_GUARDED_BY(mutex_) = false;
  std::string last_error_ BEELINE_GUARDED_BY(mutex_);
};

}  // namespace beeline::exporter
