#include "tests/support/faulty_disk.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/io_error.h"

namespace beeline::testing {
namespace {

constexpr std::uint64_t kSectorBytes = 512;

}  // namespace

class FaultyDisk::OpenFile final : public journal::File {
 public:
  OpenFile(FaultyDisk& disk, std::string path, std::shared_ptr<Content> content)
      : disk_(disk), path_(std::move(path)), content_(std::move(content)), boot_(disk.boots_) {}

  [[nodiscard]] std::size_t read_at(std::uint64_t offset, std::span<char> into) const override {
    const std::lock_guard lock(disk_.mutex_);
    begin("read");
    if (offset >= content_->now.size()) return 0;
    const std::size_t size = std::min<std::uint64_t>(into.size(), content_->now.size() - offset);
    std::memcpy(into.data(), content_->now.data() + offset, size);
    return size;
  }

  void write_at(std::uint64_t offset, std::string_view bytes) override {
    const std::lock_guard lock(disk_.mutex_);
    try {
      begin("write");
      if (disk_.write_error_ != 0) throw IoError(disk_.write_error_, "write " + path_);
      const std::uint64_t end = offset + bytes.size();
      if (end > content_->now.size()) disk_.take_room(end - content_->now.size(), path_);
    } catch (const IoError&) {
      disk_.write(*content_, offset, bytes.substr(0, bytes.size() / 2));
      throw;
    }
    disk_.write(*content_, offset, bytes);
  }

  void sync() override {
    const std::lock_guard lock(disk_.mutex_);
    try {
      begin("sync");
      if (const int error = std::exchange(disk_.sync_error_, 0))
        throw IoError(error, "sync " + path_);
    } catch (const IoError&) {
      content_->unsynced.clear();
      throw;
    }
    content_->synced.resize(content_->now.size());
    for (const auto& [sector, bytes] : content_->unsynced) {
      content_->synced.replace(sector * kSectorBytes, bytes.size(), bytes);
    }
    content_->synced.resize(content_->now.size());
    content_->unsynced.clear();
  }

  void allocate(std::uint64_t size) override {
    const std::lock_guard lock(disk_.mutex_);
    begin("allocate");
    if (size <= content_->now.size()) return;
    disk_.take_room(size - content_->now.size(), path_);
    disk_.resize(*content_, size);
  }

  void truncate(std::uint64_t size) override {
    const std::lock_guard lock(disk_.mutex_);
    begin("truncate");
    disk_.resize(*content_, size);
  }

  [[nodiscard]] std::uint64_t size() const override {
    const std::lock_guard lock(disk_.mutex_);
    begin("size");
    return content_->now.size();
  }

 private:
  void begin(const std::string& what) const {
    BEELINE_CHECK(boot_ == disk_.boots_, "{} is used after the crash", path_);
    disk_.count_call(what + " " + path_);
  }

  FaultyDisk& disk_;
  std::string path_;
  std::shared_ptr<Content> content_;
  std::uint64_t boot_;
};

class FaultyDisk::Lock final : public journal::DirectoryLock {
 public:
  Lock(FaultyDisk& disk, std::string path)
      : disk_(disk), path_(std::move(path)), boot_(disk.boots_) {}
  ~Lock() override {
    const std::lock_guard lock(disk_.mutex_);
    if (boot_ == disk_.boots_) disk_.locks_.erase(path_);
  }

