#include "journal/crc32c.h"

#include <gtest/gtest.h>

#include <string>

namespace beeline::journal {
namespace {

// The check values of RFC 3720, appendix B.4.
TEST(Crc32c, gives_the_published_values) {
  std::string ascending;
  for (int i = 0; i < 32; ++i) ascending += static_cast<char>(i);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43u);
  EXPECT_EQ(crc32c(ascending), 0x46DD794Eu);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283u);
}

TEST(Crc32c, instruction_and_table_agree_for_every_length_and_split) {
  std::string bytes;
  for (int i = 0; i < 67; ++i) bytes += static_cast<char>(i * 37 + 11);
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const std::string_view whole = std::string_view(bytes).substr(0, size);
    EXPECT_EQ(crc32c(whole), crc32c_portable(whole));
    for (std::size_t split = 0; split <= size; ++split) {
      EXPECT_EQ(crc32c(whole.substr(split), crc32c(whole.substr(0, split))), crc32c(whole));
    }
  }
}

}  // namespace
}  // namespace beeline::journal
