#include "engine/state/variables.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace beeline::engine {
namespace {

struct Scopes {
  state::Database database;
  Variables variables{database};

  void set(int scope, std::string_view name, std::string_view value) {
    variables.set(Key{scope}, name, value, VariableKey{Key{1'000'000}});
  }
  // Opens process instance 1, scope 2 in it, scope 3 in scope 2, and process instance 10.
  void open() {
    database.begin_batch();
    set(1, "a", "12345");
    variables.open_scope(Key{1}, ParentScopeKey{});
    variables.open_scope(Key{2}, ParentScopeKey{Key{1}});
    variables.open_scope(Key{3}, ParentScopeKey{Key{2}});
    variables.open_scope(Key{10}, ParentScopeKey{});
    set(3, "bc", "123");
    set(10, "d", "1");
    database.commit_batch();
  }
  [[nodiscard]] std::string bytes() const {
    return fmt::format("{} {}", variables.bytes_of(Key{1}), variables.bytes_of(Key{10}));
  }
  [[nodiscard]] std::string names(int scope) const {
    std::string names;
    for_each_variable(*variables.find_scope(Key{scope}),
                      [&](const StoredVariable& variable) { names += variable.name + " "; });
    return names;
  }
};

TEST(Variables, the_bytes_of_an_instance_are_those_of_all_its_scopes) {
  Scopes scopes;
  scopes.open();
  EXPECT_EQ(scopes.bytes(), "11 2");
  EXPECT_EQ(scopes.variables.bytes_of(Key{3}), 0) << "it is no instance";
  scopes.database.begin_batch();
  scopes.set(1, "a", "1");
  scopes.set(2, "e", "12");
  EXPECT_EQ(scopes.bytes(), "10 2");
  scopes.variables.close_scope(Key{3});
  EXPECT_EQ(scopes.bytes(), "5 2");
  scopes.variables.close_scope(Key{2});
  scopes.variables.close_scope(Key{1});
  scopes.variables.close_scope(Key{10});
  EXPECT_EQ(scopes.bytes(), "0 0");
  scopes.database.commit_batch();
}

TEST(Variables, the_bytes_of_an_instance_are_taken_back_with_the_batch) {
  Scopes scopes;
  scopes.open();
  scopes.database.begin_batch();
  scopes.set(1, "a", "1");
  scopes.set(1, "a", std::string(100, 'x'));
  scopes.set(3, "f", "12");
  scopes.variables.open_scope(Key{4}, ParentScopeKey{Key{3}});
  scopes.set(4, "g", "1");
  scopes.variables.close_scope(Key{4});
  scopes.variables.close_scope(Key{3});
  scopes.variables.close_scope(Key{2});
  scopes.variables.close_scope(Key{1});
  EXPECT_EQ(scopes.bytes(), "0 2");
  scopes.database.rollback_batch();
  EXPECT_EQ(scopes.bytes(), "11 2");
}

TEST(Variables, the_bytes_of_an_instance_are_known_after_loading) {
  Scopes scopes;
  scopes.open();
  state::MemoryStore store;
  scopes.database.begin_checkpoint(Position{1});
  ASSERT_TRUE(scopes.database.capture(1000));
  store.write(scopes.database.take_captured());
  Scopes loaded;
  loaded.database.load(store);
  EXPECT_EQ(loaded.bytes(), "11 2");
  loaded.database.begin_batch();
  loaded.variables.close_scope(Key{3});
  EXPECT_EQ(loaded.bytes(), "6 2");
  loaded.database.rollback_batch();
  EXPECT_EQ(loaded.bytes(), "11 2");
}

// After any changes and rollbacks, the counters equal the sums over the rows.
TEST(Variables, the_bytes_of_an_instance_are_the_sum_of_its_rows_after_anything) {
  std::mt19937 random{7};
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Scopes scopes;
  using Model = std::map<int, std::map<std::string, std::string>>;  // by scope, then by name
  std::map<int, int> root;                                          // the root of each scope
  Model model;
  int next_key = 1;
  for (int batch = 0; batch < 150; ++batch) {
    const auto before = std::pair{model, root};
    scopes.database.begin_batch();
    for (int i = below(8); i >= 0; --i) {
      const int what = below(10);
      if (root.empty() || what == 0) {
        const int key = next_key++;
        scopes.variables.open_scope(Key{key}, ParentScopeKey{});
        root[key] = key;
        model[key];
        continue;
      }
      const int scope = std::next(root.begin(), below(static_cast<int>(root.size())))->first;
      if (what == 1) {
        const int key = next_key++;
        scopes.variables.open_scope(Key{key}, ParentScopeKey{Key{scope}});
        root[key] = root[scope];
        model[key];
      } else if (what == 2) {
        // Close the innermost scope, which is the one that was opened last in its instance.
        int last = scope;
        for (const auto& [key, its_root] : root) {
          if (its_root == root[scope]) last = std::max(last, key);
        }
        scopes.variables.close_scope(Key{last});
        root.erase(last);
        model.erase(last);
      } else {
        const std::string name = fmt::format("n{}", below(200));
        const std::string value(static_cast<std::size_t>(below(20) + 1), 'v');
        scopes.set(scope, name, value);
        model[scope][name] = value;
      }
    }
    if (below(3) == 0) {
      scopes.database.rollback_batch();
      std::tie(model, root) = before;
    } else {
      scopes.database.commit_batch();
    }
    std::map<int, std::int64_t> bytes;
    for (const auto& [scope, variables] : model) {
      std::string names;
      for (const auto& [name, value] : variables) {
        bytes[root[scope]] += static_cast<std::int64_t>(name.size() + value.size());
        names += name + " ";
        ASSERT_EQ(scopes.variables.find_local(Key{scope}, name)->value, value);
      }
      ASSERT_EQ(scopes.names(scope), names);
    }
    for (int key = 1; key < next_key; ++key) {
      ASSERT_EQ(scopes.variables.bytes_of(Key{key}), bytes[key]) << batch << " " << key;
    }
  }
}

// Variables whose names come in random order are found, walked and stored in sorted order, even if
// there are many.
TEST(Variables, many_variables_in_any_order_are_kept_in_order) {
  std::vector<std::string> names;
  for (int i = 0; i < 3000; ++i) names.push_back(fmt::format("v{}", i));
  std::mt19937 random{3};
  std::ranges::shuffle(names, random);
  Scopes scopes;
  Scopes in_order;
  scopes.database.begin_batch();
  for (const std::string& name : names) scopes.set(1, name, "1");
  for (const std::string& name : names) scopes.set(1, name, "\"" + name + "\"");
  std::ranges::sort(names);
  std::string expected;
  for (const std::string& name : names) {
    expected += name + " ";
    const StoredVariable* variable = scopes.variables.find(Key{1}, name);
    ASSERT_NE(variable, nullptr) << name;
    EXPECT_EQ(variable->value, "\"" + name + "\"");
  }
  EXPECT_EQ(scopes.variables.find(Key{1}, "v"), nullptr);
  EXPECT_EQ(scopes.variables.find(Key{1}, "v9999"), nullptr);
  EXPECT_EQ(scopes.names(1), expected);
  EXPECT_EQ(scopes.variables.collect(Key{1}, {}).entries.size(), names.size());
  scopes.database.commit_batch();
  in_order.database.begin_batch();
  for (const std::string& name : names) in_order.set(1, name, "\"" + name + "\"");
  in_order.database.commit_batch();
  EXPECT_EQ(scopes.database.dump(), in_order.database.dump());
}

// Adding a variable costs moves in proportion to the square root of the number of variables, so ten
// times as many variables take far less than a hundred times as long.
TEST(Variables, the_cost_of_a_variable_hardly_grows_with_their_number) {
  const auto seconds_for = [](int count) {
    Scopes scopes;
    scopes.database.begin_batch();
    const auto begin = std::chrono::steady_clock::now();
    // Each name sorts before all earlier ones.
    for (int i = count; i > 0; --i) scopes.set(1, fmt::format("v{:08}", i), "1");
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    scopes.database.commit_batch();
    return taken.count();
  };
  double few = 1e9;
  double many = 1e9;
  for (int i = 0; i < 3; ++i) {
    few = std::min(few, seconds_for(1'000));
    many = std::min(many, seconds_for(10'000));
  }
  EXPECT_LT(many, 55 * few);
}

}  // namespace
}  // namespace beeline::engine
