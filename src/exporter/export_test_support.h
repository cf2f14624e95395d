#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/io_error.h"
#include "journal/disk.h"
#include "journal/log_storage.h"
#include "record/codec.h"
#include "record/frame.h"
#include "record/record.h"
#include "record/values.h"

namespace beeline::exporter {

// A directory that is removed at the end of the test.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "beeline-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// Waits until `condition` is true, for so long that only a hang can miss it.
[[nodiscard]] inline bool eventually(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::yield();
  }
  return true;
}

// The machine's disk, whose n-th call that changes something fails, and every call while `broken`.
// It does not sync: no test here simulates a power failure, and hundreds of syncs take long.
class FailingDisk final : public journal::Disk {
 public:
  std::atomic<std::int64_t> calls{0};
  std::atomic<std::int64_t> failing_call{-1};
  std::atomic<bool> broken{false};

  std::unique_ptr<journal::File> open(const std::string& path, journal::OpenMode mode) override {
    step("open");
    return std::make_unique<FailingFile>(*this, disk_.open(path, mode));
  }
  void rename(const std::string& from, const std::string& to) override {
    step("rename");
    disk_.rename(from, to);
  }
  void remove(const std::string& path) override {
    step("remove");
    disk_.remove(path);
  }
  std::vector<std::string> list(const std::string& directory) override {
    return disk_.list(directory);
  }
  bool exists(const std::string& path) override { return disk_.exists(path); }
  void create_directory(const std::string& path) override {
    step("mkdir");
    disk_.create_directory(path);
  }
  void sync_directory(const std::string&) override { step("sync"); }
  std::unique_ptr<journal::DirectoryLock> lock(const std::string& path) override {
    return disk_.lock(path);
  }

 private:
  class FailingFile final : public journal::File {
   public:
    FailingFile(FailingDisk& disk, std::unique_ptr<journal::File> file)
        : disk_(disk), file_(std::move(file)) {}
    std::size_t read_at(std::uint64_t offset, std::span<char> into) const override {
      return file_->read_at(offset, into);
    }
    void write_at(std::uint64_t offset, std::string_view bytes) override {
      try {
        disk_.step("write");
      } catch (const IoError&) {
        file_->write_at(offset, bytes.substr(0, bytes.size() / 2));  // a short write
        throw;
      }
      file_->write_at(offset, bytes);
    }
    void sync() override { disk_.step("sync"); }
    void allocate(std::uint64_t size) override { file_->allocate(size); }
    void truncate(std::uint64_t size) override {
      disk_.step("truncate");
      file_->truncate(size);
    }
    std::uint64_t size() const override { return file_->size(); }

   private:
    FailingDisk& disk_;
    std::unique_ptr<journal::File> file_;
  };

  void step(const char* what) {
    if (++calls == failing_call || broken) throw IoError(ENOSPC, what);
  }

  journal::PosixDisk disk_;
};

// Appends one frame of `count` job events to the log.
inline void append_records(journal::LogStorage& log, int count) {
  const std::int64_t before = log.last_position().value();
  std::string bytes;
  bytes.resize(record::kFrameHeadBytes);
  record::write_frame_head(Position{before}, bytes.data());
  for (std::int64_t position = before + 1; position <= before + count; ++position) {
    record::Metadata metadata;
    metadata.position = Position{position};
    metadata.key = Key{position};
    record::JobRecord job;
    job.type = "ship";
    std::string value;
    record::encode(job, value);
    record::append_record(metadata, value, bytes);
  }
  ASSERT_EQ(log.append(Position{before + 1}, Position{before + count}, bytes),
            journal::AppendResult::Accepted);
}

[[nodiscard]] inline std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> result;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) result.push_back(line);
  return result;
}

// Returns the positions in a file of JSON lines, in order; -1 for a line without a position.
[[nodiscard]] inline std::vector<std::int64_t> positions_in(const std::string& path) {
  std::vector<std::int64_t> result;
  for (const auto& line : lines_of(path)) {
    static constexpr std::string_view kField = "\"position\":";
    const std::size_t at = line.find(kField);
    const bool whole = at != std::string::npos && line.ends_with('}');
    result.push_back(whole ? std::stoll(line.substr(at + kField.size())) : -1);
  }
  return result;
}

}  // namespace beeline::exporter
