// A disk that fails, for the real binary: this library is preloaded (LD_PRELOAD), intercepts
// beeline's calls to the C library and looks at every call that changes a file below one directory.
//
// It can do what tests/support/faulty_disk.h does to the journal in memory:
//  - It fails, shortens or delays the n-th write, sync, rename, removal or creation of a file whose
//    path contains a text.
//  - It is full: every call that needs new room fails with ENOSPC ("soft"), or every write does, as
//    on file systems that copy on write ("hard").
//  - It loses its power: the process ends at once, and unsynced changes are undone. Each sector of
//    512 bytes that was written since the last sync has, by chance, its bytes of that time or its
//    present ones; the same is true of the size. Names are durable once their directory was synced;
//    of later changes of names, the first ones are kept, in the order in which they were made.
//  - It omits syncs: they succeed, but the written bytes count as not synced. This shows that the
//    test would notice a missing sync.
//
// No sync reaches the real disk, which makes the test fast: a process that dies leaves the page
// cache behind, and this library undoes what a power failure would lose.
//
// It is set up by the environment: BEELINE_FAULTS_ROOT is the directory, BEELINE_FAULTS_SOCKET the
// path of a Unix socket on which it receives commands while the process runs, and BEELINE_FAULTS
// has commands for the beginning, with semicolons between them. run_command() below lists them.
//
// Not modelled: files that are mapped for writing (beeline and RocksDB map none), and directories,
// which are durable when they are created.
//
// Threading: one mutex guards everything and is held during each call to the disk, so the power
// fails between two calls and never within one.

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::uint64_t kSectorBytes = 512;
constexpr int kDescriptorsMax = 1 << 16;

template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

// The functions of the C library.
struct Real {
  int (*open)(const char*, int, ...) = real<int(const char*, int, ...)>("open");
  int (*openat)(int, const char*, int, ...) = real<int(int, const char*, int, ...)>("openat");
  int (*close)(int) = real<int(int)>("close");
  ssize_t (*write)(int, const void*, size_t) = real<ssize_t(int, const void*, size_t)>("write");
  ssize_t (*pwrite)(int, const void*, size_t,
                    off_t) = real<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  ssize_t (*writev)(int, const iovec*, int) = real<ssize_t(int, const iovec*, int)>("writev");
  int (*ftruncate)(int, off_t) = real<int(int, off_t)>("ftruncate");
  int (*fallocate)(int, int, off_t, off_t) = real<int(int, int, off_t, off_t)>("fallocate");
  int (*posix_fallocate)(int, off_t, off_t) = real<int(int, off_t, off_t)>("posix_fallocate");
  int (*fsync)(int) = real<int(int)>("fsync");
  int (*fdatasync)(int) = real<int(int)>("fdatasync");
  int (*rename)(const char*, const char*) = real<int(const char*, const char*)>("rename");
  int (*unlink)(const char*) = real<int(const char*)>("unlink");
  int (*mkdir)(const char*, mode_t) = real<int(const char*, mode_t)>("mkdir");
};

const Real& libc() {
  static const Real calls;
  return calls;
}

// A file below the root that is open for writing.
struct File {
  std::string path;
  int fd = -1;  // our own descriptor, for reading and undoing writes
  std::uint64_t synced_size = 0;
  std::map<std::uint64_t, std::string>
      synced;  // sectors written since the last sync, with their bytes at that sync

