#pragma once

#include <optional>
#include <string>

#include "base/ids.h"
#include "journal/disk.h"

namespace beeline::exporter {

// How far an exporter has come, in a file of one line. Writing replaces the file by a rename, so
// after a crash the file contains the old position or the new one, never half of either.
class PositionFile {
 public:
  // `disk` must outlive this object.
  PositionFile(journal::Disk& disk, std::string directory, std::string name);

  // Returns nothing if there is no file yet. Throws std::runtime_error, which names the file, if
  // its content is not a position: guessing would skip records.
  [[nodiscard]] std::optional<Position> read() const;
  // Returns when the position survives a power failure.
  void write(Position position);
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  journal::Disk& disk_;
  std::string directory_;
  std::string path_;
};

// Throws if a position in `directory`, of any exporter, is beyond `committed`, where the log ends:
// exporters get only committed records, so the log has lost some.
void check_exported_positions(journal::Disk& disk, const std::string& directory,
                              Position committed);

}  // namespace beeline::exporter
