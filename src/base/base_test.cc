#include <gtest/gtest.h>

#include <limits>

#include "base/ids.h"
#include "base/md5.h"
#include "base/time.h"

namespace beeline {
namespace {

TEST(Md5, gives_the_published_digests) {
  EXPECT_EQ(md5_hex(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(md5_hex("abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(
      md5_hex("12345678901234567890123456789012345678901234567890123456789012345678901234567890"),
      "57edf4a22be3c955ac49da2e2107b67a");
}

TEST(Timestamp, adding_saturates_instead_of_wrapping) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ((Timestamp{1000} + Milliseconds{kMax}).millis(), kMax);
  EXPECT_EQ((Timestamp{-1000} + Milliseconds{std::numeric_limits<std::int64_t>::min()}).millis(),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ((Timestamp{1000} + Milliseconds{5}).millis(), 1005);
}

TEST(Keys, hold_partition_and_counter) {
  const Key key = make_key(PartitionId{3}, 77);
  EXPECT_EQ(partition_of(key), PartitionId{3});
  EXPECT_EQ(counter_of(key), 77);
  EXPECT_EQ(make_key(PartitionId{1}, 1).value(), 2251799813685249);
}

}  // namespace
}  // namespace beeline
