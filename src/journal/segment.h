#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "journal/disk.h"
#include "journal/frame_format.h"

namespace beeline::journal {

// One file of the log. Journal owns the segments, and its mutex guards the members that change.
struct Segment {
  SegmentHeader header;
  std::string path;
  std::unique_ptr<File> file;

  // True if the header is on disk and the file has its name: before that it is a spare.
  bool is_active = false;
  // Where the committed frames end, and the last position among them (the position before the
  // segment's first one if there are none).
  std::uint64_t committed_end = kSegmentHeaderBytes;
  Position committed_last{0};
  // Number of readers in this segment. A segment with readers is not recycled.
  int readers = 0;
};

// Returns "segment-000000000001.log"; the names sort by sequence.
[[nodiscard]] std::string segment_name(std::uint32_t sequence);
// Returns "spare-000000000001": an allocated file, whatever its bytes are.
[[nodiscard]] std::string spare_name(std::uint32_t number);
[[nodiscard]] std::optional<std::uint32_t> parse_segment_name(std::string_view name);
[[nodiscard]] std::optional<std::uint32_t> parse_spare_name(std::string_view name);

}  // namespace beeline::journal