 private:
  FaultyDisk& disk_;
  std::string path_;
  std::uint64_t boot_;
};

// --- faults ---

void FaultyDisk::crash(Crash how) {
  const std::lock_guard lock(mutex_);
  ++boots_;
  locks_.clear();
  failing_call_ = 0;
  sync_error_ = 0;
  write_error_ = 0;

  std::size_t kept = 0;
  if (how == Crash::KeepsUnsynced) kept = unsynced_names_.size();
  if (how == Crash::Random) kept = random_() % (unsynced_names_.size() + 1);
  // Each content crashes once, whatever names it has, and in the order of the names, so the same
  // seed gives the same crash.
  std::set<Content*> crashed;
  for (const Names* names : {&names_, &synced_names_}) {
    for (const auto& [name, content] : *names) {
      if (crashed.insert(content.get()).second) crash_content(*content, how);
    }
  }

  for (std::size_t i = 0; i < kept; ++i) apply_names(synced_names_, unsynced_names_[i]);
  unsynced_names_.clear();
  names_ = synced_names_;
}

void FaultyDisk::crash_content(Content& content, Crash how) {
  const auto survives = [&] {
    if (how == Crash::Random) return random_() % 2 == 0;
    return how == Crash::KeepsUnsynced;
  };
  if (survives()) content.synced.resize(content.now.size());
  for (const auto& [sector, bytes] : content.unsynced) {
    const std::uint64_t offset = sector * kSectorBytes;
    if (!survives() || offset >= content.synced.size()) continue;
    const std::size_t size = std::min<std::uint64_t>(bytes.size(), content.synced.size() - offset);
    content.synced.replace(offset, size, bytes, 0, size);
  }
  content.unsynced.clear();
  content.now = content.synced;
}

void FaultyDisk::fail_call(std::uint64_t n, int error) {
  const std::lock_guard lock(mutex_);
  failing_call_ = calls_ + n;
  call_error_ = error;
}

void FaultyDisk::fail_next_sync(int error) {
  const std::lock_guard lock(mutex_);
  sync_error_ = error;
}

void FaultyDisk::fail_writes(int error) {
  const std::lock_guard lock(mutex_);
  write_error_ = error;
}

void FaultyDisk::set_room(std::optional<std::uint64_t> bytes) {
  const std::lock_guard lock(mutex_);
  room_ = bytes;
}

std::uint64_t FaultyDisk::calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

std::string FaultyDisk::bytes(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  return content_of(path).now;
}

void FaultyDisk::set_bytes(const std::string& path, std::string bytes) {
  const std::lock_guard lock(mutex_);
  Content& content = content_of(path);
  content.unsynced.clear();
  content.now = bytes;
  content.synced = std::move(bytes);
}

// --- Disk ---

std::unique_ptr<journal::File> FaultyDisk::open(const std::string& path, journal::OpenMode mode) {
  const std::lock_guard lock(mutex_);
  count_call("open " + path);
  const bool is_there = names_.contains(path);
  if (mode == journal::OpenMode::Create) {
    if (is_there) throw IoError(EEXIST, "open " + path);
    change_names({{path, std::make_shared<Content>()}});
  } else if (!is_there) {
    throw IoError(ENOENT, "open " + path);
  }
  return std::make_unique<OpenFile>(*this, path, names_.at(path));
}

void FaultyDisk::rename(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  count_call("rename " + from);
  if (!names_.contains(from)) throw IoError(ENOENT, "rename " + from);
  change_names({{to, names_.at(from)}, {from, nullptr}});
}

void FaultyDisk::remove(const std::string& path) {
  const std::lock_guard lock(mutex_);
  count_call("remove " + path);
  if (!names_.contains(path)) throw IoError(ENOENT, "remove " + path);
  if (room_) *room_ += names_.at(path)->now.size();
  change_names({{path, nullptr}});
}

std::vector<std::string> FaultyDisk::list(const std::string& directory) {
  const std::lock_guard lock(mutex_);
  count_call("list " + directory);
  std::vector<std::string> found;
  for (const auto& [path, content] : names_) {
    if (!path.starts_with(directory + "/")) continue;
    const std::string rest = path.substr(directory.size() + 1);
    const std::string name = rest.substr(0, rest.find('/'));
    if (found.empty() || found.back() != name) found.push_back(name);
  }
  return found;
}

bool FaultyDisk::exists(const std::string& path) {
  const std::lock_guard lock(mutex_);
  count_call("exists " + path);
  return names_.contains(path);
}

void FaultyDisk::create_directory(const std::string& path) {
  const std::lock_guard lock(mutex_);
  count_call("create " + path);
}

void FaultyDisk::sync_directory(const std::string& path) {
  const std::lock_guard lock(mutex_);
  count_call("sync " + path);
  std::vector<NameChange> others;
  for (NameChange& change : unsynced_names_) {
    const std::string& name = change.front().first;
    if (name.substr(0, name.rfind('/')) == path) {
      apply_names(synced_names_, change);
    } else {
      others.push_back(std::move(change));
    }
  }
  unsynced_names_ = std::move(others);
}

std::unique_ptr<journal::DirectoryLock> FaultyDisk::lock(const std::string& path) {
  const std::lock_guard lock(mutex_);
  count_call("lock " + path);
  if (!names_.contains(path)) change_names({{path, std::make_shared<Content>()}});
  if (!locks_.insert(path).second) return nullptr;
  return std::make_unique<Lock>(*this, path);
}

// --- helpers; the mutex is held ---

void FaultyDisk::count_call(const std::string& what) {
  if (++calls_ == failing_call_) throw IoError(call_error_, what + ": injected");
}

void FaultyDisk::take_room(std::uint64_t bytes, const std::string& what) {
  if (!room_) return;
  if (bytes > *room_) throw IoError(ENOSPC, what);
  *room_ -= bytes;
}

void FaultyDisk::change_names(NameChange change) {
  apply_names(names_, change);
  unsynced_names_.push_back(std::move(change));
}

void FaultyDisk::apply_names(Names& names, const NameChange& change) {
  for (const auto& [name, content] : change) {
    if (content == nullptr) {
      names.erase(name);
    } else {
      names[name] = content;
    }
  }
}

void FaultyDisk::write(Content& content, std::uint64_t offset, std::string_view bytes) {
  if (bytes.empty()) return;
  const std::uint64_t end = offset + bytes.size();
  if (end > content.now.size()) content.now.resize(end);
  content.now.replace(offset, bytes.size(), bytes);
  for (std::uint64_t sector = offset / kSectorBytes; sector * kSectorBytes < end; ++sector) {
    content.unsynced[sector] = content.now.substr(sector * kSectorBytes, kSectorBytes);
  }
}

void FaultyDisk::resize(Content& content, std::uint64_t size) {
  content.now.resize(size);
  std::erase_if(content.unsynced,
                [&](const auto& entry) { return entry.first * kSectorBytes >= size; });
}

FaultyDisk::Content& FaultyDisk::content_of(const std::string& path) const {
  const auto it = names_.find(path);
  BEELINE_CHECK(it != names_.end(), "there is no {}", path);
  return *it->second;
}

}  // namespace beeline::testing
