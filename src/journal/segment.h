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

// One file of the log. Journal owns them, and its mutex guards what changes.
struct Segment {
  SegmentHeader header;
  std::string path;
  std::unique_ptr<File> file;

  // Whether the header is on disk and the file has its name: before that it is a spare.
  bool is_active = false;
  // Where the committed frames end, and the last position among them (that before the segment's
  // first one while there is none).
  std::uint64_t committed_end = kSegmentHeaderBytes;
  Position committed_last{0};
  // Readers that stand in it. A segment with readers is not recycled.
  int readers = 0;
};

// "segment-000000000001.log"; sorts by sequence.
[[nodiscard]] std::string segment_name(std::uint32_t sequence);
// "spare-000000000001": room that is set aside, whatever its bytes are.
[[nodiscard]] std::string spare_name(std::uint32_t number);
[[nodiscard]] std::optional<std::uint32_t> parse_segment_name(std::string_view name);
[[nodiscard]] std::optional<std::uint32_t> parse_spare_name(std::string_view name);

}  // namespace beeline::journal
