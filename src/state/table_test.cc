#include "state/table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "state/state_test_support.h"

namespace beeline::state {
namespace {

TEST(Table, finds_what_was_inserted_updated_and_not_erased) {
  Notes notes;
  notes.batch([&] {
    notes.by_key.insert(Key{1}, {"one"});
    notes.by_key.insert(Key{2}, {"two"});
    notes.by_key.update(Key{1}, [](NoteRow& row) { row.text += "!"; });
    notes.by_key.put(Key{3}, {"three"});
    notes.by_key.put(Key{3}, {"drei"});
    for (int i = 0; i < 2; ++i) {
      notes.by_key.update_or_insert(Key{4}, [](NoteRow& row) { row.text += "four"; });
    }
    notes.by_key.erase(Key{2});
    notes.by_key.insert(Key{5}, {"five"});
    for (int i = 0; i < 2; ++i) notes.by_key.erase_any(Key{5});
  });
  EXPECT_EQ(notes.by_key.find(Key{1})->text, "one!");
  EXPECT_EQ(notes.by_key.find(Key{2}), nullptr);
  EXPECT_EQ(notes.by_key.find(Key{3})->text, "drei");
  EXPECT_EQ(notes.by_key.find(Key{4})->text, "fourfour");
  EXPECT_EQ(notes.by_key.find(Key{5}), nullptr);
  EXPECT_EQ(notes.by_key.size(), 3u);
}

TEST(Table, leaves_a_row_where_it_is_until_the_batch_ends) {
  Notes notes;
  notes.batch([&] { notes.by_key.insert(Key{0}, {"zero"}); });
  notes.batch([&] {
    const NoteRow* row = notes.by_key.find(Key{0});
    for (int i = 1; i < 5000; ++i) notes.by_key.insert(Key{i}, {"more"});
    EXPECT_EQ(row, notes.by_key.find(Key{0}));
    notes.by_key.update(Key{0}, [](NoteRow& changed) { changed.text = "null"; });
    EXPECT_EQ(row->text, "null");
    notes.by_key.erase(Key{0});
    EXPECT_EQ(row->text, "null");
  });
}

TEST(Table, takes_back_a_batch) {
  Notes notes;
  notes.batch([&] {
    notes.by_key.insert(Key{1}, {"one"});
    notes.by_name.insert("a", {"A"});
  });
  const std::string before = notes.database.dump();
  notes.database.begin_batch();
  notes.by_key.insert(Key{2}, {"two"});
  notes.by_key.update(Key{1}, [](NoteRow& row) { row.text = "uno"; });
  notes.by_key.update(Key{1}, [](NoteRow& row) { row.text = "eins"; });
  notes.by_name.erase("a");
  notes.by_name.insert("a", {"another"});
  notes.by_key.erase(Key{1});
  notes.by_key.erase(Key{2});
  notes.database.rollback_batch();
  EXPECT_EQ(notes.database.dump(), before);
  EXPECT_FALSE(notes.database.in_batch());
}

TEST(Table, goes_back_as_often_as_batches_fail) {
  Notes notes;
  notes.batch([&] { notes.by_key.insert(Key{1}, {"one"}); });
  const std::string before = notes.database.dump();
  for (int round = 0; round < 2; ++round) {
    notes.database.begin_batch();
    notes.by_key.update(Key{1}, [](NoteRow& row) { row.text = "eins"; });
    notes.by_key.update(Key{1}, [](NoteRow& row) { row.text = "uno"; });
    notes.by_key.insert(Key{2}, {"two"});
    notes.database.rollback_batch();
    EXPECT_EQ(notes.database.dump(), before);
  }
  notes.batch([&] { notes.by_key.update(Key{1}, [](NoteRow& row) { row.text = "at last"; }); });
  EXPECT_EQ(notes.by_key.find(Key{1})->text, "at last");
}

TEST(Table, takes_back_half_a_change_that_threw) {
  Notes notes;
  std::vector<std::string> seen;
  notes.by_key.observe([&](Key, const NoteRow*, const NoteRow* after) {
    seen.push_back(after ? after->text : "gone");
  });
  notes.batch([&] { notes.by_key.insert(Key{1}, {"one"}); });
  notes.database.begin_batch();
  EXPECT_THROW(notes.by_key.update(Key{1},
                                   [](NoteRow& row) {
                                     row.text = "half";
                                     throw InvariantError("bug");
                                   }),
               InvariantError);
  EXPECT_EQ(notes.by_key.find(Key{1})->text, "one");
  notes.database.rollback_batch();
  EXPECT_EQ(seen, (std::vector<std::string>{"one", "one"}));
}

TEST(Table, shows_observers_every_change_and_its_undoing) {
  Notes notes;
  std::string seen;
  notes.by_key.observe([&](Key key, const NoteRow* before, const NoteRow* after) {
    seen +=
        fmt::format("{}:{}>{} ", key.value(), before ? before->text : "", after ? after->text : "");
  });
  notes.database.begin_batch();
  notes.by_key.insert(Key{1}, {"a"});
  notes.by_key.update(Key{1}, [](NoteRow& row) { row.text = "b"; });
  notes.by_key.update(Key{1}, [](NoteRow& row) { row.text = "c"; });
  notes.by_key.erase(Key{1});
  EXPECT_EQ(std::exchange(seen, ""), "1:>a 1:a>b 1:b>c 1:c> ");
  notes.database.rollback_batch();
  EXPECT_EQ(seen, "1:>c 1:c>b 1:b>a 1:a> ");
}

TEST(Table, shows_observers_of_presence_what_comes_and_goes) {
  Notes notes;
  std::string seen;
  notes.by_key.observe_presence([&](const auto& entry, Presence presence) {
    seen += fmt::format("{}{}:{} ", presence == Presence::Appears ? "+" : "-", entry.key.value(),
                        entry.row.text);
  });
  notes.database.begin_batch();
  notes.by_key.insert(Key{1}, {"a"});
  notes.by_key.update(Key{1}, [](NoteRow& row) { row.text = "b"; });
  notes.by_key.erase(Key{1});
  EXPECT_EQ(std::exchange(seen, ""), "+1:a -1:b ");
  notes.database.rollback_batch();
  EXPECT_EQ(seen, "+1:b -1:b ");
}

// Each row knows the one that was inserted before it.
struct Chain {
  const TableEntry<Key, NoteRow, Chain>* previous = nullptr;
};

TEST(Table, keeps_what_is_attached_to_a_row_while_the_row_may_come_back) {
  Database database;
  Table<Key, NoteRow, NoteCodec, Chain> table{database, TableId{1}, "chained"};
  const TableEntry<Key, NoteRow, Chain>* last = nullptr;
  table.observe_presence([&](const auto& entry, Presence presence) {
    if (presence == Presence::Appears && entry.attachment.previous == nullptr) {
      entry.attachment.previous = std::exchange(last, &entry);
    }
  });
  database.begin_batch();
  for (int i = 1; i <= 3; ++i) table.insert(Key{i}, {std::to_string(i)});
  database.commit_batch();
  database.begin_batch();
  table.update(Key{2}, [](NoteRow& row) { row.text = "two"; });
  table.erase(Key{3});
  table.erase(Key{2});
  table.insert(Key{3}, {"another"});
  EXPECT_EQ(table.find_entry(Key{2}), nullptr);
  EXPECT_EQ(table.find_entry(Key{3})->attachment.previous->row.text, "3");
  database.rollback_batch();
  EXPECT_EQ(table.find_entry(Key{3})->attachment.previous, table.find_entry(Key{2}));
  EXPECT_EQ(table.find_entry(Key{2})->attachment.previous, table.find_entry(Key{1}));
  EXPECT_EQ(table.find_entry(Key{2})->row.text, "2");
}

TEST(Table, visits_rows_in_the_order_of_their_keys) {
  Notes notes;
  notes.batch([&] {
    for (const int key : {5, -3, 900, 12, 0}) notes.by_key.insert(Key{key}, {std::to_string(key)});
  });
  std::string order;
  notes.by_key.for_each_sorted([&](Key, const NoteRow& row) { order += row.text + " "; });
  EXPECT_EQ(order, "-3 0 5 12 900 ");
}

TEST(TableDeathTest, refuses_changes_that_cannot_be) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Notes notes;
  notes.batch([&] { notes.by_key.insert(Key{1}, {"one"}); });
  EXPECT_DEATH(notes.by_key.erase(Key{1}), "outside of a batch");
  notes.database.begin_batch();
  EXPECT_DEATH(notes.by_key.insert(Key{1}, {"one"}), "has the key");
  EXPECT_DEATH(notes.by_key.erase(Key{2}), "lacks the key");
  EXPECT_DEATH(notes.by_key.update(Key{2}, [](NoteRow&) {}), "lacks the key");
  EXPECT_DEATH(notes.database.begin_checkpoint(Position{1}), "between two batches");
  notes.database.rollback_batch();
}

// Compares a table with a std::map, which is restored from whole copies.
TEST(Table, does_what_a_map_does_under_random_changes_and_rollbacks) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937_64 random(seed);
    Notes notes;
    std::map<std::int64_t, std::string> model;
    std::map<std::int64_t, std::string> observed;
    notes.by_key.observe([&](Key key, const NoteRow* before, const NoteRow* after) {
      const auto it = observed.find(key.value());
      ASSERT_EQ(before != nullptr, it != observed.end());
      if (before) {
        ASSERT_EQ(before->text, it->second);
      }
      if (after) {
        observed[key.value()] = after->text;
      } else {
        observed.erase(key.value());
      }
    });
    for (int batch = 0; batch < 60; ++batch) {
      const auto model_before = model;
      notes.database.begin_batch();
      for (std::uint64_t i = random() % 20; i > 0; --i) {
        const auto key = static_cast<std::int64_t>(random() % 25);
        const std::string text = std::to_string(random());
        if (random() % 4 == 0) {
          if (model.erase(key) == 1) notes.by_key.erase(Key{key});
          continue;
        }
        if (model.contains(key)) {
          notes.by_key.update(Key{key}, [&](NoteRow& row) { row.text = text; });
        } else {
          notes.by_key.insert(Key{key}, {text});
        }
        model[key] = text;
      }
      if (random() % 4 == 0) {
        notes.database.rollback_batch();
        model = model_before;
      } else {
        notes.database.commit_batch();
      }
      std::map<std::int64_t, std::string> found;
      notes.by_key.for_each_sorted(
          [&](Key key, const NoteRow& row) { found[key.value()] = row.text; });
      ASSERT_EQ(found, model);
      ASSERT_EQ(observed, model);
    }
  }
}

}  // namespace
}  // namespace beeline::state
