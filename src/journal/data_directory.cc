#include "journal/data_directory.h"

#include <fmt/format.h>

#include <algorithm>

namespace beeline::journal {
namespace {

constexpr std::string_view kFormatName = "beeline.format";
constexpr std::string_view kFormatDraftName = "beeline.format.new";
constexpr std::string_view kDraftEnding = ".new";
constexpr std::size_t kDecisionBytesMax = 4096;
constexpr std::string_view kLockName = "beeline.lock";
constexpr std::string_view kFormat = "beeline data, format 1\n";
// A directory of the file system itself, in the root of a fresh one.
constexpr std::string_view kLostAndFound = "lost+found";

bool is_ours_before_format(const std::string& name) {
  return name == kLockName || name == kFormatDraftName || name == kLostAndFound;
}

}  // namespace

DataDirectory::DataDirectory(Disk& disk, std::string path) : disk_(disk), path_(std::move(path)) {
  disk.create_directory(path_);
  const bool is_known = disk.exists(path_of(kFormatName));
  // This is checked before the lock file is made: a directory that is not ours is left unchanged.
  if (!is_known && !std::ranges::all_of(disk.list(path_), is_ours_before_format)) {
    throw DataDirectoryError(fmt::format(
        "{} contains files that are not beeline's; choose an empty or new directory with --data",
        path_));
  }
  lock_ = disk.lock(path_of(kLockName));
  if (lock_ == nullptr) {
    throw DataDirectoryError(
        fmt::format("{} is in use by another process; stop it or choose another --data", path_));
  }
  // This is checked again, since another process may have made it before it released the lock.
  if (disk.exists(path_of(kFormatName))) {
    check_format();
  } else {
    write_whole(kFormatName, kFormat);
  }
}

std::string DataDirectory::path_of(std::string_view name) const {
  return fmt::format("{}/{}", path_, name);
}

void DataDirectory::check_format() const {
  const auto file = disk_.open(path_of(kFormatName), OpenMode::Existing);
  std::string found(kFormat.size() + 1, '\0');
  found.resize(file->read_at(0, found));
  if (found == kFormat) return;
  throw DataDirectoryError(fmt::format(
      "{} was written by a version of beeline that this one cannot read ('{}'); use the "
      "version that wrote it or choose another --data",
      path_, found.substr(0, found.find('\n'))));
}

std::string DataDirectory::keep(std::string_view name, std::string_view decision) {
  const std::string file_name = fmt::format("beeline.{}", name);
  if (!disk_.exists(path_of(file_name))) {
    write_whole(file_name, fmt::format("{}\n", decision));
    return std::string{decision};
  }
  const auto file = disk_.open(path_of(file_name), OpenMode::Existing);
  std::string found(kDecisionBytesMax, '\0');
  found.resize(file->read_at(0, found));
  return found.substr(0, found.find('\n'));
}

std::optional<std::string> DataDirectory::read(std::string_view name) const {
  const std::string path = path_of(fmt::format("beeline.{}", name));
  if (!disk_.exists(path)) return std::nullopt;
  const auto file = disk_.open(path, OpenMode::Existing);
  std::string bytes(file->size(), '\0');
  bytes.resize(file->read_at(0, bytes));
  return bytes;
}

void DataDirectory::write(std::string_view name, std::string_view bytes) const {
  write_whole(fmt::format("beeline.{}", name), bytes);
}

void DataDirectory::write_whole(std::string_view name, std::string_view bytes) const {
  // The file is written under another name first, so a file with the right name is always complete.
  const std::string draft = path_of(fmt::format("{}{}", name, kDraftEnding));
  if (disk_.exists(draft)) disk_.remove(draft);
  const auto file = disk_.open(draft, OpenMode::Create);
  file->write_at(0, bytes);
  file->sync();
  disk_.rename(draft, path_of(name));
  disk_.sync_directory(path_);
}

}  // namespace beeline::journal
