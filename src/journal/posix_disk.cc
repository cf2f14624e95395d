#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "base/io_error.h"
#include "journal/disk.h"

namespace beeline::journal {
namespace {

[[noreturn]] void fail(std::string_view attempt, const std::string& path) {
  throw IoError(errno, fmt::format("cannot {} {}", attempt, path));
}

[[noreturn]] void fail(const std::error_code& error, std::string_view attempt,
                       const std::string& path) {
  throw IoError(error.value(), fmt::format("cannot {} {}", attempt, path));
}

// The files contain the data of processes, so only their owner may read them.
constexpr mode_t kFileMode = 0600;
constexpr mode_t kDirectoryMode = 0700;

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : fd_(::open(path.c_str(), flags, kFileMode)) {
    if (fd_ < 0) fail("open", path);
  }
  ~Descriptor() { ::close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

class PosixFile final : public File {
 public:
  PosixFile(std::string path, int flags) : path_(std::move(path)), fd_(path_, flags) {}

  [[nodiscard]] std::size_t read_at(std::uint64_t offset, std::span<char> into) const override {
    std::size_t done = 0;
    while (done < into.size()) {
      const ssize_t n = ::pread(fd_.get(), into.data() + done, into.size() - done,
                                static_cast<off_t>(offset + done));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail("read", path_);
      if (n == 0) break;
      done += static_cast<std::size_t>(n);
    }
    return done;
  }

  void write_at(std::uint64_t offset, std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t n = ::pwrite(fd_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail("write", path_);
      bytes.remove_prefix(static_cast<std::size_t>(n));
      offset += static_cast<std::uint64_t>(n);
    }
  }

  void sync() override {
    // Not even EINTR is retried: after any failure the kernel may treat the pages as clean.
    if (::fdatasync(fd_.get()) != 0) fail("sync", path_);
  }

  void allocate(std::uint64_t size) override {
    // posix_fallocate writes a byte into every block if the file system cannot allocate by itself,
    // so it works on all of them.
    int error = EINTR;
    while (error == EINTR) error = ::posix_fallocate(fd_.get(), 0, static_cast<off_t>(size));
    if (error != 0)
      throw IoError(error, fmt::format("cannot allocate {} bytes for {}", size, path_));
  }

  void truncate(std::uint64_t size) override {
    if (::ftruncate(fd_.get(), static_cast<off_t>(size)) != 0) fail("truncate", path_);
  }

  [[nodiscard]] std::uint64_t size() const override {
    struct stat status {};
    if (::fstat(fd_.get(), &status) != 0) fail("look at", path_);
    return static_cast<std::uint64_t>(status.st_size);
  }

 private:
  std::string path_;
  Descriptor fd_;
};

class PosixLock final : public DirectoryLock {
 public:
  explicit PosixLock(const std::string& path) : fd_(path, O_RDWR | O_CREAT | O_CLOEXEC) {}
  [[nodiscard]] bool acquire() const { return ::flock(fd_.get(), LOCK_EX | LOCK_NB) == 0; }

 private:
  Descriptor fd_;
};

}  // namespace

std::unique_ptr<File> PosixDisk::open(const std::string& path, OpenMode mode) {
  const int flags = mode == OpenMode::Create ? O_CREAT | O_EXCL : 0;
  return std::make_unique<PosixFile>(path, O_RDWR | O_CLOEXEC | flags);
}

void PosixDisk::rename(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail("rename", from);
}

void PosixDisk::remove(const std::string& path) {
  if (::unlink(path.c_str()) != 0) fail("remove", path);
}

std::vector<std::string> PosixDisk::list(const std::string& directory) {
  std::error_code error;
  std::vector<std::string> names;
  std::filesystem::directory_iterator it(directory, error);
  for (const auto end = std::filesystem::directory_iterator(); !error && it != end;
       it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  if (error) fail(error, "list", directory);
  std::ranges::sort(names);
  return names;
}

bool PosixDisk::exists(const std::string& path) {
  std::error_code error;
  const bool exists = std::filesystem::exists(path, error);
  if (error) fail(error, "look at", path);
  return exists;
}

void PosixDisk::create_directory(const std::string& path) {
  const std::filesystem::path directory(path);
  if (exists(path)) return;
  const std::filesystem::path parent = directory.parent_path();
  if (!parent.empty()) create_directory(parent.string());
  if (::mkdir(path.c_str(), kDirectoryMode) != 0 && errno != EEXIST) fail("create", path);
  sync_directory(parent.empty() ? "." : parent.string());
}

void PosixDisk::sync_directory(const std::string& path) {
  const Descriptor directory(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (::fsync(directory.get()) != 0) fail("sync", path);
}

std::unique_ptr<DirectoryLock> PosixDisk::lock(const std::string& path) {
  auto lock = std::make_unique<PosixLock>(path);
  if (lock->acquire()) return lock;
  if (errno != EWOULDBLOCK) fail("lock", path);
  return nullptr;
}

}  // namespace beeline::journal
