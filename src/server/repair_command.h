#pragma once

#include <iosfwd>
#include <string>

#include "base/ids.h"
#include "journal/log_storage.h"
#include "server/open_data.h"

namespace beeline::server {

struct RepairOptions {
  std::string data = "data";
  // Accepts the checkpoint as the truth if it is ahead of the log.
  bool accept_checkpoint = false;
};

// Makes a data directory usable again whose checkpoint is ahead of its log: the log continues after
// the checkpoint, and the positions in between are a gap. The state is complete, since a checkpoint
// is; the records of the gap are lost to exporters and to `inspect`. Nothing is removed.
//
// Prints on `out` what it did, on `errors` why it did nothing: a server uses the directory, a log
// is damaged, or nothing needs repair. Returns the exit code, 0 only if something was repaired.
[[nodiscard]] int repair(const RepairOptions& options, std::ostream& out, std::ostream& errors);

// Describes what is wrong with a log that ends before its checkpoint, and what can be done.
[[nodiscard]] std::string describe_checkpoint_ahead(const OpenData& data, Position checkpoint,
                                                    const journal::LogStorage& log);

}  // namespace beeline::server
