#include "state/slot_index.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "base/ids.h"

namespace beeline::state {
namespace {

template <typename K>
struct TestSlot {
  K key;
};

// Adds and removes keys at random, and compares the index with a map.
template <typename K, typename MakeKey>
void compare_with_map(MakeKey make_key, int steps) {
  SlotIndex<K, TestSlot<K>> index;
  std::map<K, std::unique_ptr<TestSlot<K>>> slots;
  std::mt19937 random{7};
  for (int i = 0; i < steps; ++i) {
    const K key = make_key(static_cast<unsigned>(random() % 500));
    const auto known = slots.find(key);
    ASSERT_EQ(index.find(key), known == slots.end() ? nullptr : known->second.get());
    if (known == slots.end()) {
      const auto made = slots.emplace(key, std::make_unique<TestSlot<K>>(TestSlot<K>{key})).first;
      index.insert(made->second.get());
    } else {
      index.erase(known->second.get());
      slots.erase(known);
    }
    ASSERT_EQ(index.size(), slots.size());
  }
  for (const auto& [key, slot] : slots) EXPECT_EQ(index.find(key), slot.get());
  std::size_t seen = 0;
  index.for_each([&](const TestSlot<K>& slot) {
    EXPECT_TRUE(slots.contains(slot.key));
    ++seen;
  });
  EXPECT_EQ(seen, slots.size());
}

TEST(SlotIndex, finds_keys_that_come_and_go) {
  compare_with_map<Key>([](unsigned n) { return make_key(PartitionId{1}, n); }, 20'000);
}

// While the places double, slots are in the former and in the new places.
TEST(SlotIndex, finds_all_keys_while_it_grows) {
  SlotIndex<Key, TestSlot<Key>> index;
  std::map<Key, std::unique_ptr<TestSlot<Key>>> slots;
  for (std::int64_t n = 1; n <= 3'000; ++n) {
    const Key key = make_key(PartitionId{1}, n);
    slots.emplace(key, std::make_unique<TestSlot<Key>>(TestSlot<Key>{key}));
    index.insert(slots.at(key).get());
    if (n % 3 == 0) {  // an old one, and one of the last
      for (const std::int64_t gone : {n / 3, n - 1}) {
        const auto found = slots.find(make_key(PartitionId{1}, gone));
        if (found == slots.end()) continue;
        index.erase(found->second.get());
        slots.erase(found);
      }
    }
    if (n % 50 != 0) continue;
    for (std::int64_t each = 1; each <= n; ++each) {
      const auto found = slots.find(make_key(PartitionId{1}, each));
      ASSERT_EQ(index.find(make_key(PartitionId{1}, each)),
                found == slots.end() ? nullptr : found->second.get())
          << each << " of " << n;
    }
    std::size_t seen = 0;
    index.for_each([&](const TestSlot<Key>&) { ++seen; });
    ASSERT_EQ(seen, slots.size());
  }
}

TEST(SlotIndex, finds_keys_that_are_not_numbers) {
  compare_with_map<std::string>([](unsigned n) { return std::to_string(n); }, 20'000);
}

// The products of these keys with the index's factor share the upper bits, so all have the same
// home.
TEST(SlotIndex, finds_keys_that_are_at_home_in_one_place) {
  constexpr std::uint64_t kInverse = 0xf1de83e19937733dU;  // of the golden ratio, modulo 2^64
  static_assert(kInverse * 0x9e3779b97f4a7c15U == 1);
  compare_with_map<std::int64_t>(
      [](unsigned n) { return static_cast<std::int64_t>(kInverse * (n + 0xffff'ff00U)); }, 5'000);
}

// Between the pieces of a walk slots are added and removed, and the places double twice.
TEST(SlotIndex, a_walk_in_pieces_meets_once_what_is_there_all_the_time) {
  SlotIndex<Key, TestSlot<Key>> index;
  std::map<Key, std::unique_ptr<TestSlot<Key>>> slots;
  const auto add = [&](std::int64_t n) {
    const Key key = make_key(PartitionId{1}, n);
    index.insert(slots.emplace(key, std::make_unique<TestSlot<Key>>(TestSlot<Key>{key}))
                     .first->second.get());
  };
  const auto erase = [&](std::int64_t n) {
    const auto found = slots.find(make_key(PartitionId{1}, n));
    index.erase(found->second.get());
    slots.erase(found);
  };
  constexpr std::int64_t kStays = 1'000;
  for (std::int64_t n = 1; n <= kStays; ++n) add(n);
  std::map<Key, int> seen;
  std::int64_t added = kStays;
  std::int64_t erased = kStays;
  std::optional<std::uint64_t> from = 0;
  for (int pieces = 0; from; ++pieces) {
    ASSERT_LT(pieces, 10'000);
    std::size_t count = 0;
    from = index.walk(
        *from, 100,
        [&](const TestSlot<Key>& slot) {
          ++seen[slot.key];
          ++count;
        },
        [&] { return count >= 10; });
    EXPECT_LE(count, 10U);
    for (int i = 0; i < 30; ++i) add(++added);
    for (int i = 0; i < 10; ++i) erase(++erased);
  }
  for (std::int64_t n = 1; n <= kStays; ++n) EXPECT_EQ(seen[make_key(PartitionId{1}, n)], 1) << n;
  for (const auto& [key, times] : seen) EXPECT_EQ(times, 1);
  EXPECT_GT(added, 2 * kStays);
}

}  // namespace
}  // namespace beeline::state
