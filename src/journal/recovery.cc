#include "journal/recovery.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "journal/corruption_error.h"
#include "journal/segment_cursor.h"

namespace beeline::journal {
namespace {

std::vector<std::uint32_t> list_sequences(Disk& disk, const std::string& directory) {
  std::vector<std::uint32_t> sequences;
  for (const std::string& name : disk.list(directory)) {
    if (const auto sequence = parse_segment_name(name)) sequences.push_back(*sequence);
  }
  std::ranges::sort(sequences);
  for (std::size_t i = 1; i < sequences.size(); ++i) {
    if (sequences[i] != sequences[i - 1] + 1) {
      throw CorruptionError(directory + "/" + segment_name(sequences[i - 1] + 1), 0,
                            "the segment is missing, though there are later ones");
    }
  }
  return sequences;
}

std::unique_ptr<Segment> open_segment(Disk& disk, const std::string& directory,
                                      std::uint32_t sequence) {
  auto segment = std::make_unique<Segment>();
  segment->path = directory + "/" + segment_name(sequence);
  segment->file = disk.open(segment->path, OpenMode::Existing);
  std::string bytes(kSegmentHeaderBytes, '\0');
  bytes.resize(segment->file->read_at(0, bytes));
  const auto header = decode_segment_header(bytes);
  if (!header || header->sequence != sequence) {
    throw CorruptionError(segment->path, 0,
                          "the header of the segment is damaged or of another version");
  }
  segment->header = *header;
  segment->is_active = true;
  return segment;
}

// Walks to the end of the segment and records it.
SegmentCursor walk(Segment& segment) {
  SegmentCursor cursor(*segment.file, segment.header, segment.header.size);
  while (cursor.next()) continue;
  BEELINE_CHECK(cursor.next_position() >= segment.header.first, "next_position={} first={}",
                cursor.next_position().value(), segment.header.first.value());
  segment.committed_end = cursor.offset();
  segment.committed_last = Position{cursor.next_position().value() - 1};
  return cursor;
}

void check_joint(const Segment& segment, const SegmentCursor& end, const SegmentHeader& next) {
  // A segment after a gap contains the position at which the log ended before it.
  const Position expected =
      next.gap_after > Position{0} ? Position{next.gap_after.value() + 1} : next.first;
  if (expected == end.next_position() && next.previous_checksum == end.checksum()) return;
  throw CorruptionError(segment.path, end.offset(),
                        fmt::format("the frame with position {} is damaged or missing, though "
                                    "there are later ones",
                                    end.next_position().value()));
}

// A truncated file lacks frames that may have been committed, or zeros where no frame was written:
// it is impossible to know which.
void check_size(const Segment& segment) {
  const std::uint64_t size = segment.file->size();
  if (size >= segment.header.size) return;
  throw CorruptionError(
      segment.path, size,
      fmt::format("the file has {} bytes, but {} according to its header: it was truncated, and "
                  "committed records are missing; restore the file from a copy",
                  size, segment.header.size));
}

// `last` is the last existing segment, or null.
void check_note(const std::string& directory, const Segment* last, const CommitNote& note) {
  if (!note.found()) return;
  const CommitNote::Content& noted = *note.found();
  const Position end = last == nullptr ? Position{0} : last->committed_last;
  if (noted.committed <= end) return;
  const auto missing = fmt::format(
      "position {} was committed according to {}; restore the file from a copy, or remove {} to "
      "continue without the missing records",
      noted.committed.value(), note.path(), note.path());
  // Without any segment it is not known where the log began.
  const std::uint32_t next = last == nullptr ? noted.sequence : last->header.sequence + 1;
  if (last == nullptr || noted.sequence >= next) {
    throw CorruptionError(directory + "/" + segment_name(next), 0,
                          fmt::format("the segment is missing, though {}", missing));
  }
  throw CorruptionError(last->path, last->committed_end,
                        fmt::format("the frame with position {} is damaged or missing, though {}",
                                    end.value() + 1, missing));
}

// Writes the last write again. The previous process may have died before its sync, or of a failed
// sync: then the kernel has the bytes, shows them, and treats them as written. They are about to be
// relied on, so they must be on disk.
void make_durable(Segment& segment, std::uint64_t last_group_start) {
  BEELINE_CHECK(last_group_start <= segment.committed_end, "last_group_start={} committed_end={}",
                last_group_start, segment.committed_end);
  if (segment.committed_end > kSegmentHeaderBytes) {
    std::string bytes(segment.committed_end - last_group_start, '\0');
    bytes.resize(segment.file->read_at(last_group_start, bytes));
    segment.file->write_at(last_group_start, bytes);
  }
  segment.file->sync();
}

// The remains in the last segment after its end: headers that name this segment, valid or not.
class Remains {
 public:
  explicit Remains(Segment& segment) : segment_(segment), bytes_(read_rest(segment)) {}

