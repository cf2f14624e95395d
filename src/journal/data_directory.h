#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "journal/disk.h"

namespace beeline::journal {

// A data directory that cannot be used; the message is one sentence that says what to do.
class DataDirectoryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Everything beeline keeps is in one directory, which belongs to one process at a time:
//
//     beeline.format      "beeline data, format 1": that the directory is ours, and how to read it
//     beeline.lock        locked while a process uses the directory
//     beeline.gaps        positions that the logs will never have; see gap_list.h
//     beeline.*           what is decided once for its whole life; see keep()
//     ...                 what the server puts there: a folder per partition
//
// A directory that has something in it, but no beeline.format, is somebody else's and is not
// touched.
class DataDirectory {
 public:
  // Creates the directory if there is none. `disk` must outlive this. Throws DataDirectoryError, or
  // IoError when the disk fails.
  DataDirectory(Disk& disk, std::string path);

  [[nodiscard]] const std::string& path() const { return path_; }
  // The path of something in it.
  [[nodiscard]] std::string path_of(std::string_view name) const;
  // What was decided about `name` when it was asked for the first time, for ever: `decision`, if
  // this is the first time. It is a line, in the file beeline.<name>.
  [[nodiscard]] std::string keep(std::string_view name, std::string_view decision);
  // The bytes of the file beeline.<name>; nothing when there is none.
  [[nodiscard]] std::optional<std::string> read(std::string_view name) const;
  // Replaces them: after a crash there are the old ones or the new ones.
  void write(std::string_view name, std::string_view bytes) const;

 private:
  void check_format() const;
  void write_whole(std::string_view name, std::string_view bytes) const;

  Disk& disk_;
  std::string path_;
  std::unique_ptr<DirectoryLock> lock_;
};

}  // namespace beeline::journal
