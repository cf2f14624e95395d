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
  Busy,       // too many frames are on their way; nothing was kept, and on_room tells when to retry
};

// Numbers the times in which one copy led the log. A later leader has a higher epoch.
using Epoch = StrongId<struct EpochTag>;

// What a copy of the log may do; see LogStorage.
enum class LogRole {
  Leading,    // this copy alone appends
  Deposed,    // this copy led until another one took over, and has not called follow() since
  Following,  // this copy only reads
};

// The largest frame that any log takes.
inline constexpr std::size_t kFrameBytesMax = std::size_t{256} << 20;

// Hears of commits. Called on the thread that commits, never while a lock of the log is held, so a
// listener may call back into the log, but must not block: the next commit waits for it.
class LogListener {
 public:
  virtual ~LogListener() = default;
  // Everything up to `committed` is durable. Positions only grow; one call may stand for many
  // frames.
  virtual void on_commit(Position committed) = 0;
  // The log has failed for good, and takes nothing any more. Called once.
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
  // The next frame, or nothing when all that is committed has been read; later it may find more.
  // The bytes are good until the next call. Throws CorruptionError when the disk gives back
  // something else than was written.
  [[nodiscard]] virtual std::optional<Frame> next() = 0;
};

// An append-only log of frames, whose records have consecutive positions from 1 on.
//
// Appending and committing are apart, so that one commit can serve all that was appended while the
// one before it was under way:
//
//     append ──▶ pending ──▶ commit thread: one write, one sync ──▶ committed ──▶ on_commit
//
// In a server, start() runs the commit thread. A log that was not started commits only when
// commit_now() is called, all on the calling thread: tests and the simulator use that.
//
// Copies: a log may have copies on several machines. Each is seen through a LogStorage of its own,
// and one copy at a time leads, which means that it appends. A log of one copy always leads.
//
//     Following ──elected──▶ Leading ──another copy is elected──▶ Deposed ──follow()──▶ Following
//
// A copy that becomes the leader finds everything committed that counts of earlier leaders. A
// follower's on_commit and committed_position() cover the frames of the leader. A deposed copy
// stands still until follow() is called: committed_position() stays, its readers find nothing new,
// and on_commit is not called. So a frame of the new leader is never taken for a frame of the old
// one, although both may have the same positions. Frames that a deposed copy appended and did not
// see committed may be lost, or may be committed; after follow() it can read which.
//
// Threading: one thread appends (append, has_room, last_position, start, stop, commit_now, follow).
// The rest may be called from any thread at any time.
//
// Failure: when the log fails (a sync that failed is not retried: what the page cache holds can no
// longer be believed), on_failure is called and every later append, has_room and commit_now throws
// the IoError. What was committed before remains readable.
class LogStorage {
 public:
  virtual ~LogStorage() = default;

  // Queues a frame. `first` must follow last_position(). The bytes are copied. A log on a local
  // disk waits for its commit thread when very much is pending; a log on a network answers Busy
  // instead.
  [[nodiscard]] virtual AppendResult append(Position first, Position last,
                                            std::string_view bytes) = 0;
  // Whether a frame of this size would be accepted now, by a copy that leads. Looks for room on the
  // disk if there was none, so asking again is how one notices that there is some.
  [[nodiscard]] virtual bool has_room(std::size_t bytes) = 0;

  // Starts the commit thread. `listener` must live until stop() has returned.
  virtual void start(LogListener& listener) = 0;
  // Commits what is pending and ends the commit thread. Does nothing when it is not running; what a
  // log that was never started has pending is lost with it.
  virtual void stop() = 0;
  // Commits what is pending, on this thread. Only for a log that was not started.
  virtual void commit_now() = 0;

  // What this copy may do now.
  [[nodiscard]] virtual LogRole role() const { return LogRole::Leading; }
  // Ends the role Deposed. Whoever appended has dropped everything that rests on frames which were
  // not committed, and from now on reads what the new leader appends.
  virtual void follow() {}

  // The oldest position that can still be read; the one after the last when the log is empty.
  [[nodiscard]] virtual Position first_position() const = 0;
  // The last position that was appended, committed or not; 0 for a log that has had none.
  [[nodiscard]] virtual Position last_position() const = 0;
  // The last position that was committed; 0 for a log that has had none.
  [[nodiscard]] virtual Position committed_position() const = 0;

  // Reads from the frame that holds `from` (which may begin before it), or the first one after it.
  // `from` must not be less than first_position().
  [[nodiscard]] virtual std::unique_ptr<FrameReader> read_from(Position from) = 0;
  // Nobody will read what is before `position` any more, so its room may be used again. A reader
  // that stands before it keeps its place.
  virtual void release_before(Position position) = 0;
};

}  // namespace beeline::journal
