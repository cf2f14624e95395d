#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/ids.h"
#include "base/time.h"
#include "exporter/exporter.h"
#include "exporter/position_file.h"
#include "journal/log_storage.h"

namespace beeline::exporter {

struct RunnerOptions {
  // Flushing and keeping the position cost two syncs: they wait until this much time has passed
  // since the first unflushed record, or this many records have gathered.
  Milliseconds flush_interval{1000};
  std::int64_t flush_records_max = 50'000;
  // How long to wait after a failure; doubled from one to the next.
  Milliseconds backoff_first{100};
  Milliseconds backoff_max{30'000};
  // After finding no room on the disk, which somebody may make at any moment.
  Milliseconds backoff_room{1'000};
};

// What can be said of an exporter from outside.
struct RunnerStatus {
  std::string name;
  Position acknowledged{0};  // everything up to here is safe, and kept over a restart
  Position committed{0};     // of the log
  std::int64_t records_exported = 0;
  std::int64_t failures = 0;
  bool failing = false;    // the last attempt failed and the next one is awaited
  std::string last_error;  // empty when none happened

  [[nodiscard]] std::int64_t lag() const { return committed.value() - acknowledged.value(); }
};

// Drives one exporter over the log of one partition, on a thread of its own, so that an exporter
// that fails or is slow delays nobody: not the partition, not another exporter.
//
// Invariant: a record is given to the exporter only after every record before it, and the kept
// position grows only after flush has returned. So nothing is skipped, whatever fails when; what is
// repeated is at most what came after the last kept position. Where the log has no record of a
// position, the exporter is given the gap.
//
// Threading: notify_commit and status may be called from any thread; start and stop from one.
class ExporterRunner {
 public:
  // `log` must outlive this. Nothing happens before start().
  ExporterRunner(std::string name, std::unique_ptr<Exporter> exporter, PositionFile position_file,
                 journal::LogStorage& log, RunnerOptions options);
  ~ExporterRunner();
  ExporterRunner(const ExporterRunner&) = delete;
  ExporterRunner& operator=(const ExporterRunner&) = delete;

  // Hears, on the runner's thread, that acknowledged() has grown. Before start().
  void on_acknowledged(std::function<void()> callback) { on_acknowledged_ = std::move(callback); }
  void start();
  // Exports and flushes what is committed, once and without retrying, then ends the thread.
  void stop();
  // There may be more to read. Does not block.
  void notify_commit();
  [[nodiscard]] RunnerStatus status() const;
  // Everything up to here may leave the log as far as this exporter is concerned.
  [[nodiscard]] Position acknowledged() const {
    return Position{acknowledged_.load(std::memory_order_acquire)};
  }

 private:
  using SteadyClock = std::chrono::steady_clock;

  void run();
  void open();
  void start_position();
  // Throws when `position`, which `source` has, is beyond the end of the log.
  void check_position(Position position, std::string_view source) const;
  // Exports what is committed; returns at its end, or when stopping has begun and it ends there.
  void export_committed();
  void export_frame(const journal::Frame& frame);
  void export_gap_before(const record::Metadata& next);
  void flush();
  void acknowledge(Position position);
  void after_failure(const char* reason, Milliseconds backoff_max);
  void wait_for_work();

  const std::string name_;
  const std::unique_ptr<Exporter> exporter_;
  PositionFile position_file_;
  journal::LogStorage& log_;
  const RunnerOptions options_;
  std::function<void()> on_acknowledged_;
  std::thread thread_;

  // Of the runner's thread only.
  std::unique_ptr<journal::FrameReader> reader_;  // null: must be opened first
  bool position_known_ = false;
  Position exported_{0};
  std::int64_t unflushed_records_ = 0;
  SteadyClock::time_point unflushed_since_;
  Milliseconds backoff_{0};

  std::atomic<std::int64_t> acknowledged_{0};
  std::atomic<std::int64_t> records_exported_{0};

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool work_ = false;  // guarded by mutex_, as is all below
  bool stopping_ = false;
  std::int64_t failures_ = 0;
  bool failing_ = false;
  std::string last_error_;
};

}  // namespace beeline::exporter
