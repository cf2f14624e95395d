#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/io_error.h"
#include "base/mutex.h"
#include "journal/commit_note.h"
#include "journal/disk.h"
#include "journal/journal_settings.h"
#include "journal/log_storage.h"
#include "journal/segment.h"
#include "journal/segment_pool.h"

namespace beeline::journal {

// The log of a partition in local files (docs/journal_format.md):
//
//     segment-000000000007.log   the oldest that is still needed
//     segment-000000000008.log   frames are appended here
//     spare-000000000003         room for the next one
//     commit-note                how far the log was committed a moment ago; see commit_note.h
//
// append assigns a frame its place and its checksum and adds it to the pending group. A commit
// takes the whole group, writes it once, syncs once and publishes it. A group never spans two
// segments, and its write does not begin before the previous group is synced; recovery.h relies on
// that.
//
// Room: a frame is accepted only if its file has been allocated, so a full disk refuses frames and
// never loses one. If the disk refuses writes to allocated blocks (file systems that copy on write
// may), the group stays pending, no more frames are accepted, and the write is tried again.
//
// Threading: see LogStorage. Only the appending thread touches the tail (tail_*, next_). A second
// thread commits; a third makes spares and recycles segments, since both take longer than a commit
// may. mutex_ guards the shared data and is never held during I/O.
class Journal final : public LogStorage {
 public:
  // Opens the log in `directory`, creating it if necessary; `disk` must outlive this object. Throws
  // CorruptionError (see recovery.h) or IoError.
  Journal(Disk& disk, std::string directory, JournalSettings settings = {});
  ~Journal() override;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  [[nodiscard]] AppendResult append(Position first, Position last, std::string_view bytes) override;
  [[nodiscard]] bool has_room(std::size_t bytes) override;
  void start(LogListener& listener) override;
  void stop() override;
  void commit_now() override;
  [[nodiscard]] Position first_position() const override;
  [[nodiscard]] Position last_position() const override { return tail_last_; }
  [[nodiscard]] Position committed_position() const override {
    return Position{committed_.load(std::memory_order_acquire)};
  }
  [[nodiscard]] std::unique_ptr<FrameReader> read_from(Position from) override;
  void release_before(Position position) override;

  // Continues the log with the position after `last`, though it ends before that: the positions in
  // between will never exist. This is for a checkpoint that is ahead of the log. Returns when the
  // gap is on disk. Call it only before start() and while nothing is pending. Throws IoError.
  void skip_to(Position last);
  // Returns the gaps of the segments that still exist, oldest first.
  struct Gap {
    Position first;
    Position last;
    bool operator==(const Gap&) const = default;
  };
  [[nodiscard]] std::vector<Gap> gaps() const;

  // Returns how many bytes opening removed: frames that were being written when the process died.
  [[nodiscard]] std::uint64_t cut_bytes() const { return cut_bytes_; }

 private:
  class Reader;
  // Frames that are written and synced together.
  struct Group {
    Segment* segment = nullptr;
    std::uint64_t offset = 0;
    Position last;
    std::string bytes;
  };

  // These run on the appending thread.
  [[nodiscard]] bool make_room(std::size_t bytes);
  [[nodiscard]] bool fits_tail(std::size_t bytes) const;
  void begin_segment() BEELINE_REQUIRES(mutex_);
  [[nodiscard]] Group& open_group() BEELINE_REQUIRES(mutex_);

  // These run on the committing thread.
  void run_commits();
  [[nodiscard]] bool commit_pending();
  [[nodiscard]] bool commit_group(Group& group);
  [[nodiscard]] bool activate(const Group& group);
  void publish(Group& group);

  // These run on the keeping thread, or on the calling one if the log is not started.
  void run_keeping();
  void keep();
  void recycle_released();
  [[nodiscard]] std::unique_ptr<Segment> take_released();
  void ask_for_keeping();

  // These run on the committing thread, the keeping thread, or the one that stops the log.
  void note_committed();
  void note(const CommitNote::Content& content);

  void fail(const IoError& error);
  void throw_if_failed() const BEELINE_REQUIRES(mutex_);

  Disk& disk_;
  const std::string directory_;
  const JournalSettings settings_;
  SegmentPool pool_;
  CommitNote note_;
  Mutex note_mutex_;  // held while the note is written, never together with mutex_
  Position noted_ BEELINE_GUARDED_BY(note_mutex_){0};
  std::uint64_t cut_bytes_ = 0;

  std::optional<Spare> next_;  // the file in which the tail continues
  Segment* tail_ = nullptr;    // the segment of the next frame, if it fits
  std::uint64_t tail_offset_ = 0;
  std::uint32_t tail_checksum_ = 0;
  Position tail_last_{0};

  std::vector<Group>
      committing_;  // belongs to the committing thread; empty unless the disk is full

  mutable Mutex mutex_;
  CondVar commit_wanted_;
  CondVar committed_some_;
  CondVar keeping_wanted_;
  std::deque<std::unique_ptr<Segment>> segments_ BEELINE_GUARDED_BY(mutex_);
  std::vector<Group> pending_ BEELINE_GUARDED_BY(mutex_);
  std::vector<std::string> free_buffers_ BEELINE_GUARDED_BY(mutex_);
  std::size_t pending_bytes_ BEELINE_GUARDED_BY(mutex_) = 0;  // not yet committed
  Position released_ BEELINE_GUARDED_BY(mutex_){0};
  bool is_full_ BEELINE_GUARDED_BY(mutex_) = false;  // an accepted frame could not be written yet
  bool is_stopping_ BEELINE_GUARDED_BY(mutex_) = false;
  bool has_keeping_ BEELINE_GUARDED_BY(mutex_) = false;
  std::optional<IoError> failure_ BEELINE_GUARDED_BY(mutex_);

  std::atomic<std::int64_t> committed_{0};
  std::atomic<LogListener*> listener_ = nullptr;  // while started
  std::thread committer_;
  std::thread keeper_;
};

}  // namespace beeline::journal
