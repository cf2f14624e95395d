#include "engine/state/jobs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace beeline::engine {
namespace {

struct Store {
  state::Database database;
  Jobs jobs{database};

  void insert(std::int64_t key, std::string tenant, std::string type, std::int32_t priority = 0) {
    JobRow row;
    row.type = std::move(type);
    row.tenant_id = std::move(tenant);
    row.priority = priority;
    database.begin_batch();
    jobs.insert(Key{key}, std::move(row));
    database.commit_batch();
  }
  void erase(std::int64_t key) {
    database.begin_batch();
    jobs.erase(Key{key});
    database.commit_batch();
  }
  // Returns the jobs that are visited, in order.
  [[nodiscard]] std::vector<std::int64_t> visited(const std::vector<std::string_view>& tenants,
                                                  std::size_t max = 100, Key first = Key{}) const {
    std::vector<std::int64_t> keys;
    jobs.for_each_activatable("work", tenants, first, [&](Key key) {
      keys.push_back(key.value());
      return keys.size() < max;
    });
    return keys;
  }
};

using Keys = std::vector<std::int64_t>;

TEST(Jobs, of_another_tenant_are_not_visited) {
  Store store;
  for (std::int64_t key = 1; key <= 10'000; ++key) store.insert(key, "large", "work");
  store.insert(10'001, "small", "work");
  store.insert(10'002, "small", "other work");
  EXPECT_EQ(store.visited({"small"}), Keys{10'001});
  EXPECT_EQ(store.visited({"large"}, 2), (Keys{1, 2}));
  EXPECT_EQ(store.visited({"nobody"}), Keys{});
}

TEST(Jobs, of_several_tenants_are_visited_in_one_order) {
  Store store;
  store.insert(1, "a", "work");
  store.insert(2, "b", "work", 5);
  store.insert(3, "a", "work", 5);
  store.insert(4, "c", "work", 9);
  store.insert(5, "b", "work");
  EXPECT_EQ(store.visited({"a", "b"}), (Keys{2, 3, 1, 5}));
  EXPECT_EQ(store.visited({"a", "b", "c"}), (Keys{4, 2, 3, 1, 5}));
  EXPECT_EQ(store.visited({"a", "b", "c"}, 2), (Keys{4, 2}));
}

TEST(Jobs, that_are_older_than_the_first_one_asked_for_are_passed_over) {
  Store store;
  for (std::int64_t key = 1; key <= 6; ++key) {
    store.insert(key, key % 2 == 0 ? "a" : "b", "work", key < 4 ? 1 : 0);
  }
  EXPECT_EQ(store.visited({"a", "b"}, 100, Key{3}), (Keys{3, 4, 5, 6}));
  EXPECT_EQ(store.visited({"a"}, 100, Key{5}), Keys{6});
  EXPECT_EQ(store.visited({"a", "b"}, 100, Key{7}), Keys{});
}

TEST(Jobs, are_counted_by_type_over_all_tenants) {
  Store store;
  store.insert(1, "a", "work");
  store.insert(2, "b", "work");
  store.insert(3, "b", "other");
  EXPECT_EQ(store.jobs.counts().at("work").activatable, 2);
  EXPECT_EQ(store.jobs.counts().at("other").activatable, 1);
  store.erase(1);
  EXPECT_EQ(store.jobs.counts().at("work").activatable, 1);
  store.erase(2);
  EXPECT_FALSE(store.jobs.counts().contains("work"));
  EXPECT_EQ(store.visited({"a", "b"}), Keys{});
}

}  // namespace
}  // namespace beeline::engine
