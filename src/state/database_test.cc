#include "state/database.h"

#include <gtest/gtest.h>

#include <random>

#include "state/digest.h"
#include "state/state_test_support.h"
#include "state/store_error.h"

namespace beeline::state {
namespace {

void checkpoint(Notes& notes, Position position, KeyValueStore& store) {
  notes.database.begin_checkpoint(position);
  ASSERT_TRUE(notes.database.capture(1'000'000));
  store.write(notes.database.take_captured());
}

std::string load_dump(const KeyValueStore& store, Position expected) {
  Notes loaded;
  EXPECT_EQ(loaded.database.load(store), expected);
  return loaded.database.dump();
}

// Makes the changes of one batch of the random tests.
void change_at_random(Notes& notes, std::mt19937_64& random) {
  for (std::uint64_t i = random() % 8; i > 0; --i) {
    const auto number = static_cast<std::int64_t>(random() % 40);
    const std::string text = std::to_string(random() % 1000);
    const auto change = [&](auto& table, const auto& key) {
      if (!table.contains(key)) {
        table.insert(key, {text});
      } else if (random() % 3 == 0) {
        table.erase(key);
      } else {
        table.update(key, [&](NoteRow& row) { row.text = text; });
      }
    };
    if (random() % 2 == 0) {
      change(notes.by_key, Key{number});
    } else {
      change(notes.by_name, std::to_string(number));
    }
  }
}

void run_random_batch(Notes& notes, std::mt19937_64& random) {
  notes.database.begin_batch();
  change_at_random(notes, random);
  if (random() % 5 == 0) {
    notes.database.rollback_batch();
  } else {
    notes.database.commit_batch();
  }
}

TEST(Database, of_an_empty_store_is_at_position_zero) {
  EXPECT_EQ(load_dump(MemoryStore(), Position{0}), "");
}

TEST(Database, loads_what_a_checkpoint_stored) {
  MemoryStore store;
  Notes notes;
  notes.batch([&] {
    notes.by_key.insert(Key{1}, {"one"});
    notes.by_key.insert(Key{2}, {"two"});
    notes.by_name.insert("a", {"A"});
  });
  checkpoint(notes, Position{7}, store);
  EXPECT_EQ(load_dump(store, Position{7}), notes.database.dump());
  notes.batch([&] {
    notes.by_key.erase(Key{1});
    notes.by_name.erase("a");
    notes.by_name.insert("a", {"again"});
  });
  checkpoint(notes, Position{8}, store);
  EXPECT_EQ(load_dump(store, Position{8}), notes.database.dump());
}

TEST(Database, stores_only_what_changed) {
  MemoryStore store;
  Notes notes;
  notes.batch([&] {
    for (int i = 0; i < 1000; ++i) notes.by_key.insert(Key{i}, {"row"});
  });
  checkpoint(notes, Position{1}, store);
  notes.batch([&] { notes.by_key.update(Key{5}, [](NoteRow& row) { row.text = "changed"; }); });
  // Rows that are added and removed between two checkpoints leave nothing behind.
  for (int i = 2000; i < 9000; ++i) {
    notes.batch([&] { notes.by_key.insert(Key{i}, {"brief"}); });
    notes.batch([&] { notes.by_key.erase(Key{i}); });
  }
  notes.database.begin_checkpoint(Position{2});
  ASSERT_TRUE(notes.database.capture(5000)) << "dead keys pile up";
  EXPECT_LT(notes.database.take_captured().size_bytes(), 100u);
}

TEST(Database, captures_a_row_as_it_was_when_the_checkpoint_began) {
  MemoryStore store;
  Notes notes;
  notes.batch([&] {
    for (int i = 0; i < 10; ++i) notes.by_key.insert(Key{i}, {"before"});
  });
  const std::string before = notes.database.dump();
  notes.database.begin_checkpoint(Position{3});
  ASSERT_FALSE(notes.database.capture(4));
  notes.batch([&] {
    for (int i = 0; i < 10; i += 2)
      notes.by_key.update(Key{i}, [](NoteRow& row) { row.text = "after"; });
    for (int i = 1; i < 10; i += 2) notes.by_key.erase(Key{i});
    notes.by_key.insert(Key{3}, {"another"});
    notes.by_key.insert(Key{77}, {"new"});
  });
  while (!notes.database.capture(1)) continue;
  store.write(notes.database.take_captured());
  EXPECT_EQ(load_dump(store, Position{3}), before);
  checkpoint(notes, Position{4}, store);
  EXPECT_EQ(load_dump(store, Position{4}), notes.database.dump());
}

TEST(Database, includes_a_checkpoint_that_could_not_be_stored_in_the_next_one) {
  MemoryStore store;
  Notes notes;
  notes.batch([&] {
    notes.by_key.insert(Key{1}, {"one"});
    notes.by_key.insert(Key{2}, {"two"});
  });
  notes.database.begin_checkpoint(Position{1});
  ASSERT_TRUE(notes.database.capture(10));
  WriteBatch lost = notes.database.take_captured();
  notes.batch([&] { notes.by_key.erase(Key{1}); });
  notes.database.give_back(std::move(lost));
  notes.batch([&] { notes.by_key.insert(Key{3}, {"three"}); });
  checkpoint(notes, Position{2}, store);
  EXPECT_EQ(load_dump(store, Position{2}), notes.database.dump());
}

// Loading gives the state at the position of every checkpoint, however its slices and batches were
// interleaved, and whatever happened to earlier ones.
TEST(Database, loads_the_state_at_the_position_of_the_last_checkpoint) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937_64 random(seed);
    MemoryStore store;
    Notes notes;
    std::string stored_dump;
    Position stored_position{0};
    for (std::int64_t round = 1; round <= 12; ++round) {
      for (std::uint64_t i = random() % 6; i > 0; --i) run_random_batch(notes, random);
      const std::string dump = notes.database.dump();
      notes.database.begin_checkpoint(Position{round});
      while (!notes.database.capture(1 + random() % 5)) {
        run_random_batch(notes, random);
        // After a crash now, the previous checkpoint is found.
        if (random() % 16 == 0) {
          ASSERT_EQ(load_dump(store, stored_position), stored_dump);
        }
      }
      run_random_batch(notes, random);
      WriteBatch captured = notes.database.take_captured();
      run_random_batch(notes, random);
      if (random() % 4 == 0) {
        notes.database.give_back(std::move(captured));
        continue;
      }
      store.write(captured);
      stored_dump = dump;
      stored_position = Position{round};
      ASSERT_EQ(load_dump(store, stored_position), stored_dump);
    }
  }
}

