#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "journal/disk.h"

namespace beeline::testing {

// A disk in memory that behaves as badly as a real one may, and no worse.
//
// The fault model:
//  1. Reads see every write that succeeded, until crash().
//  2. A crash keeps synced bytes. For each sector of 512 bytes that was written since the last sync
//     it keeps, independently, either the old bytes or the bytes of some later write (Crash selects
//     which). So a write may be torn between sectors in any way, but a sector is never torn itself.
//  3. The size of a file and its allocation count as written: before a sync, a crash may undo them.
//  4. Names (create, rename, remove) are durable after sync_directory. Of later changes of names, a
//     crash keeps the first ones, in the order in which they were made, as journaling file systems
//     do. The bytes of a file are durable by the file's own sync, whatever its name.
//  5. A write that fails may have written some of its bytes: a short write. Here, the first half.
//  6. A sync that fails has written nothing, and every later sync ignores the bytes that it should
//     have written, though reads still see them: the kernel marks the pages clean.
//  7. Any call can fail: fail_call(n) makes the n-th one from now on throw.
//  8. A full disk (set_room) refuses calls that need new blocks, and no others.
//
// Not modelled: sectors that rot by themselves (tests flip bytes with bytes()), and directories,
// which are only prefixes of paths.
//
// A crash invalidates open files and locks: their owner is dead. Threading: see Disk.
class FaultyDisk final : public journal::Disk {
 public:
  enum class Crash {
    LosesUnsynced,  // nothing that was not synced survives
    KeepsUnsynced,  // everything survives: the process died, the machine did not
    Random,         // every sector and every name survives by chance
  };

  explicit FaultyDisk(std::uint64_t seed = 1) : random_(seed) {}

  // --- faults ---
  void crash(Crash how);
  // The n-th call from now (1 is the next) fails with this errno; later calls do not.
  void fail_call(std::uint64_t n, int error);
  // The next sync of a file fails.
  void fail_next_sync(int error);
  // Every write to a file fails from now on; 0 ends that.
  void fail_writes(int error);
  // Sets how many bytes may be allocated from now on; nothing means no limit.
  void set_room(std::optional<std::uint64_t> bytes);
  // Returns how many calls there have been.
  [[nodiscard]] std::uint64_t calls() const;

  // --- what a test may do behind the back of the code ---
  // The bytes of a file, to be changed as a rotting disk would, durably.
  [[nodiscard]] std::string bytes(const std::string& path) const;
  void set_bytes(const std::string& path, std::string bytes);

  // --- Disk ---
  [[nodiscard]] std::unique_ptr<journal::File> open(const std::string& path,
                                                    journal::OpenMode mode) override;
  void rename(const std::string& from, const std::string& to) override;
  void remove(const std::string& path) override;
  [[nodiscard]] std::vector<std::string> list(const std::string& directory) override;
  [[nodiscard]] bool exists(const std::string& path) override;
  void create_directory(const std::string& path) override;
  void sync_directory(const std::string& path) override;
  [[nodiscard]] std::unique_ptr<journal::DirectoryLock> lock(const std::string& path) override;

 private:
  class OpenFile;
  class Lock;

  struct Content {
    std::string now;                                // what reads see
    std::string synced;                             // what remains after a crash
    std::map<std::uint64_t, std::string> unsynced;  // sector number to its bytes
  };
  using Names = std::map<std::string, std::shared_ptr<Content>>;
  // A change of names; null means that the name is removed.
  using NameChange = std::vector<std::pair<std::string, std::shared_ptr<Content>>>;

  void count_call(const std::string& what);
  void take_room(std::uint64_t bytes, const std::string& what);
  void change_names(NameChange change);
  static void apply_names(Names& names, const NameChange& change);
  static void write(Content& content, std::uint64_t offset, std::string_view bytes);
  static void resize(Content& content, std::uint64_t size);
  void crash_content(Content& content, Crash how);
  [[nodiscard]] Content& content_of(const std::string& path) const;

  mutable std::mutex mutex_;
  std::mt19937_64 random_;
  std::uint64_t calls_ = 0;
  std::uint64_t failing_call_ = 0;
  int call_error_ = 0;
  int sync_error_ = 0;
  int write_error_ = 0;
  std::optional<std::uint64_t> room_;
  std::uint64_t boots_ = 0;
  Names names_;
  Names synced_names_;
  std::vector<NameChange> unsynced_names_;
  std::set<std::string> locks_;
};

}  // namespace beeline::testing
