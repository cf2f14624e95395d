#include "state/key_codec.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "base/ids.h"
#include "state/store_error.h"

namespace beeline::state {
namespace {

// `keys` must be in order: their encodings must have the same order and decode to the keys.
template <typename K>
void expect_order(const std::vector<K>& keys) {
  std::string before;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::string bytes;
    KeyCodec<K>::encode(keys[i], bytes);
    if (i > 0) {
      EXPECT_LT(before, bytes) << "key " << i;
      EXPECT_FALSE(bytes.starts_with(before)) << "key " << i;
    }
    before = bytes;
    std::string_view in = bytes;
    EXPECT_EQ(KeyCodec<K>::decode(in), keys[i]);
    EXPECT_TRUE(in.empty());
  }
}

TEST(KeyCodec, keeps_the_order_of_integers) {
  using Limits = std::numeric_limits<std::int64_t>;
  expect_order<std::int64_t>({Limits::min(), -257, -256, -1, 0, 1, 255, 256, Limits::max()});
  expect_order<std::int32_t>({-70000, -1, 0, 70000});
  expect_order<std::uint8_t>({0, 1, 127, 128, 255});
  expect_order<Key>({Key{-1}, Key{0}, Key{1}, Key{Limits::max()}});
  enum class Signed : std::int16_t { Low = -3, High = 3 };
  expect_order<Signed>({Signed::Low, Signed::High});
}

TEST(KeyCodec, keeps_the_order_of_texts_whatever_bytes_they_have) {
  using namespace std::string_literals;
  expect_order<std::string>(
      {"", "\0"s, "\0\0"s, "\0a"s, "\x01", "a", "a\0"s, "a\0b"s, "ab", "b", "\xFF"});
}

TEST(KeyCodec, keeps_the_order_of_keys_with_parts) {
  using namespace std::string_literals;
  expect_order<std::pair<std::string, std::int64_t>>(
      {{"", 5}, {"a", -1}, {"a", 0}, {"a\0"s, -9}, {"aa", -9}});
  expect_order<std::tuple<Key, std::string, std::int32_t>>(
      {{Key{1}, "b", 7}, {Key{2}, "a", 9}, {Key{2}, "a", 10}, {Key{2}, "b", 0}});
}

TEST(KeyCodec, refuses_bytes_that_are_no_key) {
  using namespace std::string_literals;
  for (const std::string& bytes : {""s, "abc"s, "abc\0"s, "abc\0x"s}) {
    std::string_view in = bytes;
    EXPECT_THROW(KeyCodec<std::string>::decode(in), StoreError);
  }
  std::string_view in = "1234567";
  EXPECT_THROW(KeyCodec<std::int64_t>::decode(in), StoreError);
}

}  // namespace
}  // namespace beeline::state
