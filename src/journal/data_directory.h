#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "journal/disk.h"

namespace beeline::journal {

// A data directory that cannot be used; the message is one sentence that explains what to do.
class DataDirectoryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// All data of beeline is in one directory, which belongs to one process at a time:
//
//     beeline.format      "beeline data, format 1": marks the directory as ours, with its format
//     beeline.lock        locked while a process uses the directory
//     beeline.gaps        positions that the logs will never have; see gap_list.h
//     beeline.*           decisions made once for its whole life; see keep()
//     ...                 files of the server: a folder per partition
//
// A directory that is not empty and has no beeline.format belongs to somebody else and is not
// touched.
class DataDirectory {
 public:
  // Creates the directory if it does not exist. `disk` must outlive this object. Throws
  // DataDirectoryError, or IoError if the disk fails.
  DataDirectory(Disk& disk, std::string path);

  [[nodiscard]] const std::string& path() const { return path_; }
  // Returns the path of a file in the directory.
  [[nodiscard]] std::string path_of(std::string_view name) const;
  // Returns the decision about `name` that was made at the first call, for ever: `decision`, if
  // this is the first call. It is a line in the file beeline.<name>.
  [[nodiscard]] std::string keep(std::string_view name, std::string_view decision);
  // Returns the bytes of the file beeline.<name>; nothing if it does not exist.
  [[nodiscard]] std::optional<std::string> read(std::string_view name) const;
  // Replaces the bytes of the file: after a crash the file has the old ones or the new ones.
  void write(std::string_view name, std::string_view bytes) const;

 private:
  void check_format() const;
  void write_whole(std::string_view name, std::string_view bytes) const;

  Disk& disk_;
  std::string path_;
  std::unique_ptr<DirectoryLock> lock_;
};

}  // namespace beeline::journal
