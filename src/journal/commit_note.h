#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/ids.h"
#include "journal/disk.h"

namespace beeline::journal {

// Remembers on disk how far a log has been committed. The log alone cannot tell a last write that
// was cut short by a power failure, which nobody was told of, from committed frames that were
// damaged or removed afterwards: both look like an end. With the note the start can tell them
// apart, for everything that was committed before the note was last written.
//
// The note is a file of two halves, which are written in turns, so that a write that is cut short
// leaves the other half. Each half has a checksum and a number that grows.
//
// Threading: every function may be called from any thread; one that writes holds up the others.
class CommitNote {
 public:
  struct Content {
    Position committed{0};       // the last committed position
    std::uint32_t sequence = 0;  // of the segment that holds it
    std::uint64_t end = 0;       // where its frame ends in that segment
  };

  // Reads the note of the log in `directory`, if there is one; directories that an older beeline
  // wrote have none. `disk` must outlive this. Throws CorruptionError when both halves are damaged.
  CommitNote(Disk& disk, std::string directory);

  [[nodiscard]] const std::string& path() const { return path_; }
  // What the note said when it was opened.
  [[nodiscard]] const std::optional<Content>& found() const { return found_; }
  // Makes `content` the note, durably. Throws IoError; the note before stays then. The file is made
  // when it is not there, which needs room.
  void write(const Content& content);

 private:
  void create();

  Disk& disk_;
  const std::string directory_;
  const std::string path_;
  std::optional<Content> found_;

  std::mutex mutex_;
  std::unique_ptr<File> file_;  // guarded by mutex_, as is number_
  std::uint64_t number_ = 0;    // of the note that was written last
};

}  // namespace beeline::journal
