#include "journal/frame_format.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace beeline::journal {
namespace {

std::string hex(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i > 0) text += i % 16 == 0 ? '\n' : ' ';
    text += fmt::format("{:02x}", static_cast<unsigned char>(bytes[i]));
  }
  return text;
}

// The worked example of docs/journal_format.md. If this fails, old logs can no longer be read.
TEST(FrameFormat, is_what_the_documentation_shows) {
  const SegmentHeader header{
      .sequence = 1, .previous_checksum = 0, .first = Position{1}, .size = 1024};
  std::string bytes = encode_segment_header(header);
  const std::uint32_t first = append_frame(FrameHeader{.previous_checksum = 0,
                                                       .group_start = 64,
                                                       .first = Position{1},
                                                       .count = 2,
                                                       .sequence = 1},
                                           "hello", bytes);
  append_frame(FrameHeader{.previous_checksum = first,
                           .group_start = 104,
                           .first = Position{3},
                           .count = 1,
                           .sequence = 1},
               "bee", bytes);
  EXPECT_EQ(hex(bytes),
            "42 45 45 4c 49 4e 45 4a 01 00 00 00 4f bb be a8\n"
            "01 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00\n"
            "00 04 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n"
            "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n"
            "05 00 00 00 56 73 99 47 00 00 00 00 40 00 00 00\n"
            "01 00 00 00 00 00 00 00 02 00 00 00 01 00 00 00\n"
            "68 65 6c 6c 6f 00 00 00 03 00 00 00 c6 75 1d 11\n"
            "56 73 99 47 68 00 00 00 03 00 00 00 00 00 00 00\n"
            "01 00 00 00 01 00 00 00 62 65 65 00 00 00 00 00");
}

TEST(FrameFormat, headers_come_back_as_they_were) {
  const SegmentHeader segment{
      .sequence = 7, .previous_checksum = 8, .first = Position{9}, .size = 1000};
  EXPECT_EQ(decode_segment_header(encode_segment_header(segment)), segment);

  FrameHeader frame{
      .previous_checksum = 1, .group_start = 64, .first = Position{5}, .count = 3, .sequence = 7};
  std::string bytes;
  frame.checksum = append_frame(frame, "payload", bytes);
  frame.length = 7;
  EXPECT_EQ(decode_frame_header(bytes), frame);
  EXPECT_EQ(frame.last(), Position{7});
  EXPECT_EQ(bytes.size(), frame_size(7));
  EXPECT_TRUE(is_intact(bytes.substr(0, kFrameHeaderBytes), "payload"));
  EXPECT_FALSE(is_intact(bytes.substr(0, kFrameHeaderBytes), "Payload"));
}

TEST(FrameFormat, a_segment_header_with_any_byte_changed_is_none) {
  const std::string bytes =
      encode_segment_header({.sequence = 7, .first = Position{9}, .size = 1000});
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x80);
    EXPECT_FALSE(decode_segment_header(damaged)) << "byte " << at;
  }
  EXPECT_FALSE(decode_segment_header(bytes.substr(0, bytes.size() - 1)));
}

}  // namespace
}  // namespace beeline::journal
