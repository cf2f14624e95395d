#pragma once

#include <optional>
#include <string>

#include "base/ids.h"
#include "journal/disk.h"

namespace beeline::exporter {

// How far an exporter has come, in a file of one line. Writing replaces the file by a rename, so
// after a crash there is the old position or the new one, never half of either.
class PositionFile {
 public:
  // `disk` must outlive this.
  PositionFile(journal::Disk& disk, std::string directory, std::string name);

  // Nothing when there is no file yet. Throws std::runtime_error, which names the file, when its
  // content is no position: guessing would skip records.
  [[nodiscard]] std::optional<Position> read() const;
  // Returns once the position survives a power cut.
  void write(Position position);
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  journal::Disk& disk_;
  std::string directory_;
  std::string path_;
};

// Throws when a position in `directory`, whoever's it is, is beyond `committed`, where the log
// ends: exporters are given only what was committed, so the log has lost it.
void check_exported_positions(journal::Disk& disk, const std::string& directory,
                              Position committed);

}  // namespace beeline::exporter
