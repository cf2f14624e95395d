#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"

// The contents of one frame of a partition's log: a head that records how far processing had come,
// and the records of one batch. A command after that position was written but not yet processed,
// because its batch was full; processing continues with it, also after a restart.
namespace beeline::record {

inline constexpr std::size_t kFrameHeadBytes = 8;

// Writes the head to the kFrameHeadBytes that were left for it; records follow it (append_record).
inline void write_frame_head(Position processed, char* at) {
  static_assert(std::endian::native == std::endian::little);
  const std::int64_t number = processed.value();
  static_assert(sizeof number == kFrameHeadBytes);
  std::memcpy(at, &number, kFrameHeadBytes);
}

struct FrameView {
  Position processed;        // the last command whose results are in this frame or before it
  std::string_view records;  // for RecordReader
};

// Returns nothing if there are too few bytes for a frame.
[[nodiscard]] inline std::optional<FrameView> parse_frame(std::string_view bytes) {
  if (bytes.size() < kFrameHeadBytes) return std::nullopt;
  std::uint64_t processed = 0;
  for (std::size_t i = 0; i < kFrameHeadBytes; ++i) {
    processed |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return FrameView{Position{static_cast<std::int64_t>(processed)}, bytes.substr(kFrameHeadBytes)};
}

}  // namespace beeline::record
