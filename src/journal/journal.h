#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/io_error.h"
#include "journal/commit_note.h"
#include "journal/disk.h"
#include "journal/log_storage.h"
#include "journal/segment.h"
#include "journal/segment_pool.h"

namespace beeline::journal {

struct JournalSettings {
  // Of one file of the log. A frame that does not fit gets a file of its own size.
  std::uint64_t segment_bytes = std::uint64_t{64} << 20;
  // How many files that the log no longer needs are kept to be used again.
  std::size_t spares_max = 8;
  // append waits for the commit thread while this much is pending.
  std::size_t pending_bytes_max = std::size_t{64} << 20;
};

// The log of a partition in local files (docs/journal_format.md):
//
//     segment-000000000007.log   oldest that somebody needs
//     segment-000000000008.log   frames are appended here
//     spare-000000000003         room for the next one
//     commit-note                how far the log was committed a moment ago; see commit_note.h
//
// append gives a frame its place and its checksum and puts it into the pending group; a commit
// takes the whole group, writes it once, syncs once and publishes. A group never spans two
// segments, and is not begun on disk before the one ahead of it is synced; recovery.h rests on
// that.
//
// Room: a frame is accepted only when the file it goes into has been set aside, so a full disk
// refuses frames and never loses one. Should the disk refuse room that it had set aside (file
// systems that copy on write do), the group stays pending, nothing more is accepted, and the write
// is tried again.
//
// Threading: as LogStorage says. The appending thread alone touches the tail (tail_*, next_). A
// second thread commits; a third makes spares and recycles segments, since both take longer than a
// commit may. mutex_ guards what they share and is never held during I/O.
class Journal final : public LogStorage {
 public:
  // Opens the log in `directory`, creating it if need be; `disk` must outlive this. Throws
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

  // Continues the log with the position behind `last`, though it ends before that: the positions in
  // between will never be there. For a checkpoint that is ahead of the log. Returns once the gap is
  // on disk. Only while the log is not started and nothing is pending. Throws IoError.
  void skip_to(Position last);
  // The gaps of the segments that are still there, oldest first.
  struct Gap {
    Position first;
    Position last;
    bool operator==(const Gap&) const = default;
  };
  [[nodiscard]] std::vector<Gap> gaps() const;

  // How many bytes opening cut off: frames that were being written when the process died.
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

  // On the appending thread.
  [[nodiscard]] bool make_room(std::size_t bytes);
  [[nodiscard]] bool fits_tail(std::size_t bytes) const;
  void begin_segment();
  [[nodiscard]] Group& open_group();

  // On the committing thread.
  void run_commits();
  [[nodiscard]] bool commit_pending();
  [[nodiscard]] bool commit_group(Group& group);
  [[nodiscard]] bool activate(const Group& group);
  void publish(Group& group);

  // On the keeping thread; on the calling one while the log is not started.
  void run_keeping();
  void keep();
  void recycle_released();
  [[nodiscard]] std::unique_ptr<Segment> take_released();
  void ask_for_keeping();

  // On the committing thread, the keeping thread, or the one that stops the log.
  void note_committed();
  void note(const CommitNote::Content& content);

  void fail(const IoError& error);
  void throw_if_failed(const std::unique_lock<std::mutex>& lock) const;

  Disk& disk_;
  const std::string directory_;
  const JournalSettings settings_;
  SegmentPool pool_;
  CommitNote note_;
  std::mutex note_mutex_;  // held while the note is written, never together with mutex_
  Position noted_{0};      // guarded by note_mutex_
  std::uint64_t cut_bytes_ = 0;

  std::optional<Spare> next_;  // what the tail goes on in
  Segment* tail_ = nullptr;    // where the next frame goes, if it fits
  std::uint64_t tail_offset_ = 0;
  std::uint32_t tail_checksum_ = 0;
  Position tail_last_{0};

  std::vector<Group>
      committing_;  // of the committing thread; not empty only while the disk is full

  mutable std::mutex mutex_;
  std::condition_variable commit_wanted_;
  std::condition_variable committed_some_;
  std::condition_variable keeping_wanted_;
  // Guarded by mutex_:
  std::deque<std::unique_ptr<Segment>> segments_;
  std::vector<Group> pending_;
  std::vector<std::string> free_buffers_;
  std::size_t pending_bytes_ = 0;  // not yet committed
  Position released_{0};
  bool is_full_ = false;  // an accepted frame could not be written yet
  bool is_stopping_ = false;
  bool has_keeping_ = false;
  std::optional<IoError> failure_;

  std::atomic<std::int64_t> committed_{0};
  std::atomic<LogListener*> listener_ = nullptr;  // while started
  std::thread committer_;
  std::thread keeper_;
};

}  // namespace beeline::journal
