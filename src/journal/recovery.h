#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "journal/commit_note.h"
#include "journal/disk.h"
#include "journal/segment.h"

namespace beeline::journal {

// What opening a log found.
struct Recovered {
  std::vector<std::unique_ptr<Segment>> segments;  // in order; all active
  std::uint32_t checksum = 0;                      // of the last frame
  Position last{0};
  std::uint64_t cut_bytes = 0;  // of frames that were being written when the process died
};

// Reads the whole log in `directory` and checks every frame of it.
//
// The end of the log is where no frame follows. Whether that is an end or damage is decided by what
// comes after it. Writes are synced one after another, and each frame names the place where its
// write began. So if a whole frame of a *later* write is there, all before it had been synced, and
// what is not whole was damaged afterwards: CorruptionError. If there is none, the write was cut
// short, nobody was ever told of its frames, and they are cut off. Wherever another segment
// follows, every frame must be there.
//
// A damaged last write looks like one that was cut short. `note` tells them apart: when it says
// that more was committed than is there, frames or whole segments were damaged or removed.
//
// A segment gets its whole size before it gets its name. So a last segment that is shorter than its
// header says was cut after it had been written: CorruptionError too.
//
// Nothing is changed on disk before all of this has been checked.
[[nodiscard]] Recovered recover(Disk& disk, const std::string& directory, const CommitNote& note);

}  // namespace beeline::journal
