#include <gtest/gtest.h>

#include <limits>

#include "base/ids.h"
#include "base/md5.h"
#include "base/partition_hash.h"
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

TEST(PartitionHash, gives_the_partitions_of_the_protocol) {
  struct Row {
    const char* key;
    int of_2, of_3, of_4, of_10, of_100;
  };
  const Row rows[] = {
      {"", 1, 1, 1, 1, 1},
      {"a", 2, 2, 2, 8, 98},
      {"123", 1, 1, 3, 1, 91},
      {"foobar", 2, 2, 4, 4, 64},
      {"order-123", 2, 1, 2, 10, 90},
      {"\u00fc", 2, 1, 4, 10, 60},
      {"\U0001f600", 2, 1, 2, 6, 26},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.key);
    EXPECT_EQ(partition_of_correlation_key(row.key, 1), PartitionId{1});
    EXPECT_EQ(partition_of_correlation_key(row.key, 2), PartitionId{row.of_2});
    EXPECT_EQ(partition_of_correlation_key(row.key, 3), PartitionId{row.of_3});
    EXPECT_EQ(partition_of_correlation_key(row.key, 4), PartitionId{row.of_4});
    EXPECT_EQ(partition_of_correlation_key(row.key, 10), PartitionId{row.of_10});
    EXPECT_EQ(partition_of_correlation_key(row.key, 100), PartitionId{row.of_100});
  }
}

}  // namespace
}  // namespace beeline
