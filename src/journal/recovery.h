#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "journal/commit_note.h"
#include "journal/disk.h"
#include "journal/segment.h"

namespace beeline::journal {

// The result of opening a log.
struct Recovered {
  std::vector<std::unique_ptr<Segment>> segments;  // in order; all active
  std::uint32_t checksum = 0;                      // of the last frame
  Position last{0};
  std::uint64_t cut_bytes = 0;  // size of frames that were being written when the process died
};

// Reads the whole log in `directory` and checks every frame of it.
//
// The log ends where no valid frame follows. The bytes after that decide whether it is an end or
// damage. Writes are synced one after another, and each frame contains the place where its write
// began. So if a valid frame of a *later* write exists, everything before it had been synced, and
// an invalid frame was damaged afterwards: CorruptionError. If there is no such frame, the write
// was cut short, its commit was reported to nobody, and its frames are removed. In a segment that
// is followed by another one, every frame must be valid.
//
// A damaged last write looks like one that was cut short. `note` distinguishes them: if its
// position lies after the end of the log, frames or whole segments were damaged or removed.
//
// A segment gets its full size before it gets its name. So a last segment that is shorter than the
// size in its header was truncated after it had been written: CorruptionError too.
//
// Nothing is changed on disk before all of this has been checked.
[[nodiscard]] Recovered recover(Disk& disk, const std::string& directory, const CommitNote& note);

}  // namespace beeline::journal
