#include "record/wire_writer.h"

#include <gtest/gtest.h>

#include <limits>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <vector>

namespace beeline::record::wire {
namespace {

TEST(WireWriter, numbers_are_what_protozero_writes) {
  std::vector<std::int64_t> numbers{0, -1, std::numeric_limits<std::int64_t>::min(),
                                    std::numeric_limits<std::int64_t>::max()};
  for (int bit = 0; bit < 63; ++bit) {
    const std::int64_t power = std::int64_t{1} << bit;
    numbers.insert(numbers.end(), {power - 1, power, power + 1, -power});
  }
  for (const std::int64_t number : numbers) {
    std::string ours;
    append_at_most(ours, kHeadMax, [&](char* at) { return put_number(at, 7, number); });
    std::string theirs;
    protozero::pbf_writer{theirs}.add_int64(7, number);
    EXPECT_EQ(ours, theirs) << number;
  }
}

TEST(WireWriter, bytes_and_nested_fields_of_any_length_are_read_back) {
  for (const std::size_t length : {0, 1, 126, 127, 128, 129, 16'383, 16'384, 3'000'000}) {
    const std::string text(length, 'x');
    std::string bytes;
    append_at_most(bytes, 5 * kHeadMax + length, [&](char* at) {
      at = put_nested(at, 3, [&](char* inside) {
        inside = put_bytes(inside, 1, text);
        return put_nested(inside, 2, [](char* innermost) { return put_number(innermost, 1, 42); });
      });
      return put_number(at, 900, 5);
    });
    protozero::pbf_reader reader{bytes};
    ASSERT_TRUE(reader.next(3)) << length;
    protozero::pbf_reader nested = reader.get_message();
    ASSERT_TRUE(nested.next(1));
    EXPECT_EQ(nested.get_string(), text);
    ASSERT_TRUE(nested.next(2));
    protozero::pbf_reader inner = nested.get_message();
    ASSERT_TRUE(inner.next(1));
    EXPECT_EQ(inner.get_int64(), 42);
    EXPECT_FALSE(nested.next());
    ASSERT_TRUE(reader.next(900));
    EXPECT_EQ(reader.get_int64(), 5);
    EXPECT_FALSE(reader.next());
  }
}

TEST(WireWriter, appends_behind_what_is_there) {
  std::string bytes = "head";
  append_at_most(bytes, 100, [](char* at) { return put_bytes(at, 1, "tail"); });
  EXPECT_EQ(bytes, "head\x0a\x04tail");
}

TEST(WireWriter, bytes_beyond_the_reserved_room_are_noticed) {
  std::string bytes(100, 'x');
  const auto write_three = [](char* at) { return put_bytes(at, 1, "a"); };
  append_at_most(bytes, 3, write_three);
  EXPECT_EQ(bytes.size(), 103U);
  EXPECT_DEATH(append_at_most(bytes, 2, write_three), "3 bytes were written into room for 2");
}

}  // namespace
}  // namespace beeline::record::wire
