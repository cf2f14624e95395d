#include "gateway/inflate.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

namespace beeline::gateway {
namespace {

constexpr int kGzip = 15 + 16;
constexpr int kZlib = 15;

std::string packed(std::string_view text, int window_bits) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string result(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

Result<std::string, Status> unpacked(Compression compression, std::string_view bytes,
                                     std::size_t limit, std::size_t piece = 1000) {
  Inflater inflater(compression, limit);
  for (std::size_t at = 0; at < bytes.size(); at += piece) inflater.add(bytes.substr(at, piece));
  return inflater.finish();
}

TEST(InflateTest, gives_back_what_was_packed_whatever_the_pieces) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i * 7919);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{777}, std::size_t{10'000'000}}) {
    EXPECT_EQ(unpacked(Compression::Gzip, packed(text, kGzip), text.size(), piece), text);
    EXPECT_EQ(unpacked(Compression::Deflate, packed(text, kZlib), text.size(), piece), text);
  }
  EXPECT_EQ(unpacked(Compression::Gzip, packed("", kGzip), 0), "");
}

TEST(InflateTest, refuses_one_byte_beyond_the_limit_with_the_limit) {
  const std::string bytes = packed(std::string(100'001, 'x'), kGzip);
  const auto result = unpacked(Compression::Gzip, bytes, 100'000);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, StatusCode::ResourceExhausted);
  EXPECT_NE(result.error().text.find("at most 100000 bytes"), std::string::npos)
      << result.error().text;
}

TEST(InflateTest, refuses_what_is_not_one_whole_stream) {
  const std::string bytes = packed("a message", kGzip);
  std::string flipped = bytes;
  flipped[flipped.size() - 6] ^= 1;  // in the checksum
  for (const std::string& wrong :
       {std::string(), bytes.substr(0, bytes.size() - 1), bytes + "x", bytes + bytes, flipped,
        packed("a message", kZlib), std::string("a message")}) {
    const auto result = unpacked(Compression::Gzip, wrong, 1000);
    ASSERT_FALSE(result) << wrong.size();
    EXPECT_EQ(result.error().code, StatusCode::InvalidArgument);
    EXPECT_FALSE(unpacked(Compression::Gzip, wrong, 1000, 1)) << wrong.size();
  }
}

}  // namespace
}  // namespace beeline::gateway
