#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "journal/disk.h"
#include "journal/frame_format.h"
#include "journal/log_storage.h"

namespace beeline::journal {

// Walks the frames of one segment from the first on, and accepts a frame only if everything about
// it is right: checksum, the chain from the frame before, positions, and the segment that it names.
class SegmentCursor {
 public:
  // Does not read from `limit` on. `file` must outlive this object.
  SegmentCursor(const File& file, const SegmentHeader& header, std::uint64_t limit);

  // Returns the next frame, or nothing if there is none at offset(); then offset() does not change.
  // The bytes are valid until the next call.
  [[nodiscard]] std::optional<Frame> next();
  void set_limit(std::uint64_t limit) { limit_ = limit; }

  // Returns where the next frame must begin.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  [[nodiscard]] Position next_position() const { return next_position_; }
  // Returns the checksum of the frame before.
  [[nodiscard]] std::uint32_t checksum() const { return checksum_; }
  // Returns where the write of the frame before began.
  [[nodiscard]] std::uint64_t group_start() const { return group_start_; }

 private:
  // Returns `size` bytes at `offset`, or fewer at the limit or the end of the file.
  [[nodiscard]] std::string_view bytes_at(std::uint64_t offset, std::size_t size);

  const File& file_;
  std::uint32_t sequence_;
  std::uint64_t limit_;
  std::uint64_t offset_ = kSegmentHeaderBytes;
  Position next_position_;
  std::uint32_t checksum_;
  std::uint64_t group_start_ = kSegmentHeaderBytes;

  std::string buffer_;
  std::uint64_t buffer_offset_ = 0;
};

}  // namespace beeline::journal
