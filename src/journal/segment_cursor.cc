#include "journal/segment_cursor.h"

#include <algorithm>

#include "base/check.h"

namespace beeline::journal {
namespace {

constexpr std::size_t kReadBytes = std::size_t{256} << 10;

}  // namespace

SegmentCursor::SegmentCursor(const File& file, const SegmentHeader& header, std::uint64_t limit)
    : file_(file),
      sequence_(header.sequence),
      limit_(limit),
      next_position_(header.first),
      checksum_(header.previous_checksum) {}

std::optional<Frame> SegmentCursor::next() {
  std::string_view bytes = bytes_at(offset_, kFrameHeaderBytes);
  if (bytes.size() < kFrameHeaderBytes) return std::nullopt;
  const FrameHeader header = decode_frame_header(bytes);
  if (header.sequence != sequence_ || header.previous_checksum != checksum_ ||
      header.first != next_position_ || header.count == 0 || header.length > kFrameBytesMax ||
      header.group_start < kSegmentHeaderBytes || header.group_start > offset_) {
    return std::nullopt;
  }
  const std::size_t size = kFrameHeaderBytes + header.length;
  bytes = bytes_at(offset_, size);
  if (bytes.size() < size) return std::nullopt;
  const std::string_view payload = bytes.substr(kFrameHeaderBytes);
  if (!is_intact(bytes.substr(0, kFrameHeaderBytes), payload)) return std::nullopt;

  BEELINE_CHECK(offset_ % kFrameAlignment == 0, "a frame begins at {}", offset_);
  offset_ += frame_size(header.length);
  next_position_ = Position{header.last().value() + 1};
  checksum_ = header.checksum;
  group_start_ = header.group_start;
  return Frame{header.first, header.last(), payload};
}

std::string_view SegmentCursor::bytes_at(std::uint64_t offset, std::size_t size) {
  const bool is_buffered =
      offset >= buffer_offset_ && offset + size <= buffer_offset_ + buffer_.size();
  if (!is_buffered) {
    const std::uint64_t left = offset < limit_ ? limit_ - offset : 0;
    buffer_.resize(std::min<std::uint64_t>(left, std::max(size, kReadBytes)));
    buffer_.resize(file_.read_at(offset, buffer_));
    buffer_offset_ = offset;
  }
  BEELINE_CHECK(offset >= buffer_offset_, "offset={} buffer_offset={}", offset, buffer_offset_);
  return std::string_view(buffer_).substr(offset - buffer_offset_, size);
}

}  // namespace beeline::journal
