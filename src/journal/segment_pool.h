#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "journal/disk.h"

namespace beeline::journal {

// A file that is allocated and not part of the log.
struct Spare {
  std::string path;
  std::unique_ptr<File> file;
  std::uint64_t size = 0;
};

// Keeps files into which the log can grow, for two reasons. A frame is accepted before it is
// written, so there must be room for it by then. And syncing a block that was written before is
// much cheaper than syncing a new block, for which the file system must update its metadata. So
// files are filled with zeros ahead of time, and reused when the log no longer needs them.
//
// Threading: every function may be called from any thread. A function that makes a file blocks the
// others.
class SegmentPool {
 public:
  // Adopts the spares that exist in the directory, and removes those of another size.
  SegmentPool(Disk& disk, std::string directory, std::uint64_t segment_bytes,
              std::size_t spares_max);

  // Returns a file of at least `bytes`: one that is ready, or a new one. Throws IoError, with
  // ENOSPC if there is no room; then nothing is left behind.
  [[nodiscard]] Spare take(std::uint64_t bytes);
  // Takes back a spare that was not used.
  void give_back(Spare spare);
  // Makes one spare if there is none.
  void prepare();
  // Takes back a file of the log, which gets another name before anything else happens to it. It is
  // removed if there are enough spares, or if it does not have the usual size. If there is no room
  // even for the name, it throws ENOSPC and leaves `segment` unchanged.
  void recycle(Spare&& segment);

 private:
  [[nodiscard]] Spare make(std::uint64_t bytes) BEELINE_REQUIRES(mutex_);
  void keep_or_remove(Spare spare) BEELINE_REQUIRES(mutex_);
  [[nodiscard]] std::string next_path() BEELINE_REQUIRES(mutex_);

  Disk& disk_;
  const std::string directory_;
  const std::uint64_t segment_bytes_;
  const std::size_t spares_max_;

  Mutex mutex_;
  std::vector<Spare> spares_ BEELINE_GUARDED_BY(mutex_);
  std::uint32_t next_number_ BEELINE_GUARDED_BY(mutex_) = 1;
};

}  // namespace beeline::journal
