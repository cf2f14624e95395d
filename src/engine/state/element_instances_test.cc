#include "engine/state/element_instances.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace beeline::engine {
namespace {

struct Instances {
  state::Database database;
  ElementInstances tree{database};

  void insert(int key, int scope) {
    ElementInstanceRow row;
    if (scope != 0) row.flow_scope_key = Key{scope};
    tree.insert(Key{key}, std::move(row));
  }
  // Runs `change` in a batch of its own.
  template <typename Change>
  void batch(Change&& change) {
    database.begin_batch();
    change();
    database.commit_batch();
  }
  [[nodiscard]] std::string children(int scope, int from = -1) const {
    std::string keys;
    tree.for_each_child(Key{scope}, ChildKey{Key{from}},
                        [&](Key key, const ElementInstanceRow& row) {
                          EXPECT_EQ(&row, tree.find(key));
                          keys += fmt::format("{} ", key.value());
                          return true;
                        });
    return keys;
  }
};

void add_two_scopes(Instances& instances) {
  instances.batch([&] {
    instances.insert(1, 0);
    instances.insert(2, 1);
    for (const int key : {10, 20, 30}) instances.insert(key, 1);
    for (const int key : {11, 21}) instances.insert(key, 2);
  });
}

TEST(ElementInstances, walks_children_from_any_key_on) {
  Instances instances;
  add_two_scopes(instances);
  EXPECT_EQ(instances.children(1), "2 10 20 30 ");
  EXPECT_EQ(instances.children(2), "11 21 ");
  EXPECT_EQ(instances.children(10), "");
  EXPECT_EQ(instances.children(99), "");
  EXPECT_EQ(instances.children(1, 20), "20 30 ") << "from a child";
  EXPECT_EQ(instances.children(1, 15), "20 30 ") << "from where none is";
  EXPECT_EQ(instances.children(1, 21), "30 ") << "from a child of another";
  EXPECT_EQ(instances.children(1, 31), "");
}

TEST(ElementInstances, walks_no_further_than_it_is_wanted) {
  Instances instances;
  add_two_scopes(instances);
  std::vector<Key> seen;
  instances.tree.for_each_child(Key{1}, ChildKey{}, [&](Key key, const ElementInstanceRow&) {
    seen.push_back(key);
    return seen.size() < 2;
  });
  EXPECT_EQ(seen, (std::vector{Key{2}, Key{10}}));
}

TEST(ElementInstances, keeps_children_in_key_order_however_they_come_and_go) {
  Instances instances;
  instances.batch([&] {
    instances.insert(1, 0);
    for (const int key : {5, 3, 9, 4, 2, 7}) instances.insert(key, 1);
  });
  EXPECT_EQ(instances.children(1), "2 3 4 5 7 9 ");
  instances.batch([&] {
    for (const int key : {9, 2, 4}) instances.tree.erase(Key{key});
  });
  EXPECT_EQ(instances.children(1), "3 5 7 ");
  instances.batch([&] {
    for (const int key : {3, 7, 5}) instances.tree.erase(Key{key});
    EXPECT_EQ(instances.children(1), "");
    instances.insert(8, 1);
  });
  EXPECT_EQ(instances.children(1), "8 ");
}

TEST(ElementInstances, finds_every_child_again_after_a_rollback) {
  Instances instances;
  add_two_scopes(instances);
  instances.database.begin_batch();
  instances.insert(40, 1);
  for (const int key : {10, 30, 40, 20, 21, 11, 2}) instances.tree.erase(Key{key});
  instances.insert(50, 1);
  instances.tree.erase(Key{50});
  instances.tree.erase(Key{1});
  instances.database.rollback_batch();
  EXPECT_EQ(instances.children(1), "2 10 20 30 ");
  EXPECT_EQ(instances.children(2), "11 21 ");
}

// Walks the children as the termination of a large multi-instance body does: each slice begins at
// the child that ended the slice before it. Then all children are erased and restored.
TEST(ElementInstances, goes_through_many_children_in_slices) {
  constexpr int kChildren = 20'000;
  Instances instances;
  instances.batch([&] {
    instances.insert(1, 0);
    for (int i = 0; i < kChildren; ++i) instances.insert(2 + i, 1);
  });
  std::vector<Key> slice{Key{}};
  for (int i = 0; i < kChildren; ++i) {
    const Key from = slice.back();
    slice.clear();
    instances.tree.for_each_child(Key{1}, ChildKey{from}, [&](Key key, const ElementInstanceRow&) {
      slice.push_back(key);
      return slice.size() < 2;
    });
    ASSERT_EQ(slice.front(), Key{2 + i});
  }
  EXPECT_EQ(slice.size(), 1u);
  instances.database.begin_batch();
  for (int i = 0; i < kChildren; ++i) instances.tree.erase(Key{2 + i});
  EXPECT_EQ(instances.children(1), "");
  instances.database.rollback_batch();
  int next = 2;
  instances.tree.for_each_child(Key{1}, ChildKey{}, [&](Key key, const ElementInstanceRow&) {
    EXPECT_EQ(key, Key{next++});
    return true;
  });
  EXPECT_EQ(next, 2 + kChildren);
}

TEST(ElementInstances, has_its_tree_when_it_is_loaded) {
  Instances instances;
  add_two_scopes(instances);
  instances.database.begin_checkpoint(Position{1});
  ASSERT_TRUE(instances.database.capture(100));
  state::MemoryStore store;
  store.write(instances.database.take_captured());
  Instances loaded;
  ASSERT_EQ(loaded.database.load(store), Position{1});
  EXPECT_EQ(loaded.children(1), "2 10 20 30 ");
  EXPECT_EQ(loaded.children(2), "11 21 ");
  loaded.batch([&] {
    loaded.tree.erase(Key{20});
    loaded.insert(40, 1);
  });
  EXPECT_EQ(loaded.children(1), "2 10 30 40 ");
}

TEST(ElementInstances, counts_process_instances) {
  Instances instances;
  add_two_scopes(instances);
  EXPECT_EQ(instances.tree.process_instance_count(), 1);
  instances.database.begin_batch();
  instances.insert(60, 0);
  EXPECT_EQ(instances.tree.process_instance_count(), 2);
  instances.database.rollback_batch();
  EXPECT_EQ(instances.tree.process_instance_count(), 1);
}

TEST(ElementInstancesDeathTest, insists_on_scopes_around_their_children) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Instances instances;
  add_two_scopes(instances);
  instances.database.begin_batch();
  EXPECT_DEATH(instances.insert(70, 69), "has no scope");
  EXPECT_DEATH(instances.tree.erase(Key{1}), "goes before its children");
  instances.database.rollback_batch();
}