TEST(Database, goes_on_from_a_loaded_checkpoint) {
  std::mt19937_64 random(5);
  MemoryStore store;
  std::string dump;
  for (std::int64_t life = 1; life <= 20; ++life) {
    Notes notes;
    ASSERT_EQ(notes.database.load(store), Position{life - 1});
    ASSERT_EQ(notes.database.dump(), dump);
    for (int i = 0; i < 5; ++i) run_random_batch(notes, random);
    checkpoint(notes, Position{life}, store);
    dump = notes.database.dump();
  }
}

TEST(Database, has_one_dump_and_digest_per_state_whatever_way_led_to_it) {
  Notes straight;
  straight.batch([&] {
    straight.by_key.insert(Key{1}, {"one"});
    straight.by_name.insert("a", {"A"});
  });
  Notes crooked;
  crooked.batch([&] {
    crooked.by_name.insert("b", {"B"});
    crooked.by_name.insert("a", {"?"});
  });
  crooked.batch([&] {
    crooked.by_key.insert(Key{1}, {"one"});
    crooked.by_name.erase("b");
    crooked.by_name.update("a", [](NoteRow& row) { row.text = "A"; });
  });
  EXPECT_EQ(straight.database.dump(), crooked.database.dump());
  EXPECT_EQ(straight.database.digest(), crooked.database.digest());
  crooked.batch([&] { crooked.by_name.update("a", [](NoteRow& row) { row.text = "B"; }); });
  EXPECT_NE(straight.database.digest(), crooked.database.digest());
}

// Golden files contain digests.
TEST(Digest, never_changes) {
  Digest digest;
  digest.add("");
  digest.add("beeline");
  digest.add("a durable workflow engine");
  EXPECT_EQ(digest.value(), 14469001850545020707u);
}

TEST(Digest, counts_where_pieces_end) {
  Digest one;
  one.add("ab");
  one.add("c");
  Digest other;
  other.add("a");
  other.add("bc");
  EXPECT_NE(one.value(), other.value());
}

TEST(Database, says_what_it_cannot_read) {
  const auto error_of = [](std::string_view key, std::string_view row) -> std::string {
    MemoryStore store;
    WriteBatch batch;
    batch.put(key, row);
    store.write(batch);
    Notes notes;
    try {
      notes.database.load(store);
    } catch (const StoreError& error) {
      return error.what();
    }
    return "";
  };
  using namespace std::string_view_literals;
  EXPECT_EQ(error_of("\0\x63somewhere"sv, ""),
            "the checkpoint has a table 99, which this version does not know; use the version of "
            "beeline that wrote it, or a later one");
  EXPECT_EQ(
      error_of("\0\x01\0"sv, ""),
      "the checkpoint has a row of table by_key that cannot be read: a key ends within a number");
  EXPECT_EQ(error_of("\0\x02n\0\x01"sv, "unreadable"),
            "the checkpoint has a row of table by_name that cannot be read: no note");
  EXPECT_EQ(
      error_of("\0\x02n\0\x01n"sv, ""),
      "the checkpoint has a row of table by_name that cannot be read: a key has bytes too many");
}

}  // namespace
}  // namespace beeline::state