  [[nodiscard]] std::uint64_t size() const {
    struct stat status {};
    return ::fstat(fd, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
  }
};
using FilePtr = std::shared_ptr<File>;

struct NameChange {
  enum class Kind { Create, Rename, Remove } kind;
  std::string directory;
  std::string path;   // created, removed, or renamed from
  std::string to;     // renamed to
  std::string grave;  // where the file is kept whose name the change took; may be empty
};

enum class Action { Fail, Shorten, Delay, LosePower };

struct Rule {
  std::string call;  // write, sync, rename, remove, create, allocate or any
  std::string text;  // text that the path must contain; "*" for any
  std::int64_t first = 1;
  std::int64_t count = 1;
  Action action = Action::Fail;
  int error = EIO;
  int millis = 0;
  std::uint64_t seed = 0;
  std::int64_t seen = 0;
};

enum class Fullness { Room, Soft, Hard };

std::string directory_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

bool contains(const std::string& path, const std::string& text) {
  return text == "*" || path.find(text) != std::string::npos;
}

class Disk {
 public:
  Disk() {
    const char* root = std::getenv("BEELINE_FAULTS_ROOT");
    if (root == nullptr) return;
    root_ = root;
    graves_ = root_ + ".graves";
    std::filesystem::remove_all(graves_);
    std::filesystem::create_directories(graves_);
    if (const char* commands = std::getenv("BEELINE_FAULTS")) {
      std::stringstream lines(commands);
      for (std::string line; std::getline(lines, line, ';');) (void)run_command(line);
    }
    if (const char* socket = std::getenv("BEELINE_FAULTS_SOCKET")) serve(socket);
  }

  // --- called by the functions below ---

  [[nodiscard]] bool is_below_root(const char* path) const {
    return !root_.empty() && path != nullptr &&
           std::strncmp(path, root_.c_str(), root_.size()) == 0 && path[root_.size()] == '/';
  }
  [[nodiscard]] bool is_watched(int fd) const {
    return fd >= 0 && fd < kDescriptorsMax &&
           is_watched_[static_cast<std::size_t>(fd)].load(std::memory_order_relaxed);
  }