  void check() const {
    for_each_header([&](std::uint64_t offset, const FrameHeader& header) {
      const std::uint64_t at = offset - segment_.committed_end;
      const std::string_view rest = std::string_view(bytes_).substr(at);
      if (header.group_start <= segment_.committed_end || header.group_start > offset) return;
      if (header.first <= segment_.committed_last) return;
      if (header.length > rest.size() - kFrameHeaderBytes) return;
      if (!is_intact(rest.substr(0, kFrameHeaderBytes),
                     rest.substr(kFrameHeaderBytes, header.length))) {
        return;
      }
      throw CorruptionError(
          segment_.path, segment_.committed_end,
          fmt::format("the frame with position {} is damaged, though there is a later one at "
                      "offset {}",
                      segment_.committed_last.value() + 1, offset));
    });
  }

  // Ensures that nothing left here is ever taken for a frame again, even if the same bytes are
  // written before it. Returns how far the remains reached.
  std::uint64_t wipe() {
    std::uint64_t reach = 0;
    for_each_header([&](std::uint64_t offset, const FrameHeader& header) {
      static const std::string kZeros(kFrameHeaderBytes, '\0');
      segment_.file->write_at(offset, kZeros);
      const std::uint64_t end = std::min(offset + frame_size(header.length), segment_.header.size);
      reach = std::max(reach, end - segment_.committed_end);
    });
    return reach;
  }

 private:
  static std::string read_rest(const Segment& segment) {
    std::string bytes(segment.header.size - segment.committed_end, '\0');
    bytes.resize(segment.file->read_at(segment.committed_end, bytes));
    return bytes;
  }

  template <typename Visit>
  void for_each_header(Visit&& visit) const {
    for (std::size_t at = 0; at + kFrameHeaderBytes <= bytes_.size(); at += kFrameAlignment) {
      const FrameHeader header =
          decode_frame_header(std::string_view(bytes_).substr(at, kFrameHeaderBytes));
      if (header.sequence != segment_.header.sequence || header.count == 0) continue;
      visit(segment_.committed_end + at, header);
    }
  }

  Segment& segment_;
  std::string bytes_;
};

}  // namespace

CorruptionError::CorruptionError(const std::string& segment, std::uint64_t offset,
                                 const std::string& what)
    : std::runtime_error(fmt::format("{}, offset {}: {}", segment, offset, what)),
      segment_(segment),
      offset_(offset) {}

Recovered recover(Disk& disk, const std::string& directory, const CommitNote& note) {
  Recovered recovered;
  for (const std::uint32_t sequence : list_sequences(disk, directory)) {
    recovered.segments.push_back(open_segment(disk, directory, sequence));
  }
  auto& segments = recovered.segments;
  if (segments.empty()) check_note(directory, nullptr, note);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    Segment& segment = *segments[i];
    const SegmentCursor end = walk(segment);
    if (i + 1 < segments.size()) {
      check_joint(segment, end, segments[i + 1]->header);
      continue;
    }
    check_size(segment);
    Remains remains(segment);
    remains.check();
    check_note(directory, &segment, note);
    recovered.cut_bytes = remains.wipe();
    make_durable(segment, end.group_start());
    recovered.checksum = end.checksum();
    recovered.last = segment.committed_last;
  }
  // The previous process may have died between naming a file and syncing the directory: the name
  // exists, but a power failure would still undo it.
  disk.sync_directory(directory);
  return recovered;
}

}  // namespace beeline::journal
