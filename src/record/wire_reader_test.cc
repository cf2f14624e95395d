#include "record/wire_reader.h"

#include <gtest/gtest.h>

#include <limits>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <vector>

namespace beeline::record::wire {
namespace {

TEST(WireReader, reads_numbers_that_protozero_wrote) {
  std::vector<std::int64_t> numbers{0, -1, std::numeric_limits<std::int64_t>::min(),
                                    std::numeric_limits<std::int64_t>::max()};
  for (int bit = 0; bit < 63; ++bit) {
    const std::int64_t power = std::int64_t{1} << bit;
    numbers.insert(numbers.end(), {power - 1, power, power + 1, -power});
  }
  for (const std::int64_t number : numbers) {
    // The number is at the end of the bytes, or followed by enough bytes to be read at once.
    for (const std::string_view behind : {"", "abcdefgh"}) {
      std::string bytes;
      protozero::pbf_writer writer{bytes};
      writer.add_int64(7, number);
      if (!behind.empty()) writer.add_string(900, behind.data(), behind.size());
      Reader reader{bytes};
      ASSERT_TRUE(reader.next());
      EXPECT_EQ(reader.field(), 7);
      EXPECT_TRUE(reader.is_number());
      EXPECT_EQ(reader.number(), number);
      if (!behind.empty()) {
        ASSERT_TRUE(reader.next());
        EXPECT_EQ(reader.field(), 900);
        EXPECT_TRUE(reader.is_bytes());
        EXPECT_EQ(reader.bytes(), behind);
      }
      EXPECT_FALSE(reader.next());
      EXPECT_FALSE(reader.malformed());
    }
  }
}

TEST(WireReader, passes_over_what_it_does_not_know) {
  std::string bytes;
  protozero::pbf_writer writer{bytes};
  writer.add_double(1, 1.5);
  writer.add_float(2, 1.5F);
  writer.add_int64(3, 5);
  Reader reader{bytes};
  for (const std::uint64_t field : {1, 2, 3}) {
    ASSERT_TRUE(reader.next());
    EXPECT_EQ(reader.field(), field);
    EXPECT_EQ(reader.is_number(), field == 3);
    EXPECT_FALSE(reader.is_bytes());
  }
  EXPECT_EQ(reader.number(), 5);
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.malformed());
}

TEST(WireReader, ends_at_malformed_bytes) {
  using namespace std::string_literals;
  const std::vector<std::string> malformed{
      "\x08"s,                                              // a head without a number
      "\x08\x80"s,                                          // a number that does not end
      "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s,  // one of eleven
                                                            // bytes
      "\x0a\x05"
      "abcd"s,                                          // shorter than its length
      "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s,  // far shorter
      "\x09"
      "1234567"s,  // seven bytes of eight
      "\x0d"
      "123"s,       // three of four
      "\x0b"s,      // an obsolete wire type
      "\x00\x01"s,  // field 0
  };
  for (const std::string& bytes : malformed) {
    Reader reader{bytes};
    EXPECT_FALSE(reader.next());
    EXPECT_TRUE(reader.malformed());
    EXPECT_FALSE(reader.next());
  }
}

}  // namespace
}  // namespace beeline::record::wire
