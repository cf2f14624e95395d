#pragma once

#include <string>
#include <vector>

#include "base/ids.h"
#include "journal/data_directory.h"

namespace beeline::journal {

// Positions of one partition that its log will never have, because a repair continued it after its
// checkpoint (Journal::skip_to). They are recorded in the file beeline.gaps of the data directory,
// one gap per line, before the log is changed; docs/journal_format.md has the format. The list
// outlives the segments: it records what happened to the directory, and nothing depends on it.
struct NotedGap {
  PartitionId partition;
  Position first;
  Position last;
  std::string when;  // in readable form: 2026-11-18T04:00:00Z

  bool operator==(const NotedGap&) const = default;
};

// Returns the gaps, oldest first. Throws DataDirectoryError if the file contains anything else.
[[nodiscard]] std::vector<NotedGap> read_gaps(const DataDirectory& directory);
// Adds a gap. Does nothing if the gap is recorded already: an interrupted repair is run again.
void note_gap(const DataDirectory& directory, const NotedGap& gap);

}  // namespace beeline::journal
