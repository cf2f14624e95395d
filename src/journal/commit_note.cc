#include "journal/commit_note.h"

#include <array>
#include <bit>
#include <cstring>
#include <string_view>

#include "base/check.h"
#include "journal/corruption_error.h"
#include "journal/crc32c.h"
#include "journal/frame_format.h"

namespace beeline::journal {
namespace {

constexpr std::string_view kNoteName = "commit-note";
constexpr std::string_view kDraftName = "commit-note.new";

// The distance is the largest sector size of disks, so writing one half cannot tear the other.
constexpr std::uint64_t kHalfBytes = 4096;
constexpr std::uint64_t kFileBytes = 2 * kHalfBytes;

// docs/journal_format.md describes these bytes.
struct Half {
  std::array<char, 8> magic;
  std::uint32_t checksum;  // of all following bytes
  std::uint32_t sequence;
  std::uint64_t number;
  std::int64_t committed;
  std::uint64_t end;
};
static_assert(sizeof(Half) == 40 && std::endian::native == std::endian::little,
              "a half is written as it is in memory");
static_assert(sizeof(Half) <= kHalfBytes);
constexpr std::array<char, 8> kNoteMagic = {'B', 'E', 'E', 'L', 'I', 'N', 'E', 'C'};
constexpr std::size_t kCheckedFrom = 12;

std::uint32_t checksum_of(const Half& half) {
  std::array<char, sizeof(Half)> bytes{};
  std::memcpy(bytes.data(), &half, sizeof half);
  return crc32c(std::string_view(bytes.data(), bytes.size()).substr(kCheckedFrom));
}

enum class HalfState { Unwritten, Whole, Damaged };

HalfState read_half(const File& file, std::uint64_t offset, Half& half) {
  std::array<char, sizeof(Half)> bytes{};
  if (file.read_at(offset, bytes) < bytes.size()) return HalfState::Damaged;
  std::memcpy(&half, bytes.data(), sizeof half);
  if (half.magic == kNoteMagic && half.checksum == checksum_of(half)) return HalfState::Whole;
  return bytes == decltype(bytes){} ? HalfState::Unwritten : HalfState::Damaged;
}

}  // namespace

CommitNote::CommitNote(Disk& disk, std::string directory)
    : disk_(disk),
      directory_(std::move(directory)),
      path_(directory_ + "/" + std::string(kNoteName)) {
  if (!disk_.exists(path_)) return;
  file_ = disk_.open(path_, OpenMode::Existing);
  int damaged = 0;
  for (const std::uint64_t offset : {std::uint64_t{0}, kHalfBytes}) {
    Half half{};
    const HalfState state = read_half(*file_, offset, half);
    if (state == HalfState::Damaged) ++damaged;
    if (state != HalfState::Whole || half.number <= number_) continue;
    number_ = half.number;
    found_ = Content{Position{half.committed}, half.sequence, half.end};
  }
  if (damaged < 2) return;
  throw CorruptionError(
      path_, 0,
      "both halves of the commit note are damaged; restore the file from a copy, or remove it to "
      "start without it: beeline then cannot notice a lost end of the log");
}

void CommitNote::write(const Content& content) {
  BEELINE_CHECK(content.sequence > 0, "the note of position {} names no segment",
                content.committed.value());
  BEELINE_CHECK(content.end >= kSegmentHeaderBytes, "end={}", content.end);
  const MutexLock lock{mutex_};
  if (file_ == nullptr) create();
  BEELINE_CHECK(file_ != nullptr, "{} is not open", path_);
  Half half{.magic = kNoteMagic,
            .checksum = 0,
            .sequence = content.sequence,
            .number = number_ + 1,
            .committed = content.committed.value(),
            .end = content.end};
  half.checksum = checksum_of(half);
  std::array<char, sizeof(Half)> bytes{};
  std::memcpy(bytes.data(), &half, sizeof half);
  file_->write_at(half.number % 2 * kHalfBytes, std::string_view(bytes.data(), bytes.size()));
  file_->sync();
  number_ = half.number;
}

// The file is created under another name first, so a file with the right name always has both
// halves.
void CommitNote::create() {
  const std::string draft = directory_ + "/" + std::string(kDraftName);
  if (disk_.exists(draft)) disk_.remove(draft);
  auto file = disk_.open(draft, OpenMode::Create);
  file->write_at(0, std::string(kFileBytes, '\0'));
  file->sync();
  disk_.rename(draft, path_);
  disk_.sync_directory(directory_);
  file_ = std::move(file);
}

}  // namespace beeline::journal
