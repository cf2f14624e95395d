#pragma once

#include <string>
#include <vector>

#include "base/ids.h"
#include "journal/data_directory.h"

namespace beeline::journal {

// Positions of one partition that its log will never have, since a repair began it anew behind its
// checkpoint (Journal::skip_to). They are written down in the file beeline.gaps of the data
// directory, a line each, before the log is changed; docs/journal_format.md has the format. The
// list outlives the segments: it says what happened to the directory, and nothing depends on it.
struct NotedGap {
  PartitionId partition;
  Position first;
  Position last;
  std::string when;  // as it is to be read: 2026-11-18T04:00:00Z

  bool operator==(const NotedGap&) const = default;
};

// Oldest first. Throws DataDirectoryError when the file holds something else.
[[nodiscard]] std::vector<NotedGap> read_gaps(const DataDirectory& directory);
// Adds one. Does nothing when the positions are noted already: a repair that was cut short is run
// again.
void note_gap(const DataDirectory& directory, const NotedGap& gap);

}  // namespace beeline::journal
