#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace beeline::journal {

// The seam between the journal and the operating system. Everything the journal asks of a disk goes
// through here, so that a test can put a disk beneath it that forgets, tears and fails.
//
// Every failure is thrown as IoError, whose code is the errno of the call; `ENOSPC` is the only one
// anybody looks at. After a failed write the bytes of its range are undefined; after a failed sync
// nothing that was written since the last good one can be believed.
//
// Threading: one File may be read by many threads while one thread writes other bytes of it. The
// functions of Disk may be called from any thread.
class File {
 public:
  virtual ~File() = default;

  // Fills `into` from `offset` and returns how many bytes there were: less than asked only at the
  // end of the file.
  [[nodiscard]] virtual std::size_t read_at(std::uint64_t offset, std::span<char> into) const = 0;
  // Writes all of `bytes`, or throws.
  virtual void write_at(std::uint64_t offset, std::string_view bytes) = 0;
  // Returns once everything written before the call, and the size of the file, survive a power cut.
  virtual void sync() = 0;
  // Makes the file at least `size` long and sets the blocks aside, so that writing them later
  // cannot fail for want of room. What was not there before reads as zeros.
  virtual void allocate(std::uint64_t size) = 0;
  virtual void truncate(std::uint64_t size) = 0;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
};

// Held for as long as it lives; a process that dies lets go of it.
class DirectoryLock {
 public:
  virtual ~DirectoryLock() = default;
};

enum class OpenMode {
  Existing,  // the file must be there
  Create,    // the file must not be there
};

class Disk {
 public:
  virtual ~Disk() = default;

  [[nodiscard]] virtual std::unique_ptr<File> open(const std::string& path, OpenMode mode) = 0;
  // Replaces `to` if it is there. Like every change of a directory it survives a power cut only
  // after sync_directory.
  virtual void rename(const std::string& from, const std::string& to) = 0;
  virtual void remove(const std::string& path) = 0;
  // The names in a directory, sorted, without "." and "..".
  [[nodiscard]] virtual std::vector<std::string> list(const std::string& directory) = 0;
  [[nodiscard]] virtual bool exists(const std::string& path) = 0;
  // Creates the directory and its parents, durably; nothing happens where it is there already.
  virtual void create_directory(const std::string& path) = 0;
  virtual void sync_directory(const std::string& path) = 0;
  // Locks the file `path`, which is created if need be. Null when somebody else holds the lock.
  [[nodiscard]] virtual std::unique_ptr<DirectoryLock> lock(const std::string& path) = 0;
};

// The disk of the machine.
class PosixDisk final : public Disk {
 public:
  [[nodiscard]] std::unique_ptr<File> open(const std::string& path, OpenMode mode) override;
  void rename(const std::string& from, const std::string& to) override;
  void remove(const std::string& path) override;
  [[nodiscard]] std::vector<std::string> list(const std::string& directory) override;
  [[nodiscard]] bool exists(const std::string& path) override;
  void create_directory(const std::string& path) override;
  void sync_directory(const std::string& path) override;
  [[nodiscard]] std::unique_ptr<DirectoryLock> lock(const std::string& path) override;
};

}  // namespace beeline::journal
