#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace beeline::journal {

// The interface between the journal and the operating system. Every disk operation of the journal
// goes through it, so a test can use a disk that forgets, tears and fails.
//
// Every failure is thrown as IoError, whose code is the errno of the call; callers only look for
// `ENOSPC`. After a failed write the bytes of its range are undefined; after a failed sync nothing
// that was written since the last successful one can be relied on.
//
// Threading: one File may be read by many threads while one thread writes other bytes of it. The
// functions of Disk may be called from any thread.
class File {
 public:
  virtual ~File() = default;

  // Fills `into` from `offset` and returns how many bytes there were: fewer than requested only at
  // the end of the file.
  [[nodiscard]] virtual std::size_t read_at(std::uint64_t offset, std::span<char> into) const = 0;
  // Writes all of `bytes`, or throws.
  virtual void write_at(std::uint64_t offset, std::string_view bytes) = 0;
  // Returns when everything that was written before the call, and the size of the file, survives a
  // power failure.
  virtual void sync() = 0;
  // Makes the file at least `size` long and allocates its blocks, so a later write cannot fail for
  // lack of room. New bytes read as zeros.
  virtual void allocate(std::uint64_t size) = 0;
  virtual void truncate(std::uint64_t size) = 0;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
};

// The lock is held during its lifetime; it is released when its process dies.
class DirectoryLock {
 public:
  virtual ~DirectoryLock() = default;
};

enum class OpenMode {
  Existing,  // the file must exist
  Create,    // the file must not exist
};

class Disk {
 public:
  virtual ~Disk() = default;

  [[nodiscard]] virtual std::unique_ptr<File> open(const std::string& path, OpenMode mode) = 0;
  // Replaces `to` if it exists. Like every change of a directory, it survives a power failure only
  // after sync_directory.
  virtual void rename(const std::string& from, const std::string& to) = 0;
  virtual void remove(const std::string& path) = 0;
  // Returns the names in a directory, sorted, without "." and "..".
  [[nodiscard]] virtual std::vector<std::string> list(const std::string& directory) = 0;
  [[nodiscard]] virtual bool exists(const std::string& path) = 0;
  // Creates the directory and its parents, durably; does nothing if it exists.
  virtual void create_directory(const std::string& path) = 0;
  virtual void sync_directory(const std::string& path) = 0;
  // Locks the file `path`, which is created if necessary. Returns null if another process holds the
  // lock.
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