// Compares the tree with a map that is restored from whole copies.
TEST(ElementInstances, does_what_a_map_does_under_random_changes_and_rollbacks) {
  using Model = std::map<int, std::set<int>>;  // the children of each scope
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937_64 random(seed);
    Instances instances;
    Model model;
    instances.batch([&] {
      for (const int scope : {1, 2, 3}) {
        instances.insert(scope, 0);
        model[scope];
      }
    });
    for (int batch = 0; batch < 60; ++batch) {
      const Model before = model;
      instances.database.begin_batch();
      for (std::uint64_t i = random() % 30; i > 0; --i) {
        const int key = 4 + static_cast<int>(random() % 40);
        const int scope = 1 + key % 3;  // each key has one scope, because keys are not reused
        if (model[scope].erase(key) == 1) {
          instances.tree.erase(Key{key});
        } else {
          instances.insert(key, scope);
          model[scope].insert(key);
        }
      }
      if (random() % 3 == 0) {
        instances.database.rollback_batch();
        model = before;
      } else {
        instances.database.commit_batch();
      }
      const int from = static_cast<int>(random() % 50);
      for (const auto& [scope, children] : model) {
        std::string expected;
        for (auto it = children.lower_bound(from); it != children.end(); ++it) {
          expected += fmt::format("{} ", *it);
        }
        ASSERT_EQ(instances.children(scope, from), expected);
      }
    }
  }
}

}  // namespace
}  // namespace beeline::engine