  int open(const char* path, int flags, mode_t mode) {
    const bool is_written = (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0;
    const std::lock_guard lock(mutex_);
    const bool is_new = (flags & O_CREAT) != 0 && ::access(path, F_OK) != 0;
    if (is_new) {
      if (!apply_rules("create", path)) return -1;
      if (fullness_ != Fullness::Room) return fail(ENOSPC);
    }
    FilePtr file;
    if (is_written && !is_new) {
      file = track(path);
      if (file && (flags & O_TRUNC) != 0) keep_synced(*file, 0, file->size());
    }
    const int fd = libc().open(path, flags, mode);
    if (fd < 0 || fd >= kDescriptorsMax) return fd;
    // The C library closes directories that it has read without calling close().
    open_.erase(fd);
    directories_.erase(fd);
    is_watched_[static_cast<std::size_t>(fd)] = false;
    if (is_new) {
      file = track(path);
      if (file) file->synced_size = 0;
      names_.push_back({NameChange::Kind::Create, directory_of(path), path, {}, {}});
    }
    struct stat status {};
    const bool is_directory = ::fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
    if (!file && !is_directory) return fd;
    if (is_directory) directories_[fd] = path;
    if (file) open_[fd] = file;
    is_watched_[static_cast<std::size_t>(fd)] = true;
    return fd;
  }

  void close(int fd) {
    const std::lock_guard lock(mutex_);
    is_watched_[static_cast<std::size_t>(fd)] = false;
    open_.erase(fd);
    directories_.erase(fd);
  }

  // `write(size)` writes this number of bytes.
  template <typename Write>
  ssize_t write(int fd, std::uint64_t offset, std::size_t size, Write&& write) {
    std::unique_lock lock(mutex_);
    const FilePtr file = file_of(fd);
    if (!file) {
      lock.unlock();
      return write(size);
    }
    bool is_short = false;
    if (!apply_rules("write", file->path, &is_short)) return -1;
    const bool grows = offset + size > file->size();
    if (fullness_ == Fullness::Hard || (fullness_ == Fullness::Soft && grows)) {
      errno = ENOSPC;
      return -1;
    }
    if (is_short) size = std::max<std::size_t>(1, size / 2);
    keep_synced(*file, offset, size);
    return write(size);
  }

  int truncate(int fd, off_t size) {
    const std::lock_guard lock(mutex_);
    if (const FilePtr file = file_of(fd)) {
      const std::uint64_t now = file->size();
      const auto wanted = static_cast<std::uint64_t>(size);
      if (wanted < now) keep_synced(*file, wanted, now - wanted);
    }
    return libc().ftruncate(fd, size);
  }

  // Returns an errno, or 0.
  int allocate(int fd, off_t end) {
    const std::lock_guard lock(mutex_);
    const FilePtr file = file_of(fd);
    if (!file) return 0;
    if (!apply_rules("allocate", file->path)) return errno;
    const bool grows = static_cast<std::uint64_t>(end) > file->size();
    return fullness_ != Fullness::Room && grows ? ENOSPC : 0;
  }

  int sync(int fd) {
    std::unique_lock lock(mutex_);
    if (const auto directory = directories_.find(fd); directory != directories_.end()) {
      const std::string path = directory->second;
      if (!apply_rules("sync", path)) return -1;
      sync_names(path);
      return 0;
    }
    const FilePtr file = file_of(fd);
    if (!file) return 0;
    if (!apply_rules("sync", file->path)) return -1;
    for (const std::string& text : omitted_) {
      if (contains(file->path, text)) return 0;
    }
    file->synced.clear();
    file->synced_size = file->size();
    return 0;
  }

  int rename(const char* from, const char* to) {
    const std::lock_guard lock(mutex_);
    if (!apply_rules("rename", from)) return -1;
    NameChange change{NameChange::Kind::Rename, directory_of(to), from, to, bury(to)};
    if (libc().rename(from, to) != 0) return -1;
    if (const FilePtr file = find(to)) file->path = to;
    names_.push_back(std::move(change));
    return 0;
  }

  int remove(const char* path) {
    const std::lock_guard lock(mutex_);
    if (!apply_rules("remove", path)) return -1;
    NameChange change{NameChange::Kind::Remove, directory_of(path), path, {}, bury(path)};
    if (libc().unlink(path) != 0) return -1;
    names_.push_back(std::move(change));
    return 0;
  }

  int make_directory(const char* path, mode_t mode) {
    const std::lock_guard lock(mutex_);
    if (fullness_ != Fullness::Room && ::access(path, F_OK) != 0) return fail(ENOSPC);
    return libc().mkdir(path, mode);
  }

 private:
  static int fail(int error) {
    errno = error;
    return -1;
  }

  // --- commands ---

  // One of:
  //   clear                            removes all rules; the disk has room again
  //   full soft|hard|off
  //   omit TEXT                        syncs of files with TEXT in their path do nothing
  //   fail CALL TEXT N ERRNO [COUNT]   fails the N-th CALL from now on, and COUNT - 1 after it
  //   shorten write TEXT N [COUNT]     writes half of the bytes
  //   delay CALL TEXT N MILLIS [COUNT]
  //   power SEED                       the power fails now
  //   power-at CALL TEXT N SEED        the power fails when the N-th CALL begins
  // COUNT -1 is for ever. CALL is write, sync, rename, remove, create, allocate or any.
  std::string run_command(const std::string& line) {
    std::stringstream in(line);
    std::string word;
    in >> word;
    const std::lock_guard lock(mutex_);
    Rule rule;
    if (word == "clear") {
      rules_.clear();
      fullness_ = Fullness::Room;
    } else if (word == "full") {
      in >> word;
      fullness_ = word == "soft"   ? Fullness::Soft
                  : word == "hard" ? Fullness::Hard
                                   : Fullness::Room;
    } else if (word == "omit") {
      in >> word;
      omitted_.push_back(word);
    } else if (word == "power") {
      std::uint64_t seed = 0;
      in >> seed;
      lose_power(seed);
    } else if (word == "fail" && in >> rule.call >> rule.text >> rule.first >> rule.error) {
      in >> rule.count;
      if (!in) rule.count = 1;
      rules_.push_back(rule);
    } else if (word == "shorten" && in >> rule.call >> rule.text >> rule.first) {
      rule.action = Action::Shorten;
      in >> rule.count;
      if (!in) rule.count = 1;
      rules_.push_back(rule);
    } else if (word == "delay" && in >> rule.call >> rule.text >> rule.first >> rule.millis) {
      rule.action = Action::Delay;
      in >> rule.count;
      if (!in) rule.count = 1;
      rules_.push_back(rule);
    } else if (word == "power-at" && in >> rule.call >> rule.text >> rule.first >> rule.seed) {
      rule.action = Action::LosePower;
      rules_.push_back(rule);
    } else {
      return "unknown command: " + line + "\n";
    }
    return "ok\n";
  }

  void serve(const char* path) {
    const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
    libc().unlink(path);
    if (::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0 ||
        ::listen(listener, 16) != 0) {
      return;
    }
    // The process decides which of its threads takes a signal; it must not be this one.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before);
    std::thread([this, listener] {
      while (true) {
        const int connection = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (connection < 0) continue;
        std::string line;
        std::array<char, 512> block{};
        while (line.find('\n') == std::string::npos) {
          const ssize_t size = ::recv(connection, block.data(), block.size(), 0);
          if (size <= 0) break;
          line.append(block.data(), static_cast<std::size_t>(size));
        }
        const std::string answer = run_command(line.substr(0, line.find('\n')));
        (void)::send(connection, answer.data(), answer.size(), MSG_NOSIGNAL);
        libc().close(connection);
      }
    }).detach();
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  // --- rules; the mutex is held ---

  // Returns false if the call must fail; errno is then set.
  bool apply_rules(const std::string& call, const std::string& path, bool* is_short = nullptr) {
    for (Rule& rule : rules_) {
      if ((rule.call != call && rule.call != "any") || !contains(path, rule.text)) continue;
      ++rule.seen;
      if (rule.seen < rule.first) continue;
      if (rule.count >= 0 && rule.seen >= rule.first + rule.count) continue;
      switch (rule.action) {
        case Action::Fail:
          errno = rule.error;
          return false;
        case Action::Shorten:
          if (is_short != nullptr) *is_short = true;
          break;
        case Action::Delay:
          ::usleep(static_cast<useconds_t>(rule.millis) * 1000);
          break;
        case Action::LosePower:
          lose_power(rule.seed);
          break;
      }
    }
    return true;
  }

  // --- files; the mutex is held ---

  FilePtr file_of(int fd) {
    const auto it = open_.find(fd);
    return it == open_.end() ? nullptr : it->second;
  }

  FilePtr find(const char* path) {
    struct stat status {};
    if (::stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return nullptr;
    const auto it = files_.find(status.st_ino);
    return it == files_.end() ? nullptr : it->second;
  }

  FilePtr track(const char* path) {
    struct stat status {};
    if (::stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return nullptr;
    FilePtr& file = files_[status.st_ino];
    if (file) return file;
    file = std::make_shared<File>();
    file->path = path;
    // This descriptor stays open for good: as long as it is open, no other file gets its inode
    // number.
    file->fd = libc().open(path, O_RDWR | O_CLOEXEC);
    file->synced_size = static_cast<std::uint64_t>(status.st_size);
    return file;
  }

  static void keep_synced(File& file, std::uint64_t offset, std::uint64_t size) {
    if (size == 0) return;
    for (std::uint64_t sector = offset / kSectorBytes; sector * kSectorBytes < offset + size;
         ++sector) {
      if (file.synced.contains(sector)) continue;
      std::string bytes(kSectorBytes, '\0');
      const ssize_t read =
          ::pread(file.fd, bytes.data(), bytes.size(), static_cast<off_t>(sector * kSectorBytes));
      bytes.resize(read > 0 ? static_cast<std::size_t>(read) : 0);
      file.synced.emplace(sector, std::move(bytes));
    }
  }

  std::string bury(const char* path) {
    if (::access(path, F_OK) != 0) return {};
    std::string grave = graves_ + "/" + std::to_string(++last_grave_);
    return ::link(path, grave.c_str()) == 0 ? grave : std::string{};
  }

  void sync_names(const std::string& directory) {
    std::erase_if(names_, [&](const NameChange& change) {
      if (change.directory != directory) return false;
      if (!change.grave.empty()) {
        struct stat status {};
        if (::stat(change.grave.c_str(), &status) == 0) forget(status.st_ino);
        libc().unlink(change.grave.c_str());
      }
      return true;
    });
  }

  void forget(ino_t number) {
    const auto it = files_.find(number);
    if (it == files_.end()) return;
    libc().close(it->second->fd);
    it->second->fd = -1;
    files_.erase(it);
  }

  // --- power; the mutex is held ---

  [[noreturn]] void lose_power(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    // Every fourth time, no unsynced write survives.
    const bool loses_all = random() % 4 == 0;
    const auto survives = [&] { return !loses_all && random() % 2 == 0; };
    for (const auto& [number, file] : files_) {
      if (!file->synced.empty() || file->size() != file->synced_size) {
        ::dprintf(STDERR_FILENO,
                  "power lost: %zu sectors of %s were not synced, its size was %lu\n",
                  file->synced.size(), file->path.c_str(), file->synced_size);
      }
      for (const auto& [sector, bytes] : file->synced) {
        if (survives()) continue;
        const auto at = static_cast<off_t>(sector * kSectorBytes);
        std::string old = bytes;
        old.resize(kSectorBytes);  // beyond its end the file was empty
        if (libc().pwrite(file->fd, old.data(), old.size(), at) < 0) continue;
      }
      const std::uint64_t size = file->size();
      if (size != file->synced_size && (size < file->synced_size || !survives())) {
        (void)libc().ftruncate(file->fd, static_cast<off_t>(file->synced_size));
      }
    }
    const std::size_t kept = loses_all ? 0 : random() % (names_.size() + 1);
    while (names_.size() > kept) {
      ::dprintf(STDERR_FILENO, "power lost: %s %s is taken back\n", names_.back().path.c_str(),
                names_.back().to.c_str());
      take_back(names_.back());
      names_.pop_back();
    }
    ::kill(::getpid(), SIGKILL);
    while (true) ::pause();
  }

  static void take_back(const NameChange& change) {
    switch (change.kind) {
      case NameChange::Kind::Create:
        libc().unlink(change.path.c_str());
        break;
      case NameChange::Kind::Rename:
        libc().rename(change.to.c_str(), change.path.c_str());
        if (!change.grave.empty()) libc().rename(change.grave.c_str(), change.to.c_str());
        break;
      case NameChange::Kind::Remove:
        if (!change.grave.empty()) libc().rename(change.grave.c_str(), change.path.c_str());
        break;
    }
  }

  std::string root_;
  std::string graves_;
  std::array<std::atomic<bool>, kDescriptorsMax> is_watched_{};

  std::mutex mutex_;
  std::map<int, FilePtr> open_;
  std::map<int, std::string> directories_;
  std::map<ino_t, FilePtr> files_;
  std::vector<NameChange> names_;
  std::int64_t last_grave_ = 0;
  std::vector<Rule> rules_;
  std::vector<std::string> omitted_;
  Fullness fullness_ = Fullness::Room;
};

// The disk is never destroyed, because threads of the process write until its end. It is null until
// it is made; its constructor calls some of the functions below.
std::atomic<Disk*> the_disk{nullptr};

[[gnu::constructor]] void begin() {
  the_disk = new Disk();
}

// Returns the disk if it watches the path or the descriptor.
Disk* watching(const char* path) {
  Disk* disk = the_disk.load(std::memory_order_acquire);
  return disk != nullptr && disk->is_below_root(path) ? disk : nullptr;
}
Disk* watching(int fd) {
  Disk* disk = the_disk.load(std::memory_order_acquire);
  return disk != nullptr && disk->is_watched(fd) ? disk : nullptr;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  Disk* disk = watching(path);
  return disk != nullptr ? disk->open(path, flags, mode) : libc().open(path, flags, mode);
}

int openat(int directory, const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  Disk* disk = watching(path);
  return disk != nullptr ? disk->open(path, flags, mode)
                         : libc().openat(directory, path, flags, mode);
}

int close(int fd) {
  if (Disk* disk = watching(fd)) disk->close(fd);
  return libc().close(fd);
}

ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) {
  Disk* disk = watching(fd);
  if (disk == nullptr) return libc().pwrite(fd, bytes, size, offset);
  return disk->write(fd, static_cast<std::uint64_t>(offset), size,
                     [&](size_t some) { return libc().pwrite(fd, bytes, some, offset); });
}

ssize_t write(int fd, const void* bytes, size_t size) {
  Disk* disk = watching(fd);
  if (disk == nullptr) return libc().write(fd, bytes, size);
  const bool appends = (::fcntl(fd, F_GETFL) & O_APPEND) != 0;
  struct stat status {};
  const off_t offset =
      appends && ::fstat(fd, &status) == 0 ? status.st_size : ::lseek(fd, 0, SEEK_CUR);
  return disk->write(fd, static_cast<std::uint64_t>(offset), size,
                     [&](size_t some) { return libc().write(fd, bytes, some); });
}

ssize_t writev(int fd, const iovec* parts, int count) {
  if (watching(fd) == nullptr) return libc().writev(fd, parts, count);
  // A write may always be short, so this writes the first part only.
  return count == 0 ? 0 : write(fd, parts[0].iov_base, parts[0].iov_len);
}

int ftruncate(int fd, off_t size) noexcept {
  Disk* disk = watching(fd);
  return disk != nullptr ? disk->truncate(fd, size) : libc().ftruncate(fd, size);
}

int fallocate(int fd, int mode, off_t offset, off_t size) {
  if (Disk* disk = watching(fd)) {
    if (const int error = disk->allocate(fd, offset + size)) {
      errno = error;
      return -1;
    }
  }
  return libc().fallocate(fd, mode, offset, size);
}

int posix_fallocate(int fd, off_t offset, off_t size) {
  if (Disk* disk = watching(fd)) {
    if (const int error = disk->allocate(fd, offset + size)) return error;
  }
  return libc().posix_fallocate(fd, offset, size);
}

int fsync(int fd) {
  Disk* disk = watching(fd);
  return disk != nullptr ? disk->sync(fd) : libc().fsync(fd);
}

int fdatasync(int fd) {
  Disk* disk = watching(fd);
  return disk != nullptr ? disk->sync(fd) : libc().fdatasync(fd);
}

int rename(const char* from, const char* to) noexcept {
  Disk* disk = watching(from);
  return disk != nullptr ? disk->rename(from, to) : libc().rename(from, to);
}

int unlink(const char* path) noexcept {
  Disk* disk = watching(path);
  return disk != nullptr ? disk->remove(path) : libc().unlink(path);
}

int mkdir(const char* path, mode_t mode) noexcept {
  Disk* disk = watching(path);
  return disk != nullptr ? disk->make_directory(path, mode) : libc().mkdir(path, mode);
}

// Other names under which programs call the same functions.
int open64(const char* path, int flags, ...) __attribute__((alias("open")));
int openat64(int directory, const char* path, int flags, ...) __attribute__((alias("openat")));
int __open_2(const char* path, int flags) {
  return open(path, flags);
}
int __open64_2(const char* path, int flags) {
  return open(path, flags);
}
ssize_t pwrite64(int, const void*, size_t, off_t) __attribute__((alias("pwrite")));
int ftruncate64(int, off_t) noexcept __attribute__((alias("ftruncate")));
int fallocate64(int, int, off_t, off_t) __attribute__((alias("fallocate")));
int posix_fallocate64(int, off_t, off_t) __attribute__((alias("posix_fallocate")));

}  // extern "C"
