#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/ids.h"
#include "base/mutex.h"
#include "journal/disk.h"

namespace beeline::journal {

// Stores on disk how far a log has been committed. The log alone cannot distinguish a last write
// that a power failure cut short, whose commit was reported to nobody, from committed frames that
// were damaged or removed afterwards: both look like the end. With the note the start can
// distinguish them for everything that was committed before the note was last written.
//
// The note is a file of two halves, which are written alternately, so a write that is cut short
// leaves the other half intact. Each half has a checksum and a number that grows.
//
// Threading: every function may be called from any thread; a function that writes blocks the
// others.
class CommitNote {
 public:
  struct Content {
    Position committed{0};       // the last committed position
    std::uint32_t sequence = 0;  // of the segment that contains it
    std::uint64_t end = 0;       // where its frame ends in that segment
  };

  // Reads the note of the log in `directory`, if there is one; directories that an older beeline
  // wrote have none. `disk` must outlive this object. Throws CorruptionError if both halves are
  // damaged.
  CommitNote(Disk& disk, std::string directory);

  [[nodiscard]] const std::string& path() const { return path_; }
  // Returns the note that was found when it was opened.
  [[nodiscard]] const std::optional<Content>& found() const { return found_; }
  // Makes `content` the note, durably. Throws IoError; the previous note stays then. Creates the
  // file if it does not exist, which needs room.
  void write(const Content& content);

 private:
  void create() BEELINE_REQUIRES(mutex_);

  Disk& disk_;
  const std::string directory_;
  const std::string path_;
  std::optional<Content> found_;

  Mutex mutex_;
  std::unique_ptr<File> file_ BEELINE_GUARDED_BY(mutex_);
  std::uint64_t number_ BEELINE_GUARDED_BY(mutex_) = 0;  // number of the note that was written last
};

}  // namespace beeline::journal
