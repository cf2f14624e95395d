#include "exporter/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <utility>

#include "base/check.h"
#include "base/io_error.h"
#include "base/log.h"
#include "record/frame.h"
#include "record/record.h"

namespace beeline::exporter {

ExporterRunner::ExporterRunner(std::string name, Placement placement,
                               std::unique_ptr<Exporter> exporter, PositionFile position_file,
                               journal::LogStorage& log, RunnerOptions options)
    : name_(std::move(name)),
      placement_(placement),
      exporter_(std::move(exporter)),
      position_file_(std::move(position_file)),
      log_(log),
      options_(options) {}

ExporterRunner::~ExporterRunner() {
  stop();
}

void ExporterRunner::start() {
  BEELINE_CHECK(!thread_.joinable(), "exporter {} was started twice", name_);
  thread_ = std::thread([this] { run(); });
}

void ExporterRunner::begin_stop() {
  {
    const MutexLock lock{mutex_};
    if (stopping_) return;
    stopping_ = true;
    stop_by_ = SteadyClock::now() + options_.stop_max;
  }
  wake_.notify_one();
}

void ExporterRunner::stop() {
  begin_stop();
  if (thread_.joinable()) thread_.join();
}

void ExporterRunner::notify_commit() {
  {
    const MutexLock lock{mutex_};
    if (work_) return;  // the thread has not yet handled the last call
    work_ = true;
  }
  wake_.notify_one();
}

RunnerStatus ExporterRunner::status() const {
  // The acknowledged position is read first: it can only fall behind, so the lag is never negative.
  RunnerStatus result{.name = name_, .acknowledged = acknowledged(), .last_error = {}};
  result.committed = std::max(log_.committed_position(), result.acknowledged);
  result.records_exported = records_exported_.load(std::memory_order_relaxed);
  const MutexLock lock{mutex_};
  result.failures = failures_;
  result.failing = failing_;
  result.last_error = last_error_;
  return result;
}

void ExporterRunner::run() {
  for (bool last_round = false; !last_round;) {
    {
      const MutexLock lock{mutex_};
      last_round = stopping_;
      work_ = false;
    }
    try {
      if (const auto now = turn(); now != turn_) {
        rest();
        turn_ = now;
      }
      if (turn_) {
        if (!reader_) open();
        export_committed();
        const bool due = SteadyClock::now() - unflushed_since_ >= options_.flush_interval;
        if (unflushed_records_ > 0 && (due || last_round)) flush();
      }
    } catch (const IoError& error) {
      after_failure(error.what(),
                    is_out_of_room(error) ? options_.backoff_room : options_.backoff_max);
    } catch (const std::exception& error) {
      after_failure(error.what(), options_.backoff_max);
    }
    if (!last_round) wait_for_work();
  }
}

std::optional<journal::Epoch> ExporterRunner::turn() const {
  if (placement_ == Placement::OnEveryCopy) return journal::Epoch{0};
  if (log_.role() != journal::LogRole::Leading) return std::nullopt;
  return log_.epoch();
}

void ExporterRunner::rest() {
  reader_.reset();
  position_known_ = false;  // the exporter beside another leader may move it
  unflushed_records_ = 0;
}

void ExporterRunner::open() {
  if (!position_known_) start_position();
  exported_ = exporter_->open(acknowledged());
  check_position(exported_, "the exporter");
  if (exported_ != acknowledged()) acknowledge(exported_);
  unflushed_records_ = 0;
  reader_ = log_.read_from(std::max(Position{exported_.value() + 1}, log_.first_position()));
}

void ExporterRunner::start_position() {
  const auto kept = position_file_.read();
  const Position first = log_.first_position();
  Position position{first.value() - 1};
  if (kept) check_position(*kept, position_file_.path());
  if (position > kept.value_or(Position{0})) {
    // Segments are kept for configured exporters; this one was not configured, or is new, or a
    // repair continued the log.
    log::warn("Exporter {} begins at position {}: the log has no earlier records", name_,
              first.value());
  }
  // An exporter that has worked before gets the records that it missed as a gap
  // (export_gap_before).
  if (kept) position = *kept;
  position_known_ = true;
  acknowledge(position);
}

void ExporterRunner::check_position(Position position, std::string_view source) const {
  const Position committed = log_.committed_position();
  if (position <= committed) return;
  throw std::runtime_error(fmt::format(
      "{} has position {}, but the log ends at {}: the position belongs to another log; delete it "
      "to export this log from its beginning",
      source, position.value(), committed.value()));
}

bool ExporterRunner::is_too_late() const {
  const MutexLock lock{mutex_};
  return stopping_ && SteadyClock::now() >= stop_by_;
}

void ExporterRunner::export_committed() {
  while (!is_too_late()) {
    const auto frame = reader_->next();
    if (!frame) return;
    export_frame(*frame);
    if (unflushed_records_ >= options_.flush_records_max) flush();
  }
}

void ExporterRunner::export_frame(const journal::Frame& frame) {
  const auto content = record::parse_frame(frame.bytes);
  record::RecordReader records(content ? content->records : std::string_view{});
  while (const auto record = records.next()) {
    // The frame that contains the first wanted position may begin before it.
    if (record->metadata.position <= exported_) continue;
    export_gap_before(record->metadata);
    exporter_->export_record(*record);
    exported_ = record->metadata.position;
    if (unflushed_records_++ == 0) unflushed_since_ = SteadyClock::now();
  }
  if (records.malformed() || exported_ < frame.last) {
    throw std::runtime_error(
        fmt::format("the frame of positions {} to {} contains bytes that are not records",
                    frame.first.value(), frame.last.value()));
  }
}

void ExporterRunner::export_gap_before(const record::Metadata& next) {
  const Gap gap{next.partition, Position{exported_.value() + 1},
                Position{next.position.value() - 1}};
  if (gap.last < gap.first) return;
  log::warn("Exporter {}: the log does not have positions {} to {}", name_, gap.first.value(),
            gap.last.value());
  exporter_->export_gap(gap);
}

void ExporterRunner::flush() {
  exporter_->flush();
  position_file_.write(exported_);
  records_exported_.fetch_add(unflushed_records_, std::memory_order_relaxed);
  unflushed_records_ = 0;
  backoff_ = Milliseconds{0};
  bool was_failing = false;
  {
    const MutexLock lock{mutex_};
    was_failing = std::exchange(failing_, false);
  }
  if (was_failing) log::info("Exporter {} works again", name_);
  // The position comes last: who has seen it sees the other figures of this flush too.
  acknowledge(exported_);
}

void ExporterRunner::acknowledge(Position position) {
  acknowledged_.store(position.value(), std::memory_order_release);
  if (on_acknowledged_) on_acknowledged_();
}

void ExporterRunner::after_failure(const char* reason, Milliseconds backoff_max) {
  reader_.reset();  // everything since the last flush will be exported again
  unflushed_records_ = 0;
  backoff_ =
      backoff_ == Milliseconds{0} ? options_.backoff_first : std::min(backoff_ * 2, backoff_max);
  log::warn("Exporter {} failed and will try again in {} ms: {}", name_, backoff_.count(), reason);
  const MutexLock lock{mutex_};
  ++failures_;
  failing_ = true;
  last_error_ = reason;
}

void ExporterRunner::wait_for_work() {
  const bool rests = !turn_ || turn() != turn_;
  MutexLock lock{mutex_};
  const auto now = SteadyClock::now();
  if (failing_ && !reader_) {
    // A commit does not shorten the wait, because the cause lies elsewhere.
    while (!stopping_ && wake_.wait_until(lock, now + backoff_)) continue;
  } else if (rests) {
    while (!stopping_ && wake_.wait_until(lock, now + options_.role_interval)) continue;
  } else if (unflushed_records_ > 0) {
    const auto due = unflushed_since_ + options_.flush_interval;
    while (!stopping_ && !work_ && wake_.wait_until(lock, due)) continue;
  } else {
    while (!stopping_ && !work_) wake_.wait(lock);
  }
}

}  // namespace beeline::exporter
