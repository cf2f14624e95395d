#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"

// The bytes of a segment; docs/journal_format.md has the picture and an example. Everything that
// writes or reads them is here. Numbers are little-endian.
namespace beeline::journal {

inline constexpr std::uint32_t kFormatVersion = 1;
// Of a segment before which positions are missing.
inline constexpr std::uint32_t kGapFormatVersion = 2;
inline constexpr std::size_t kSegmentHeaderBytes = 64;
inline constexpr std::size_t kFrameHeaderBytes = 32;
// Frames begin at multiples of this.
inline constexpr std::size_t kFrameAlignment = 8;

// Written and synced before the file gets the name of a segment, and never again.
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
  std::uint32_t group_start = 0;        // where in the segment the write began that this is part of
  Position first{0};
  std::uint32_t count = 0;     // of positions
  std::uint32_t sequence = 0;  // of the segment: bytes of its former life have another

  [[nodiscard]] Position last() const { return Position{first.value() + count - 1}; }
  bool operator==(const FrameHeader&) const = default;
};

// How many bytes of a segment a frame takes.
[[nodiscard]] constexpr std::uint64_t frame_size(std::size_t payload_bytes) {
  const std::uint64_t size = kFrameHeaderBytes + payload_bytes;
  return (size + kFrameAlignment - 1) / kFrameAlignment * kFrameAlignment;
}

[[nodiscard]] std::string encode_segment_header(const SegmentHeader& header);
// Nothing if the bytes are not a segment header of this version.
[[nodiscard]] std::optional<SegmentHeader> decode_segment_header(std::string_view bytes);

// Appends the whole frame to `out`, and returns its checksum. `header` needs no length or checksum.
std::uint32_t append_frame(FrameHeader header, std::string_view payload, std::string& out);
// Takes any kFrameHeaderBytes apart; whether they are a frame is for is_intact to say.
[[nodiscard]] FrameHeader decode_frame_header(std::string_view bytes);
// Whether `header_bytes` and `payload` have the checksum that the header says.
[[nodiscard]] bool is_intact(std::string_view header_bytes, std::string_view payload);

}  // namespace beeline::journal
