#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "base/ids.h"

namespace beeline::journal {

// One atomic piece of the log: the records `first` to `last` as opaque bytes.
struct Frame {
  Position first;
  Position last;
  std::string_view bytes;
};

enum class AppendResult {
  Accepted,   // will be committed, unless the log fails for good or this copy is deposed
  Full,       // no room on the disk; nothing was kept, and the same append may succeed later
  TooLarge,   // more than kFrameBytesMax; nothing was kept, and it never will be
  NotLeader,  // another copy leads the log; nothing was kept, and role() is no longer Leading
  Busy,  // too many frames are on their way; nothing was kept, and on_room signals when to retry
};

// Numbers the times in which one copy led the log. A later leader has a higher epoch.
using Epoch = StrongId<struct EpochTag>;

// The role of a copy of the log; see LogStorage.
enum class LogRole {
  Leading,    // this copy alone appends
  Deposed,    // this copy led until another one took over, and has not called follow() since
  Following,  // this copy only reads
};

// The largest frame that any log accepts.
inline constexpr std::size_t kFrameBytesMax = std::size_t{256} << 20;

// Notified of commits. It is called on the thread that commits, never while a lock of the log is
// held, so a listener may call back into the log. It must not block, because the next commit waits
// for it.
class LogListener {
 public:
  virtual ~LogListener() = default;
  // Everything up to `committed` is durable. Positions only grow; one call may cover many frames.
  virtual void on_commit(Position committed) = 0;
  // The log has failed for good and accepts no more frames. Called once.
  virtual void on_failure(std::string_view reason) = 0;
  // role() has become Leading, in this epoch. Only a log with several copies calls this, and the
  // two below.
  virtual void on_elected(Epoch /*epoch*/) {}
  // role() has become Deposed: another copy leads in this epoch.
  virtual void on_deposed(Epoch /*epoch*/) {}
  // A log that answered Busy accepts frames again.
  virtual void on_room() {}
};

// Reads committed frames in order. Belongs to one thread; must not outlive its log.
class FrameReader {
 public:
  virtual ~FrameReader() = default;
  // Returns the next frame, or nothing if all committed frames have been read; a later call may
  // find more. The bytes are valid until the next call. Throws CorruptionError if the disk returns
  // other bytes than were written.
  [[nodiscard]] virtual std::optional<Frame> next() = 0;
};

// An append-only log of frames, whose records have consecutive positions from 1 on.
//
// Appending and committing are separate, so one commit can cover everything that was appended
// during the previous one:
//
//     append ──▶ pending ──▶ commit thread: one write, one sync ──▶ committed ──▶ on_commit
//
// In a server, start() runs the commit thread. A log that was not started commits only in
// commit_now(), on the calling thread: tests and the simulator use that.
//
// Copies: a log may have copies on several machines. Each has a LogStorage of its own, and one copy
// at a time leads, which means that it appends. A log with one copy always leads.
//
//     Following ──elected──▶ Leading ──another copy is elected──▶ Deposed ──follow()──▶ Following
//
// When a copy becomes the leader, all frames of earlier leaders that count are committed. A
// follower's on_commit and committed_position() cover the frames of the leader. A deposed copy
// makes no progress until follow() is called: committed_position() stays, its readers find nothing
// new, and on_commit is not called. So a frame of the new leader is never taken for a frame of the
// old one, although both may have the same positions. Frames that a deposed copy appended and did
// not see committed may be lost, or may be committed; after follow() it can read which of the two
// happened.
//
// Threading: one thread appends (append, has_room, last_position, start, stop, commit_now, follow).
// All other functions may be called from any thread at any time.
//
// Failure: when the log fails, on_failure is called, and every later append, has_room and
// commit_now throws the IoError. A failed sync is not retried, because the page cache can no longer
// be trusted. Frames that were committed before remain readable.
class LogStorage {
 public:
  virtual ~LogStorage() = default;

  // Queues a frame. `first` must follow last_position(). The bytes are copied. A log on a local
  // disk waits for its commit thread if too much is pending; a log on a network answers Busy
  // instead.
  [[nodiscard]] virtual AppendResult append(Position first, Position last,
                                            std::string_view bytes) = 0;
  // True if a frame of this size would be accepted now, by a copy that leads. Looks for room on the
  // disk if there was none, so a caller asks again to notice that there is room.
  [[nodiscard]] virtual bool has_room(std::size_t bytes) = 0;

  // Starts the commit thread. `listener` must live until stop() has returned.
  virtual void start(LogListener& listener) = 0;
  // Commits pending frames and ends the commit thread. Does nothing if it is not running; the
  // pending frames of a log that was never started are lost with it.
  virtual void stop() = 0;
  // Commits pending frames on this thread. Only for a log that was not started.
  virtual void commit_now() = 0;

  // Returns what this copy may do now.
  [[nodiscard]] virtual LogRole role() const { return LogRole::Leading; }
  // Returns the epoch in which this copy leads or led last. A caller that remembers it notices that
  // another copy led in between.
  [[nodiscard]] virtual Epoch epoch() const { return Epoch{0}; }
  // Ends the role Deposed. The caller has dropped everything that depends on uncommitted frames,
  // and from now on reads the frames of the new leader.
  virtual void follow() {}

  // Returns the oldest position that can still be read; the one after the last if the log is empty.
  [[nodiscard]] virtual Position first_position() const = 0;
  // Returns the last position that was appended, committed or not; 0 for a log that never had any.
  [[nodiscard]] virtual Position last_position() const = 0;
  // Returns the last position that was committed; 0 for a log that never had any.
  [[nodiscard]] virtual Position committed_position() const = 0;

  // Reads from the frame that contains `from` (which may begin before it), or the first one after
  // it. `from` must not be less than first_position().
  [[nodiscard]] virtual std::unique_ptr<FrameReader> read_from(Position from) = 0;
  // Nobody will read frames before `position` any more, so their room may be reused. A reader
  // before that position keeps its place.
  virtual void release_before(Position position) = 0;
};

}  // namespace beeline::journal
