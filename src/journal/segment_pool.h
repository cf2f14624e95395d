#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "journal/disk.h"

namespace beeline::journal {

// A file that is not part of the log, with its room set aside.
struct Spare {
  std::string path;
  std::unique_ptr<File> file;
  std::uint64_t size = 0;
};

// Keeps room for the log to grow into. Two reasons: a frame is accepted before it is written, so
// there must be room for it by then; and syncing a block that was written once before is much
// cheaper than syncing one that the file system must enter in its books, so files are filled with
// zeros ahead of time and used again when the log no longer needs them.
//
// Threading: every function may be called from any thread. One that makes a file holds up the
// others.
class SegmentPool {
 public:
  // Adopts the spares that are in the directory already, and removes those of another size.
  SegmentPool(Disk& disk, std::string directory, std::uint64_t segment_bytes,
              std::size_t spares_max);

  // A file of at least `bytes`. Takes one that is ready, or else makes one. Throws IoError, with
  // ENOSPC when there is no room; then nothing is left behind.
  [[nodiscard]] Spare take(std::uint64_t bytes);
  // Takes back a spare that was not used.
  void give_back(Spare spare);
  // Makes one spare if there is none.
  void prepare();
  // Takes back a file of the log, which gets another name before anything else happens to it. It is
  // removed if there are enough, or if it is not of the usual size. If there is no
  // room even for the name, that throws ENOSPC and `segment` is as it was.
  void recycle(Spare&& segment);

 private:
  [[nodiscard]] Spare make(std::uint64_t bytes);
  void keep_or_remove(Spare spare);
  [[nodiscard]] std::string next_path();

  Disk& disk_;
  const std::string directory_;
  const std::uint64_t segment_bytes_;
  const std::size_t spares_max_;

  std::mutex mutex_;
  std::vector<Spare> spares_;  // guarded by mutex_, as is next_number_
  std::uint32_t next_number_ = 1;
};

}  // namespace beeline::journal
