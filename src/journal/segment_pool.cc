#include "journal/segment_pool.h"

#include <algorithm>
#include <cerrno>

#include "base/check.h"
#include "base/io_error.h"
#include "journal/segment.h"

namespace beeline::journal {
namespace {

constexpr std::size_t kFillBytes = std::size_t{1} << 20;

void fill_with_zeros(File& file, std::uint64_t size) {
  const std::string zeros(std::min<std::uint64_t>(size, kFillBytes), '\0');
  for (std::uint64_t offset = 0; offset < size; offset += zeros.size()) {
    file.write_at(offset, std::string_view(zeros).substr(0, size - offset));
  }
  file.sync();
}

}  // namespace

SegmentPool::SegmentPool(Disk& disk, std::string directory, std::uint64_t segment_bytes,
                         std::size_t spares_max)
    : disk_(disk),
      directory_(std::move(directory)),
      segment_bytes_(segment_bytes),
      spares_max_(spares_max) {
  for (const std::string& name : disk_.list(directory_)) {
    const auto number = parse_spare_name(name);
    if (!number) continue;
    next_number_ = std::max(next_number_, *number + 1);
    Spare spare{directory_ + "/" + name, nullptr, segment_bytes_};
    spare.file = disk_.open(spare.path, OpenMode::Existing);
    // A spare that was still being made when the process died may be short.
    if (spare.file->size() == segment_bytes_ && spares_.size() < spares_max_) {
      spares_.push_back(std::move(spare));
    } else {
      disk_.remove(spare.path);
    }
  }
}

Spare SegmentPool::take(std::uint64_t bytes) {
  const MutexLock lock{mutex_};
  if (bytes > segment_bytes_) return make(bytes);
  if (spares_.empty()) return make(segment_bytes_);
  Spare spare = std::move(spares_.back());
  spares_.pop_back();
  BEELINE_CHECK(spare.size == segment_bytes_, "a spare has {} bytes, not {}", spare.size,
                segment_bytes_);
  return spare;
}

void SegmentPool::prepare() {
  const MutexLock lock{mutex_};
  if (spares_.empty()) spares_.push_back(make(segment_bytes_));
}

void SegmentPool::recycle(Spare&& segment) {
  BEELINE_CHECK(segment.file != nullptr, "{} is not open", segment.path);
  const MutexLock lock{mutex_};
  const std::string path = next_path();
  disk_.rename(segment.path, path);
  // The log is shortened at its old end one file at a time, and a file is not written while a crash
  // could still restore its old name.
  try {
    disk_.sync_directory(directory_);
  } catch (const IoError& error) {
    // The log continues after a lack of room, but it must stop after a failed sync, so the error is
    // EIO.
    throw IoError(EIO, error.what());
  }
  keep_or_remove(Spare{path, std::move(segment.file), segment.size});
}

void SegmentPool::give_back(Spare spare) {
  const MutexLock lock{mutex_};
  keep_or_remove(std::move(spare));
}

void SegmentPool::keep_or_remove(Spare spare) {
  BEELINE_CHECK(spare.file != nullptr, "{} is not open", spare.path);
  if (spare.size == segment_bytes_ && spares_.size() < spares_max_) {
    spares_.push_back(std::move(spare));
  } else {
    disk_.remove(spare.path);
  }
}

Spare SegmentPool::make(std::uint64_t bytes) {
  Spare spare{next_path(), nullptr, bytes};
  spare.file = disk_.open(spare.path, OpenMode::Create);
  try {
    spare.file->allocate(bytes);
    fill_with_zeros(*spare.file, bytes);
  } catch (const IoError&) {
    try {
      disk_.remove(spare.path);
    } catch (const IoError&) {
      // The next start finds and removes it; the caller must get the first error.
    }
    throw;
  }
  return spare;
}

std::string SegmentPool::next_path() {
  return directory_ + "/" + spare_name(next_number_++);
}

}  // namespace beeline::journal
