#include "journal/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/check.h"
#include "base/log.h"
#include "journal/corruption_error.h"
#include "journal/journal_reader.h"
#include "journal/recovery.h"

namespace beeline::journal {
namespace {

// The time for which the commit thread waits on a full disk before it tries again.
constexpr auto kFullRetry = std::chrono::milliseconds(100);
// The time between two notes of the committed position while the log grows.
constexpr auto kNoteInterval = std::chrono::seconds(1);
// Buffers that grew beyond this are not kept.
constexpr std::size_t kBufferBytesMax = std::size_t{4} << 20;

std::string created(Disk& disk, std::string directory) {
  disk.create_directory(directory);
  return directory;
}

}  // namespace

Journal::Journal(Disk& disk, std::string directory, JournalSettings settings)
    : disk_(disk),
      directory_(created(disk, std::move(directory))),
      settings_(settings),
      pool_(disk, directory_, settings.segment_bytes, settings.spares_max),
      note_(disk, directory_) {
  BEELINE_CHECK(settings_.segment_bytes > kSegmentHeaderBytes + kFrameHeaderBytes);
  BEELINE_CHECK(settings_.segment_bytes <= std::uint64_t{1} << 30,
                "offsets in frames have 32 bits");
  Recovered recovered = recover(disk_, directory_, note_);
  for (auto& segment : recovered.segments) segments_.push_back(std::move(segment));
  if (!segments_.empty()) {
    tail_ = segments_.back().get();
    tail_offset_ = tail_->committed_end;
  }
  tail_checksum_ = recovered.checksum;
  tail_last_ = recovered.last;
  committed_.store(recovered.last.value());
  if (note_.found()) noted_ = note_.found()->committed;
  cut_bytes_ = recovered.cut_bytes;
  // The previous process may have died before it noted its last segment.
  note_committed();
}

Journal::~Journal() {
  stop();
}

// --- appending ---

AppendResult Journal::append(Position first, Position last, std::string_view bytes) {
  BEELINE_CHECK(first.value() == tail_last_.value() + 1, "first={} last_position={}", first.value(),
                tail_last_.value());
  BEELINE_CHECK(last >= first, "first={} last={}", first.value(), last.value());
  if (bytes.size() > kFrameBytesMax) return AppendResult::TooLarge;
  if (!make_room(bytes.size())) return AppendResult::Full;

  MutexLock lock{mutex_};
  while (listener_ != nullptr && pending_bytes_ >= settings_.pending_bytes_max && !is_full_ &&
         !failure_) {
    committed_some_.wait(lock);
  }
  throw_if_failed();
  if (is_full_) return AppendResult::Full;

  // A segment is only begun for a frame, so every segment is written to disk.
  if (!fits_tail(bytes.size())) begin_segment();
  Group& group = open_group();
  const std::size_t size_before = group.bytes.size();
  tail_checksum_ = append_frame(
      FrameHeader{.previous_checksum = tail_checksum_,
                  .group_start = static_cast<std::uint32_t>(group.offset),
                  .first = first,
                  .count = static_cast<std::uint32_t>(last.value() - first.value() + 1),
                  .sequence = tail_->header.sequence},
      bytes, group.bytes);
  const std::size_t size = group.bytes.size() - size_before;
  BEELINE_CHECK(size == frame_size(bytes.size()), "a frame of {} bytes takes {}", bytes.size(),
                size);
  group.last = last;
  tail_offset_ += size;
  tail_last_ = last;
  pending_bytes_ += size;
  BEELINE_CHECK(tail_offset_ <= tail_->header.size, "a frame reaches beyond its segment");
  BEELINE_CHECK(tail_offset_ == group.offset + group.bytes.size(),
                "the group ends at {}, but the tail at {}", group.offset + group.bytes.size(),
                tail_offset_);
  lock.unlock();
  commit_wanted_.notify_one();
  return AppendResult::Accepted;
}

bool Journal::has_room(std::size_t bytes) {
  if (bytes > kFrameBytesMax) return false;
  {
    const MutexLock lock{mutex_};
    throw_if_failed();
    if (is_full_) return false;
  }
  return make_room(bytes);
}

bool Journal::fits_tail(std::size_t bytes) const {
  return tail_ != nullptr && tail_offset_ + frame_size(bytes) <= tail_->header.size;
}

// Ensures that the frame fits either into the tail or into next_. Returns false if the disk has no
// room.
bool Journal::make_room(std::size_t bytes) {
  if (fits_tail(bytes)) return true;
  const std::uint64_t size = kSegmentHeaderBytes + frame_size(bytes);
  if (next_ && next_->size >= size) return true;
  try {
    Spare spare = pool_.take(size);
    if (next_) pool_.give_back(*std::move(next_));
    next_ = std::move(spare);
    BEELINE_CHECK(next_->size >= size, "the spare has {} bytes, not {}", next_->size, size);
  } catch (const IoError& error) {
    if (is_out_of_room(error)) return false;
    fail(error);
    throw;
  }
  ask_for_keeping();
  return true;
}

void Journal::begin_segment() {
  BEELINE_CHECK(next_.has_value(), "no room was set aside for a segment");
  BEELINE_CHECK(next_->file != nullptr, "{} is not open", next_->path);
  auto segment = std::make_unique<Segment>();
  segment->header = SegmentHeader{.sequence = tail_ == nullptr ? 1 : tail_->header.sequence + 1,
                                  .previous_checksum = tail_checksum_,
                                  .first = Position{tail_last_.value() + 1},
                                  .size = next_->size};
  segment->path = std::move(next_->path);
  segment->file = std::move(next_->file);
  segment->committed_last = tail_last_;
  next_.reset();
  tail_ = segment.get();
  tail_offset_ = kSegmentHeaderBytes;
  segments_.push_back(std::move(segment));
}

// Returns the group of the next frame: the pending one, unless that belongs to another segment.
Journal::Group& Journal::open_group() {
  if (!pending_.empty() && pending_.back().segment == tail_) return pending_.back();
  BEELINE_CHECK(tail_ != nullptr, "a frame has no segment");
  BEELINE_CHECK(tail_offset_ % kFrameAlignment == 0, "a group begins at {}", tail_offset_);
  Group& group = pending_.emplace_back();
  group.segment = tail_;
  group.offset = tail_offset_;
  if (!free_buffers_.empty()) {
    group.bytes = std::move(free_buffers_.back());
    free_buffers_.pop_back();
    BEELINE_CHECK(group.bytes.empty(), "a free buffer has {} bytes", group.bytes.size());
  }
  return group;
}

void Journal::skip_to(Position last) {
  BEELINE_CHECK(listener_ == nullptr, "the log was started");
  BEELINE_CHECK(committed_position() == tail_last_, "frames are not yet committed");
  BEELINE_CHECK(last > tail_last_, "last={} last_position={}", last.value(), tail_last_.value());
  if (!next_) next_ = pool_.take(settings_.segment_bytes);
  const Position before = std::exchange(tail_last_, last);
  {
    const MutexLock lock{mutex_};
    begin_segment();
    tail_->header.gap_after = before;
  }
  tail_->file->write_at(0, encode_segment_header(tail_->header));
  tail_->file->sync();
  const Group nothing{.segment = tail_, .offset = kSegmentHeaderBytes, .last = last, .bytes = {}};
  if (!activate(nothing)) throw IoError(ENOSPC, "rename " + tail_->path);
  committed_.store(last.value(), std::memory_order_release);
}

std::vector<Journal::Gap> Journal::gaps() const {
  const MutexLock lock{mutex_};
  std::vector<Gap> gaps;
  for (const auto& segment : segments_) {
    const SegmentHeader& header = segment->header;
    if (header.gap_after == Position{0}) continue;
    gaps.push_back({Position{header.gap_after.value() + 1}, Position{header.first.value() - 1}});
  }
  return gaps;
}

// --- committing ---

void Journal::start(LogListener& listener) {
  BEELINE_CHECK(listener_ == nullptr, "the log was started already");
  BEELINE_CHECK(!committer_.joinable() && !keeper_.joinable(), "the threads of the log run");
  listener_ = &listener;
  {
    const MutexLock lock{mutex_};
    is_stopping_ = false;
  }
  committer_ = std::thread([this] { run_commits(); });
  keeper_ = std::thread([this] { run_keeping(); });
  ask_for_keeping();
}

void Journal::stop() {
  if (listener_ == nullptr) return;
  {
    const MutexLock lock{mutex_};
    is_stopping_ = true;
  }
  commit_wanted_.notify_one();
  keeping_wanted_.notify_one();
  committer_.join();
  keeper_.join();
  listener_ = nullptr;
  {
    const MutexLock lock{mutex_};
    if (failure_) return;
  }
  try {
    note_committed();
  } catch (const IoError& error) {
    // Everything is committed; the next start just knows less about the log's end.
    log::warn("the end of the log could not be noted: {}", error.what());
  }
}

void Journal::commit_now() {
  BEELINE_CHECK(listener_ == nullptr, "the log was started");
  {
    const MutexLock lock{mutex_};
    throw_if_failed();
  }
  try {
    (void)commit_pending();  // while the disk is full, the rest stays pending and has_room returns
                             // false
    note_committed();
  } catch (const IoError& error) {
    fail(error);
    throw;
  }
}

void Journal::run_commits() {
  MutexLock lock{mutex_};
  while (true) {
    while (pending_.empty() && !is_full_ && !is_stopping_) commit_wanted_.wait(lock);
    if (failure_ || (pending_.empty() && !is_full_)) return;
    lock.unlock();
    bool is_done = false;
    try {
      is_done = commit_pending();
    } catch (const IoError& error) {
      fail(error);
      return;
    }
    lock.lock();
    if (is_done) continue;
    if (is_stopping_) return;
    const auto retry_at = std::chrono::steady_clock::now() + kFullRetry;
    while (!is_stopping_ && commit_wanted_.wait_until(lock, retry_at)) continue;
  }
}

// Commits the frames that are pending now. Returns false if the disk has no room and some are still
// pending.
bool Journal::commit_pending() {
  {
    const MutexLock lock{mutex_};
    std::ranges::move(pending_, std::back_inserter(committing_));
    pending_.clear();
  }
  std::size_t done = 0;
  while (done < committing_.size() && commit_group(committing_[done])) publish(committing_[done++]);
  committing_.erase(committing_.begin(), committing_.begin() + static_cast<std::ptrdiff_t>(done));
  const bool is_done = committing_.empty();
  {
    const MutexLock lock{mutex_};
    is_full_ = !is_done;
  }
  committed_some_.notify_all();
  return is_done;
}

// Returns false if the disk has no room; then the call can be repeated. Every other failure is
// thrown and is final: the effect of a failed sync cannot be known.
bool Journal::commit_group(Group& group) {
  BEELINE_CHECK(group.segment != nullptr, "a group has no segment");
  BEELINE_CHECK(!group.bytes.empty(), "a group has no frames");
  Segment& segment = *group.segment;
  const bool is_new = !segment.is_active;
  BEELINE_CHECK(!is_new || group.offset == kSegmentHeaderBytes,
                "the group at {} is not the first of its segment", group.offset);
  try {
    if (is_new) segment.file->write_at(0, encode_segment_header(segment.header));
    segment.file->write_at(group.offset, group.bytes);
  } catch (const IoError& error) {
    if (is_out_of_room(error)) return false;
    throw;
  }
  segment.file->sync();
  return !is_new || activate(group);
}

// Gives a spare, whose header and first frames are on disk, its name in the log.
bool Journal::activate(const Group& group) {
  Segment& segment = *group.segment;
  BEELINE_CHECK(!segment.is_active, "segment {} has its name already", segment.header.sequence);
  const std::string path = directory_ + "/" + segment_name(segment.header.sequence);
  try {
    disk_.rename(segment.path, path);
  } catch (const IoError& error) {
    if (is_out_of_room(error)) return false;
    throw;
  }
  disk_.sync_directory(directory_);
  {
    const MutexLock lock{mutex_};
    segment.path = path;
    segment.is_active = true;
  }
  // This happens before any of its records is reported as committed, so a removed segment is always
  // noticed.
  note({.committed = group.last,
        .sequence = segment.header.sequence,
        .end = group.offset + group.bytes.size()});
  return true;
}

void Journal::publish(Group& group) {
  {
    const MutexLock lock{mutex_};
    BEELINE_CHECK(group.segment->committed_end == group.offset,
                  "a group was committed out of turn");
    BEELINE_CHECK(group.last > committed_position(), "position {} is committed after {}",
                  group.last.value(), committed_position().value());
    BEELINE_CHECK(pending_bytes_ >= group.bytes.size(), "{} bytes are pending, and {} of them",
                  pending_bytes_, group.bytes.size());
    group.segment->committed_end += group.bytes.size();
    BEELINE_CHECK(group.segment->committed_end <= group.segment->header.size,
                  "segment {} is committed up to {}", group.segment->header.sequence,
                  group.segment->committed_end);
    group.segment->committed_last = group.last;
    pending_bytes_ -= group.bytes.size();
    committed_.store(group.last.value(), std::memory_order_release);
    if (group.bytes.capacity() <= kBufferBytesMax) {
      group.bytes.clear();
      free_buffers_.push_back(std::move(group.bytes));
    }
  }
  if (LogListener* listener = listener_) listener->on_commit(group.last);
}

// --- keeping ---

void Journal::release_before(Position position) {
  {
    const MutexLock lock{mutex_};
    released_ = std::max(released_, position);
  }
  ask_for_keeping();
}

void Journal::ask_for_keeping() {
  {
    const MutexLock lock{mutex_};
    if (failure_) return;
    has_keeping_ = true;
  }
  if (listener_ == nullptr) {
    keep();
    return;
  }
  keeping_wanted_.notify_one();
}

void Journal::run_keeping() {
  MutexLock lock{mutex_};
  auto next_note = std::chrono::steady_clock::now() + kNoteInterval;
  while (true) {
    while (!has_keeping_ && !is_stopping_ && keeping_wanted_.wait_until(lock, next_note)) continue;
    if (is_stopping_ || failure_) return;
    const bool has_keeping = std::exchange(has_keeping_, false);
    lock.unlock();
    if (has_keeping) keep();
    if (std::chrono::steady_clock::now() >= next_note) {
      try {
        note_committed();
      } catch (const IoError& error) {
        fail(error);
      }
      next_note = std::chrono::steady_clock::now() + kNoteInterval;
    }
    lock.lock();
  }
}

void Journal::keep() {
  try {
    recycle_released();
    pool_.prepare();
  } catch (const IoError& error) {
    // Without a spare, the next append that needs one makes it, or reports that the disk is full.
    if (!is_out_of_room(error)) fail(error);
  }
}

void Journal::note_committed() {
  CommitNote::Content content;
  {
    const MutexLock lock{mutex_};
    const auto last = std::ranges::find_if(segments_.rbegin(), segments_.rend(),
                                           [](const auto& segment) { return segment->is_active; });
    if (last == segments_.rend()) return;
    content = {.committed = (*last)->committed_last,
               .sequence = (*last)->header.sequence,
               .end = (*last)->committed_end};
  }
  note(content);
}

void Journal::note(const CommitNote::Content& content) {
  const MutexLock lock{note_mutex_};
  // The other thread that writes the note may have been faster.
  if (content.committed <= noted_) return;
  try {
    note_.write(content);
    noted_ = content.committed;
  } catch (const IoError& error) {
    // Committed frames are safe without the note; it is written when there is room again.
    if (!is_out_of_room(error)) throw;
  }
}

void Journal::recycle_released() {
  while (auto segment = take_released()) {
    Spare spare{segment->path, std::move(segment->file), segment->header.size};
    try {
      pool_.recycle(std::move(spare));
    } catch (const IoError&) {
      // It still has its name in the log, and no later segment may be recycled before it.
      segment->file = std::move(spare.file);
      const MutexLock lock{mutex_};
      BEELINE_CHECK(
          segments_.empty() || segment->header.sequence + 1 == segments_.front()->header.sequence,
          "segment {} goes back before {}", segment->header.sequence,
          segments_.front()->header.sequence);
      segments_.push_front(std::move(segment));
      throw;
    }
  }
}

std::unique_ptr<Segment> Journal::take_released() {
  const MutexLock lock{mutex_};
  // The segment after it must be on disk, because it contains the next position and checksum.
  if (segments_.size() < 2 || !segments_[1]->is_active) return nullptr;
  const Segment& oldest = *segments_.front();
  if (oldest.committed_last >= released_ || oldest.readers > 0) return nullptr;
  BEELINE_CHECK(oldest.is_active, "segment {} leaves the log before it had its name",
                oldest.header.sequence);
  BEELINE_CHECK(oldest.header.sequence + 1 == segments_[1]->header.sequence,
                "segment {} follows {}", segments_[1]->header.sequence, oldest.header.sequence);
  auto segment = std::move(segments_.front());
  segments_.pop_front();
  return segment;
}

// --- reading ---

Position Journal::first_position() const {
  const MutexLock lock{mutex_};
  return segments_.empty() ? Position{1} : segments_.front()->header.first;
}

std::unique_ptr<FrameReader> Journal::read_from(Position from) {
  return std::make_unique<Reader>(*this, from);
}

// --- failing ---

void Journal::fail(const IoError& error) {
  bool is_first = false;
  {
    const MutexLock lock{mutex_};
    is_first = !failure_;
    if (is_first) failure_ = error;
  }
  committed_some_.notify_all();
  commit_wanted_.notify_one();
  if (!is_first) return;
  log::error("the journal has failed and accepts no more frames directory={} reason={}", directory_,
             error.what());
  if (LogListener* listener = listener_) listener->on_failure(error.what());
}

void Journal::throw_if_failed() const {
  if (failure_) throw *failure_;
}

}  // namespace beeline::journal
