#include "journal/frame_format.h"

#include <bit>
#include <cstring>

#include "base/check.h"
#include "journal/crc32c.h"
#include "journal/log_storage.h"

namespace beeline::journal {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they are");

constexpr std::string_view kMagic = "BEELINEJ";

constexpr std::size_t kSegmentVersionAt = 8;
constexpr std::size_t kSegmentChecksumAt = 12;
constexpr std::size_t kSegmentSequenceAt = 16;
constexpr std::size_t kSegmentPreviousAt = 20;
constexpr std::size_t kSegmentFirstAt = 24;
constexpr std::size_t kSegmentSizeAt = 32;
constexpr std::size_t kSegmentGapAt = 40;
static_assert(kSegmentGapAt + 8 <= kSegmentHeaderBytes);

constexpr std::size_t kFrameLengthAt = 0;
constexpr std::size_t kFrameChecksumAt = 4;
constexpr std::size_t kFramePreviousAt = 8;
constexpr std::size_t kFrameGroupAt = 12;
constexpr std::size_t kFrameFirstAt = 16;
constexpr std::size_t kFrameCountAt = 24;
constexpr std::size_t kFrameSequenceAt = 28;
static_assert(kFrameSequenceAt + 4 == kFrameHeaderBytes);
static_assert(kSegmentHeaderBytes % kFrameAlignment == 0);

template <typename Number>
void store(char* to, std::size_t at, Number number) {
  std::memcpy(to + at, &number, sizeof number);
}

template <typename Number>
Number load(std::string_view from, std::size_t at) {
  Number number{};
  std::memcpy(&number, from.data() + at, sizeof number);
  return number;
}

std::uint32_t segment_header_checksum(std::string_view bytes) {
  return crc32c(bytes.substr(kSegmentChecksumAt + 4), crc32c(bytes.substr(0, kSegmentChecksumAt)));
}

std::uint32_t frame_checksum(std::string_view header, std::string_view payload) {
  const std::uint32_t length = crc32c(header.substr(0, kFrameChecksumAt));
  const std::uint32_t rest = crc32c(header.substr(kFrameChecksumAt + 4), length);
  return crc32c(payload, rest);
}

}  // namespace

std::string encode_segment_header(const SegmentHeader& header) {
  BEELINE_CHECK(header.sequence > 0, "a segment has no number");
  BEELINE_CHECK(header.first > header.gap_after, "first={} gap_after={}", header.first.value(),
                header.gap_after.value());
  BEELINE_CHECK(header.size > kSegmentHeaderBytes, "size={}", header.size);
  std::string bytes(kSegmentHeaderBytes, '\0');
  kMagic.copy(bytes.data(), kMagic.size());
  const bool has_gap = header.gap_after > Position{0};
  store(bytes.data(), kSegmentVersionAt, has_gap ? kGapFormatVersion : kFormatVersion);
  store(bytes.data(), kSegmentSequenceAt, header.sequence);
  store(bytes.data(), kSegmentPreviousAt, header.previous_checksum);
  store(bytes.data(), kSegmentFirstAt, header.first.value());
  store(bytes.data(), kSegmentSizeAt, header.size);
  if (has_gap) store(bytes.data(), kSegmentGapAt, header.gap_after.value());
  store(bytes.data(), kSegmentChecksumAt, segment_header_checksum(bytes));
  return bytes;
}

std::optional<SegmentHeader> decode_segment_header(std::string_view bytes) {
  if (bytes.size() < kSegmentHeaderBytes) return std::nullopt;
  bytes = bytes.substr(0, kSegmentHeaderBytes);
  if (!bytes.starts_with(kMagic)) return std::nullopt;
  const auto version = load<std::uint32_t>(bytes, kSegmentVersionAt);
  if (version != kFormatVersion && version != kGapFormatVersion) return std::nullopt;
  if (load<std::uint32_t>(bytes, kSegmentChecksumAt) != segment_header_checksum(bytes)) {
    return std::nullopt;
  }
  return SegmentHeader{.sequence = load<std::uint32_t>(bytes, kSegmentSequenceAt),
                       .previous_checksum = load<std::uint32_t>(bytes, kSegmentPreviousAt),
                       .first = Position{load<std::int64_t>(bytes, kSegmentFirstAt)},
                       .size = load<std::uint64_t>(bytes, kSegmentSizeAt),
                       .gap_after = version == kGapFormatVersion
                                        ? Position{load<std::int64_t>(bytes, kSegmentGapAt)}
                                        : Position{0}};
}

std::uint32_t append_frame(FrameHeader header, std::string_view payload, std::string& out) {
  BEELINE_CHECK(payload.size() <= kFrameBytesMax, "a frame has {} bytes", payload.size());
  BEELINE_CHECK(header.count > 0, "a frame at position {} has no positions", header.first.value());
  BEELINE_CHECK(header.group_start >= kSegmentHeaderBytes, "group_start={}", header.group_start);
  header.length = static_cast<std::uint32_t>(payload.size());
  char bytes[kFrameHeaderBytes];
  store(bytes, kFrameLengthAt, header.length);
  store(bytes, kFramePreviousAt, header.previous_checksum);
  store(bytes, kFrameGroupAt, header.group_start);
  store(bytes, kFrameFirstAt, header.first.value());
  store(bytes, kFrameCountAt, header.count);
  store(bytes, kFrameSequenceAt, header.sequence);
  const std::uint32_t checksum = frame_checksum({bytes, kFrameHeaderBytes}, payload);
  store(bytes, kFrameChecksumAt, checksum);
  out.append(bytes, kFrameHeaderBytes);
  out.append(payload);
  out.append(frame_size(payload.size()) - kFrameHeaderBytes - payload.size(), '\0');
  return checksum;
}

FrameHeader decode_frame_header(std::string_view bytes) {
  BEELINE_CHECK(bytes.size() >= kFrameHeaderBytes, "a header has {} bytes", bytes.size());
  return FrameHeader{.length = load<std::uint32_t>(bytes, kFrameLengthAt),
                     .checksum = load<std::uint32_t>(bytes, kFrameChecksumAt),
                     .previous_checksum = load<std::uint32_t>(bytes, kFramePreviousAt),
                     .group_start = load<std::uint32_t>(bytes, kFrameGroupAt),
                     .first = Position{load<std::int64_t>(bytes, kFrameFirstAt)},
                     .count = load<std::uint32_t>(bytes, kFrameCountAt),
                     .sequence = load<std::uint32_t>(bytes, kFrameSequenceAt)};
}

bool is_intact(std::string_view header_bytes, std::string_view payload) {
  BEELINE_CHECK(header_bytes.size() == kFrameHeaderBytes, "a header has {} bytes",
                header_bytes.size());
  return load<std::uint32_t>(header_bytes, kFrameChecksumAt) ==
         frame_checksum(header_bytes, payload);
}

}  // namespace beeline::journal
