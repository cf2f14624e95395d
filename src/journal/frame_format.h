#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"

// The bytes of a segment; docs/journal_format.md has the layout and an example. All code that
// writes or reads these bytes is here. Numbers are little-endian.
namespace beeline::journal {

inline constexpr std::uint32_t kFormatVersion = 1;
// The version of a segment before which positions are missing.
inline constexpr std::uint32_t kGapFormatVersion = 2;
inline constexpr std::size_t kSegmentHeaderBytes = 64;
inline constexpr std::size_t kFrameHeaderBytes = 32;
// Frames begin at multiples of this.
inline constexpr std::size_t kFrameAlignment = 8;

// Written and synced before the file gets the name of a segment, and never changed afterwards.
struct SegmentHeader {
  std::uint32_t sequence = 0;           // 1, 2, ...: no two segments of a log ever share it
  std::uint32_t previous_checksum = 0;  // of the last frame before this segment; 0 if there is none
  Position first{0};                    // of the first frame in this segment
  std::uint64_t size = 0;               // of the segment in bytes, header included
  // The last position before this segment, when positions between the two are missing
  // (Journal::skip_to); otherwise 0.
  Position gap_after{0};

  bool operator==(const SegmentHeader&) const = default;
};

struct FrameHeader {
  std::uint32_t length = 0;             // of the payload
  std::uint32_t checksum = 0;           // CRC-32C of the header without this field, and the payload
  std::uint32_t previous_checksum = 0;  // of the frame before, even in another segment
  std::uint32_t group_start = 0;  // offset in the segment at which the write of this frame began
  Position first{0};
  std::uint32_t count = 0;     // number of positions
  std::uint32_t sequence = 0;  // of the segment; bytes from its earlier use have another sequence

  [[nodiscard]] Position last() const { return Position{first.value() + count - 1}; }
  bool operator==(const FrameHeader&) const = default;
};

// Returns how many bytes of a segment a frame takes.
[[nodiscard]] constexpr std::uint64_t frame_size(std::size_t payload_bytes) {
  const std::uint64_t size = kFrameHeaderBytes + payload_bytes;
  return (size + kFrameAlignment - 1) / kFrameAlignment * kFrameAlignment;
}

[[nodiscard]] std::string encode_segment_header(const SegmentHeader& header);
// Returns nothing if the bytes are not a segment header of this version.
[[nodiscard]] std::optional<SegmentHeader> decode_segment_header(std::string_view bytes);

// Appends the whole frame to `out`, and returns its checksum. `header` needs no length or checksum.
std::uint32_t append_frame(FrameHeader header, std::string_view payload, std::string& out);
// Decodes any kFrameHeaderBytes; is_intact() decides whether they are a frame.
[[nodiscard]] FrameHeader decode_frame_header(std::string_view bytes);
// True if `header_bytes` and `payload` have the checksum in the header.
[[nodiscard]] bool is_intact(std::string_view header_bytes, std::string_view payload);

}  // namespace beeline::journal
